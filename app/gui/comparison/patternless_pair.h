// Two schedules side by side on a matrix whose pattern nobody has, as of recorded runtimes: what they decide
// differently, their loops and the trees of their storage are the same on every matrix.
#pragma once

#include "gui/comparison/pair_study.h"

namespace sparsight {

/// Loops and trees are those of an example matrix, and so it is said; there are no times, no terms and no
/// sizes of storage. Takes moments. Errors: a schedule that can't be built.
[[nodiscard]] Result<std::shared_ptr<const PairStudy>> study_without_pattern(const PairSubject& subject);

} // namespace sparsight

// Who orders more pairs, a network or the boosted trees that learned from the same data, in words
// (learning/baseline_verdict.h).
#pragma once

#include <QString>

namespace sparsight {

struct TrainingRun;

/// Who is ahead, by how many percentage points, on how many test matrices, and what to do about it where the
/// trees are. Empty where no trees were trained beside it.
[[nodiscard]] QString baseline_sentence(const TrainingRun& run);

/// The trees order more of the pairs.
[[nodiscard]] bool is_behind_trees(const TrainingRun& run);

} // namespace sparsight

// Why a model that is called blended is one part alone, wherever its choices are shown.
#pragma once

#include <QString>

namespace sparsight {

class TrainingRuns;

/// no_share_sentence() of that model; empty for others, and where there is none of this name.
[[nodiscard]] QString blend_note(const TrainingRuns& runs, const QString& model);

} // namespace sparsight

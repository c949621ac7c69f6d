// On which matrices of an evaluation a model can be compared before and after it has learned from others.
#pragma once

#include "gui/failures/failure_reader.h"
#include "gui/runs/stored_runs.h"

namespace sparsight {

/// Held-out matrices: those of the families that are learned from, and all.
struct HeldOutMatrices {
    QStringList family;
    QStringList all;
};

/// By stems (matrix/name_stem.h), as evaluations do: a transposed or resized form is no news to a model.
[[nodiscard]] HeldOutMatrices held_out_of(const FailureSetting& setting, const QStringList& learned,
                                          const QStringList& families);

/// What the model has learned from on any machine, and those that it was made from.
[[nodiscard]] QStringList learned_by(const std::vector<KnownModel>& models, const QString& model);

} // namespace sparsight

// What a fine-tuning with failures was worth: both models on the matrices that neither has learned from.
#pragma once

#include "gui/failures/failure_reader.h"
#include "gui/failures/tuning/tuning_state.h"
#include "gui/runs/stored_learning.h"

namespace sparsight {

/// On what the state holds out, as far as the evaluation has it. Nothing where the failures are not of an
/// evaluation of both models on the machine, with the dense extent and with the k of the state, or where what
/// the state has already is newer, or of more matrices.
[[nodiscard]] std::optional<TuningComparison> compare_tuning(const TuningState& state,
                                                             const ReadFailures& read);

/// "On the other held-out matrices of the same family (blocked; 9 matrices): 8 failures of meta before, 1
/// failure of meta-mended after. Of these cost time …".
[[nodiscard]] QString comparison_text(const TuningState& state, const TuningComparison& comparison);

/// "blocked", "blocked and banded"; of names as name(PatternFamily) has them.
[[nodiscard]] QString families_text(const QStringList& families);

// On which matrices of an evaluation a model can be compared before and after it has learned from others.

/// Held-out matrices: those of the families that are learned from, and all.
struct HeldOutMatrices {
    QStringList family;
    QStringList all;
};

/// By stems (domains/sparse/tensor/name_stem.h), as evaluations do: a transposed or resized form is no news
/// to a model.
[[nodiscard]] HeldOutMatrices held_out_of(const FailureSetting& setting, const QStringList& learned,
                                          const QStringList& families);

/// What the model has learned from on any machine, and those that it was made from.
[[nodiscard]] QStringList learned_by(const std::vector<KnownModel>& models, const QString& model);

} // namespace sparsight

// What a fine-tuning with failures achieved: both models compared on the held-out matrices, which neither
// model has learned from.
#pragma once

#include "gui/domains/sparse/failures/failure_reader.h"
#include "gui/domains/sparse/failures/tuning/tuning_state.h"
#include "gui/runs/stored_learning.h"

namespace sparsight {

/// Compares on the state's held-out matrices that the evaluation has. Nothing where the failures do not come
/// from one evaluation of both models with the machine, the dense extent and the k of the state, or where the
/// comparison in the state is newer or covers more matrices.
[[nodiscard]] std::optional<TuningComparison> compare_tuning(const TuningState& state,
                                                             const SparseFailures& read);

/// "Other held-out matrices of the same family (blocked; 9 matrices): 8 failures of meta before, 1
/// failure of meta-mended after. Costing time: …".
[[nodiscard]] QString comparison_text(const TuningState& state, const TuningComparison& comparison);

/// "blocked", "blocked and banded"; names as given by name(PatternFamily).
[[nodiscard]] QString families_text(const QStringList& families);

/// Matrices on which a model can be compared before and after fine-tuning: those of the families that it
/// learns from, and all.
struct HeldOutMatrices {
    QStringList family;
    QStringList all;
};

/// Without all forms of what was learned from (store/workload_families.h), as in evaluations: they are not
/// new to a model.
[[nodiscard]] HeldOutMatrices held_out_of(const FailureSetting& setting, const QStringList& learned,
                                          const QStringList& families);

/// The matrices that the model and the models that it was made from have learned from, on any machine.
[[nodiscard]] QStringList learned_by(const std::vector<KnownModel>& models, const QString& model);

} // namespace sparsight

// What is told of a model, as JSON and in a table.
#pragma once

#include "base/observer.h"
#include "command/session.h"
#include "model/checkpoints/checkpoint.h"
#include "model/checkpoints/named_arrays.h"
#include "store/models.h"
#include "study/domain.h"
#include "workflow/learning/fine_tuning/finetune_outcome.h"
#include "workflow/learning/training/training_result.h"

#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// {"ahead": "trees", "model" or null, "points", "test_matrices", "sentence"}; null where one is not known.
[[nodiscard]] Json baseline_json(const BaselineComparison& comparison);

struct ModelFacts {
    ModelRecord record;
    ModelDescription description;
    std::string purpose;             ///< LearningDomain::purpose()
    const Domain* domain = nullptr;  ///< of the model
    bool is_of_first = true;         ///< of the program's first domain, which need not be told
    std::string parent;              ///< its name; empty: none, or not there any more
    BaselineComparison beside_trees; ///< of a network that was trained with trees beside it
};

/// {"name", "architecture", "operator", "operator_is_guessed", "method", "machines", "matrices", "metrics",
/// "parent", "run", "bytes", "created", "test_matrices", "baseline_verdict"}; matrices is their number, in
/// the domain's word, and so is test_matrices, null where it is not known. Of other domains than the
/// program's first one, "domain" as well.
[[nodiscard]] Json model_json(const ModelFacts& model);

/// Where there are models of other domains, with these. Below it what "best of 20" is, who orders fewer pairs
/// than the trees beside it, and whose operator is guessed.
[[nodiscard]] std::string model_table(const std::vector<ModelFacts>& models);

/// "0.873", "1.21×"; "-" where the model has no such metric.
[[nodiscard]] std::string metric_text(const ModelDescription& model, const std::string& metric);

[[nodiscard]] Json outcome_json(const FinetuneOutcome& outcome);
[[nodiscard]] std::string outcome_text(const FinetuneOutcome& outcome);

/// "score = 0.52 · network + 1.3 · ln(milliseconds simulated on laptop, as calibrated, with dense extent
/// 256); 38 % …". The machine may be empty.
[[nodiscard]] std::string blend_sentence(const SimulatorBlend& blend, const std::string& machine);

/// {"residual", "temperature", "reach", "calibrated_on"}; null where the model states no doubt.
[[nodiscard]] Json doubt_json(const std::optional<StatedDoubt>& doubt);
/// {"pairs", "matrices", "error", "uncalibrated_error", "within", "differences", "bins": [{"lowest",
/// "highest", "predicted", "observed", "low", "high", "pairs"}]} with "matrices" in the domain's word; null
/// where it was not checked.
[[nodiscard]] Json reliability_json(const std::optional<Reliability>& reliability, const DomainWords& words);
/// Its sentence, and a line for each bin; empty where it was not checked.
[[nodiscard]] std::string reliability_text(const std::optional<Reliability>& reliability,
                                           const DomainWords& words);

/// [{"parameter", "factor", "low", "high"}]: in what a machine is unlike the simulator of a gray box that was
/// adapted to it, with 95 % intervals; the clearest first.
[[nodiscard]] Json deviations_json(std::span<const NamedArray> weights);
/// The clear ones of them, "acts like 1.4 times chunk_us (1.2 to 1.6)"; empty where there are none.
[[nodiscard]] std::string deviations_text(std::span<const NamedArray> weights);

} // namespace sparsight

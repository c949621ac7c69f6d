// What is told of a model, as JSON and in a table.
#pragma once

#include "command/session.h"
#include "learn/baseline_text.h"
#include "model/model_description.h"
#include "store/models.h"

#include <string>
#include <vector>

namespace sparsight {

struct ModelFacts {
    ModelRecord record;
    ModelDescription description;
    std::string parent;              ///< its name; empty: none, or not there any more
    BaselineComparison beside_trees; ///< of a network that was trained with trees beside it
};

/// What the run that made it found of trees on the same data; nothing is known of a model from a file, and of
/// a fine-tuned one.
[[nodiscard]] Result<BaselineComparison> comparison_with_trees(Workspace& workspace,
                                                               const ModelRecord& model);

/// {"name", "architecture", "operator", "operator_is_guessed", "method", "machines", "matrices", "metrics",
/// "parent", "run", "bytes", "created", "baseline_verdict"}; matrices is their number.
[[nodiscard]] Json model_json(const ModelFacts& model);

/// Below it who orders fewer pairs than the trees beside it, and whose operator is guessed.
[[nodiscard]] std::string model_table(const std::vector<ModelFacts>& models);

/// "0.873", "1.21x"; "-" where the model has no such metric.
[[nodiscard]] std::string metric_text(const ModelDescription& model, const std::string& metric);

} // namespace sparsight

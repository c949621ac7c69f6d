// What is told of a model, as JSON and in a table.
#pragma once

#include "command/session.h"
#include "model/model_description.h"
#include "store/models.h"

#include <string>
#include <vector>

namespace sparsight {

struct ModelFacts {
    ModelRecord record;
    ModelDescription description;
    std::string parent; ///< its name; empty: none, or not there any more
};

/// {"name", "architecture", "operator", "method", "machines", "matrices", "metrics", "parent", "run",
/// "bytes", "created"}; matrices is their number.
[[nodiscard]] Json model_json(const ModelFacts& model);

[[nodiscard]] std::string model_table(const std::vector<ModelFacts>& models);

/// "0.873", "1.21x"; "-" where the model has no such metric.
[[nodiscard]] std::string metric_text(const ModelDescription& model, const std::string& metric);

} // namespace sparsight

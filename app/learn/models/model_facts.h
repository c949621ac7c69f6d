// Who orders more pairs, a network or the boosted trees beside it, for programs and for people.
#pragma once

#include "command/session.h"
#include "learning/training/model_verdicts.h"
#include "model/checkpoints/checkpoint.h"
#include "store/models.h"

#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// What a network and the trees beside it have of the pairs in order, and on how many test matrices.
struct BaselineComparison {
    std::optional<double> model;
    std::optional<double> baseline;
    int test_matrices = 0; ///< 0: not known

    [[nodiscard]] std::optional<BaselineVerdict> verdict() const {
        return baseline_verdict_of(model, baseline);
    }
};

/// What may turn it where the trees are ahead.
inline constexpr const char* what_helps_against_trees =
    "what may turn it: more matrices, --preset best, or finetune, which gives the calibrated simulator a "
    "share; until then --architecture trees makes the model that orders better";

/// Who is ahead, and by how many points. Empty where one is not known.
[[nodiscard]] std::string baseline_finding(const BaselineComparison& comparison);
/// … and what to do about it where the trees are.
[[nodiscard]] std::string baseline_sentence(const BaselineComparison& comparison);

/// {"ahead": "trees", "model" or null, "points", "test_matrices", "sentence"}; null where one is not known.
[[nodiscard]] Json baseline_json(const BaselineComparison& comparison);

// What is told of a model, as JSON and in a table.

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

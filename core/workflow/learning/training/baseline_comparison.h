// Who orders more pairs, a network or the boosted trees beside it.
#pragma once

#include "base/error.h"
#include "learning/training/model_verdicts.h"
#include "store/models.h"

#include <optional>
#include <string>

namespace sparsight {

class Workspace;

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

/// What the run that made it found of trees on the same data; nothing is known of a model from a file, and of
/// a fine-tuned one.
[[nodiscard]] Result<BaselineComparison> comparison_with_trees(Workspace& workspace,
                                                               const ModelRecord& model);

} // namespace sparsight

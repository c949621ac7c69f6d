// Who orders more pairs, a network or the boosted trees beside it, for programs and for people.
#pragma once

#include "command/session.h"
#include "learning/baseline_verdict.h"

#include <optional>
#include <string>

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

} // namespace sparsight

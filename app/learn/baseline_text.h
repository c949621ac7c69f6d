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

/// Who is ahead, by how many points, and what to do about it where the trees are. Empty where one is not
/// known.
[[nodiscard]] std::string baseline_sentence(const BaselineComparison& comparison);

/// {"ahead": "trees", "model" or null, "points", "test_matrices", "sentence"}; null where one is not known.
[[nodiscard]] Json baseline_json(const BaselineComparison& comparison);

} // namespace sparsight

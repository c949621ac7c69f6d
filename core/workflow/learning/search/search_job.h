// A whole search: what a model chooses for matrices, told and kept matrix by matrix.
#pragma once

#include "base/observer.h"
#include "domains/sparse/schedule/operator.h"
#include "workflow/learning/search/matrix_choice.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class LearningDomains;
class Workspace;

struct SearchRequest {
    std::string model;
    std::vector<std::string> matrices;
    ChoiceSettings choice;
    std::optional<ChoiceMethod> method; ///< nothing: what suits the machine, or is sooner
    std::int64_t dense = 256;
    std::uint64_t seed = 1;
    std::string machine;             ///< name or fingerprint; empty: this computer
    std::optional<std::int64_t> run; ///< with which choices are kept
};

struct SearchedMatrix {
    std::string name;
    MatrixChoice choice;
};

struct FailedSearch {
    std::string matrix;
    std::string error;
};

struct SearchOutcome {
    std::string model;
    Operator op = Operator::SpMM;
    std::int64_t dense = 1; ///< extent; 1 for SpMV
    std::vector<SearchedMatrix> matrices;
    std::vector<FailedSearch> failures; ///< matrices that could not be searched

    [[nodiscard]] bool has_chosen_for_all() const { return failures.empty(); }
};

/// `on_choice` is called matrix by matrix. A matrix that can't be read is a failure of its own; errors are
/// what keeps all from being searched.
[[nodiscard]] Result<SearchOutcome> run_search(Workspace& workspace, const LearningDomains& domains,
                                               const SearchRequest& request, Observer& observer,
                                               const std::function<void(const SearchedMatrix&)>& on_choice,
                                               const std::stop_token& stop);

} // namespace sparsight

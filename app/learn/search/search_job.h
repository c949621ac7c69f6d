// A whole search: what a model chooses for matrices, told and kept matrix by matrix.
#pragma once

#include "command/job.h"
#include "workflow/learning/search/matrix_choice.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct SearchRequest {
    std::string model;
    std::vector<std::string> matrices;
    ChoiceSettings choice;
    std::optional<ChoiceMethod> method; ///< nothing: what suits the machine, or is sooner
    std::int64_t dense = 256;
    std::string machine;             ///< name or fingerprint; empty: this computer
    std::optional<std::int64_t> run; ///< with which choices are kept
};

struct SearchOutcome {
    Json answer; ///< as --json prints it

    /// Otherwise "failures" tells of the others.
    [[nodiscard]] bool has_chosen_for_all() const;
};

/// Tells its events but the end. A matrix that can't be read is a failure of its own; errors are what keeps
/// all from being searched.
[[nodiscard]] Result<SearchOutcome> run_search(Session& session, JobEvents& events,
                                               const SearchRequest& request, Workspace& workspace,
                                               const std::stop_token& stop);

} // namespace sparsight

// Runs a search: a model chooses configurations for each workload; each choice is reported and stored at
// once.
#pragma once

#include "base/observer.h"
#include "learning/learning_domain.h"
#include "workflow/chosen_setting.h"
#include "workflow/learning/search/workload_choice.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct SearchRequest {
    std::string model;
    std::vector<std::string> workloads;
    ChoiceSettings choice;
    std::optional<ChoiceMethod> method; ///< absent: what suits domain and machine, or is faster
    SettingChoice setting;              ///< supplies what the model leaves open
    std::uint64_t seed = 1;
    std::string machine;             ///< name or fingerprint; empty: this computer
    std::optional<std::int64_t> run; ///< run in which choices are stored; absent: none
};

struct SearchedWorkload {
    std::string name;
    WorkloadChoice choice;
    /// The time of each candidate on the machine, in a domain that chooses among recorded configurations;
    /// otherwise empty.
    std::vector<std::optional<double>> recorded_ms{};
};

struct FailedSearch {
    std::string workload;
    std::string error;
};

struct SearchOutcome {
    std::string model;
    const Domain* domain = nullptr; ///< domain of the model
    Setting setting;
    std::shared_ptr<const ConfigurationCodec> codec;
    std::vector<SearchedWorkload> workloads{};
    std::vector<FailedSearch> failures{}; ///< workloads that could not be searched

    [[nodiscard]] bool has_chosen_for_all() const { return failures.empty(); }
};

/// `on_choice` is called after each workload with the results so far; the last one is new. A workload that
/// can't be read becomes a failure of its own; an error is a reason that no workload can be searched.
[[nodiscard]] Result<SearchOutcome> run_search(Workspace& workspace, const LearningDomains& domains,
                                               const SearchRequest& request, Observer& observer,
                                               const std::function<void(const SearchOutcome&)>& on_choice,
                                               const std::stop_token& stop);

} // namespace sparsight

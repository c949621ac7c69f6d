// Failures of models as a page: how many choices fail, what they have in common, and each case.
#pragma once

#include "evaluation/failures/failure_groups.h"
#include "study/domain.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sparsight {

struct FailureSummary {
    std::string title;
    std::string setting; ///< one sentence: models, workloads, setting, machine
    DomainWords words{};
    std::size_t compared = 0; ///< choices, over all models, failures or not
    std::vector<FailureCase> cases{};
    std::vector<FailureGroup> groups{};
    std::string family_title{}; ///< what the families of workloads are families of; empty: not shown
    std::vector<std::string> remarks{};
    /// The anchor of what more the page has of a case; empty where it has nothing. May be absent.
    std::function<std::string(const FailureCase& failure)> anchor{};
    std::string sections{}; ///< HTML, behind the cases
    std::string machine{};  ///< whose times these are
    std::uint64_t seed = 1;
    std::string date{};       ///< UTC, ISO 8601; may be empty
    std::string created_by{}; ///< program and version
    std::string command{};    ///< that gives the same page again
};

/// A whole page.
[[nodiscard]] std::string failure_summary_html(const FailureSummary& summary);

} // namespace sparsight

#include "workflow/evaluation/earlier_evaluation.h"

#include "evaluation/evaluation_parameters.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>

namespace sparsight {

namespace {

constexpr const char* workloads_member = "matrices"; // as every version has called them

Json member_of(const Json& parameters, const std::string& member) {
    const auto found = parameters.find(member);
    return found == parameters.end() ? Json() : *found;
}

/// The names or numbers of a list, whose order does not matter.
std::multiset<std::string> items_of(const Json& list) {
    std::multiset<std::string> items;
    for (const Json& item : list)
        items.insert(item.dump());
    return items;
}

bool is_list(const std::string& member) {
    return member == "models" || member == "model_ids" || member == workloads_member;
}

bool is_alike(const Json& one, const Json& other, const std::string& member) {
    const Json first = member_of(one, member);
    const Json second = member_of(other, member);
    return is_list(member) ? items_of(first) == items_of(second) : first == second;
}

std::string told(const Json& value) {
    if (value.is_null() || value == "")
        return "the default";
    return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string difference_in(const std::string& member, const Json& before, const Json& now,
                          const EvaluationPlan& plan) {
    if (member == "model_ids")
        return "models (trained anew since)";
    if (member == workloads_member)
        return before.size() == now.size()
                   ? fmt::format("{} (others)", plan.domain->words().workload.many)
                   : fmt::format("{} ({}, now {})", plan.domain->words().workload.many, before.size(),
                                 now.size());
    return fmt::format("{} ({}, now {})", member, told(before), told(now));
}

std::vector<std::string> differences_of(const Json& before, const Json& now, const EvaluationPlan& plan) {
    std::set<std::string> members;
    for (const Json* const parameters : {&before, &now})
        for (const auto& [member, value] : parameters->items())
            members.insert(member);
    // Runs that were stored before there were several domains do not name theirs.
    if (!before.contains("domain"))
        members.erase("domain");
    std::vector<std::string> differences;
    for (const std::string& member : members)
        if (!is_alike(before, now, member))
            differences.push_back(
                difference_in(member, member_of(before, member), member_of(now, member), plan));
    return differences;
}

} // namespace

Result<std::optional<EarlierEvaluation>>
find_earlier_evaluation(Workspace& workspace, const EvaluationPlan& plan, const Json& parameters) {
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    std::optional<EarlierEvaluation> other;
    for (const RunRecord& run : std::views::reverse(*runs)) {
        if (run.kind != "evaluate")
            continue;
        const Json before = parameters_of(run);
        if (!is_alike(before, parameters, "models") || !is_alike(before, parameters, "machine") ||
            !is_of(before, *plan.domain))
            continue;
        auto differences = differences_of(before, parameters, plan);
        if (differences.empty())
            return EarlierEvaluation{run, {}};
        if (!other && run.state == RunState::Finished)
            other = EarlierEvaluation{run, std::move(differences)};
    }
    return other;
}

void order_as_in(const RunRecord& earlier, std::vector<WorkloadRecord>& workloads) {
    const Json names = member_of(parameters_of(earlier), workloads_member);
    std::ranges::stable_sort(workloads, {}, [&](const WorkloadRecord& each) {
        return std::distance(names.begin(), std::find(names.begin(), names.end(), each.name));
    });
}

std::string to_text(const EarlierEvaluation& earlier) {
    // 2026-11-26T02:17:58.515Z
    const std::string_view started = earlier.run.started;
    const std::string when =
        fmt::format("{} {} UTC", started.substr(0, 10), started.size() > 16 ? started.substr(11, 5) : "");
    if (!earlier.is_same())
        return fmt::format("this evaluation is a new one: the stored one of {} differs in {}", when,
                           fmt::join(earlier.differences, ", "));
    return earlier.run.state == RunState::Finished
               ? fmt::format("these are the figures of the evaluation of {}; --again does it anew", when)
               : "";
}

} // namespace sparsight

#include "domains/blocks/models/error_groups.h"

#include "base/text.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace sparsight {
namespace {

struct Members {
    std::vector<double> predicted;
    std::vector<double> measured;

    void add(const PredictedCase& one) {
        predicted.push_back(one.predicted);
        measured.push_back(one.measured);
    }
};

std::vector<ErrorGroup> groups_from(const std::map<std::string, Members>& members) {
    std::vector<ErrorGroup> groups;
    for (const auto& [name, of] : members) {
        const auto errors = prediction_errors(of.predicted, of.measured);
        if (!errors)
            continue;
        double bias = 0;
        for (std::size_t at = 0; at < of.measured.size(); ++at)
            bias += (of.predicted[at] - of.measured[at]) / of.measured[at];
        groups.push_back({name, *errors, bias / static_cast<double>(of.measured.size())});
    }
    std::ranges::stable_sort(groups, std::greater(),
                             [](const ErrorGroup& group) { return group.errors.mean; });
    return groups;
}

} // namespace

std::vector<std::string> applications_of(std::string_view text) {
    std::vector<std::string> applications;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        if (const std::string_view one = trimmed(text.substr(0, end)); !one.empty())
            applications.emplace_back(one);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return applications;
}

ErrorGroups error_groups(std::span<const PredictedCase> cases) {
    std::map<std::string, Members> all;
    std::map<std::string, Members> by_class;
    std::map<std::string, Members> by_application;
    for (const PredictedCase& one : cases) {
        all["all blocks"].add(one);
        for (const InstructionClass each : one.classes)
            by_class[std::string(name(each))].add(one);
        for (const std::string& each : one.applications)
            by_application[each].add(one);
    }
    return {groups_from(all), groups_from(by_class), groups_from(by_application)};
}

} // namespace sparsight

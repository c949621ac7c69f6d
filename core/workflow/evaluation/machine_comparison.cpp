#include "workflow/evaluation/machine_comparison.h"

#include "base/text.h"
#include "store/machines.h"
#include "store/workloads.h"
#include "study/nicknames.h"
#include "workflow/evaluation/stored_results.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace sparsight {

namespace {

using ComparableTimes = std::vector<std::vector<ResultRecord>>;

/// The only workload with times, where nobody names one.
Result<std::string> chosen_workload(Workspace& workspace, const Domain& domain, const std::string& named) {
    if (!named.empty())
        return named;
    const auto known = list_workloads(workspace, domain.name());
    if (!known)
        return std::unexpected(known.error());
    std::vector<std::string> names;
    for (const WorkloadRecord& workload : *known)
        names.push_back(workload.name);
    if (names.size() == 1)
        return names.front();
    return fail(Fault::Input, names.empty()
                                  ? fmt::format("the workspace has no {}", domain.words().workload.one)
                                  : fmt::format("expected a {} (--workload), one of: {}",
                                                domain.words().workload.one, list_known(names, "")));
}

/// Keeps the sets of the machines that were named.
Result<void> keep_machines(Workspace& workspace, const std::vector<std::string>& named,
                           ComparableTimes& sets) {
    if (named.empty())
        return {};
    std::set<std::string> fingerprints;
    for (const std::string& name : named) {
        const auto machine = require_machine(workspace, name);
        if (!machine)
            return std::unexpected(machine.error());
        fingerprints.insert(machine->fingerprint);
    }
    std::erase_if(sets, [&](const std::vector<ResultRecord>& set) {
        return !fingerprints.contains(set.front().machine_fingerprint);
    });
    return {};
}

/// The setting in which most machines have times, then most times.
Setting usual_setting(const ComparableTimes& sets) {
    struct Count {
        std::set<std::string> machines;
        std::size_t times = 0;
        Setting setting;
    };
    std::map<std::string, Count> counts;
    for (const std::vector<ResultRecord>& set : sets) {
        Count& count = counts[set.front().setting.text];
        count.machines.insert(set.front().machine_fingerprint);
        count.times += set.size();
        count.setting = set.front().setting;
    }
    const auto most = std::ranges::max_element(counts, {}, [](const auto& each) {
        return std::pair(each.second.machines.size(), each.second.times);
    });
    return most->second.setting;
}

Result<Setting> kept_setting(Workspace& workspace, const Domain& domain,
                             const MachineComparisonRequest& request, ComparableTimes& sets,
                             std::vector<std::string>& notes) {
    std::set<std::string> known;
    for (const std::vector<ResultRecord>& set : sets)
        known.insert(domain.describe(set.front().setting));
    Setting setting = usual_setting(sets);
    const bool is_chosen = !request.setting.text.empty() || !request.setting.options.empty();
    if (is_chosen) {
        auto chosen = choose_setting_of(workspace, domain, request.setting);
        if (!chosen)
            return chosen;
        setting = *std::move(chosen);
    }
    std::erase_if(sets, [&](const auto& set) { return set.front().setting != setting; });
    if (sets.empty())
        return fail(Fault::Input, fmt::format("there are no times of {}; there are times of {}",
                                              domain.describe(setting), fmt::join(known, "; ")));
    if (!is_chosen && known.size() > 1) {
        known.erase(domain.describe(setting));
        notes.push_back(fmt::format("Compared by {}; there are also times of {}.", domain.describe(setting),
                                    fmt::join(known, "; ")));
    }
    return setting;
}

/// Of each machine and condition the largest set: times of other protocols or numbers of threads do not
/// compare with these. The largest stand first.
void keep_largest(ComparableTimes& sets, std::vector<std::string>& notes) {
    std::set<std::pair<std::string, std::string>> seen;
    const auto removed = std::erase_if(sets, [&](const std::vector<ResultRecord>& set) {
        return !seen.emplace(set.front().machine_fingerprint, set.front().condition).second;
    });
    if (removed > 0)
        notes.push_back(fmt::format("Left out {} of other protocols or numbers of threads.",
                                    counted(removed, "set of times", "sets of times")));
}

/// In the order of the workspace's machines, so that the answer does not depend on ties.
void sort_by_machine(ComparableTimes& sets) {
    std::ranges::stable_sort(sets, {}, [](const std::vector<ResultRecord>& set) {
        return std::tie(set.front().machine, set.front().machine_fingerprint, set.front().condition);
    });
}

std::vector<std::string> labels_of(const ComparableTimes& sets) {
    std::map<std::string, int> of_name;
    std::map<std::string, int> of_machine;
    for (const std::vector<ResultRecord>& set : sets)
        if (of_machine[set.front().machine_fingerprint]++ == 0)
            ++of_name[set.front().machine];
    std::vector<std::string> labels;
    for (const std::vector<ResultRecord>& set : sets) {
        const ResultRecord& first = set.front();
        std::string label = first.machine;
        if (of_name[first.machine] > 1)
            label += fmt::format(" [{}]", first.machine_fingerprint);
        if (of_machine[first.machine_fingerprint] > 1)
            label += first.condition.empty() ? " (no condition)" : fmt::format(" ({})", first.condition);
        labels.push_back(std::move(label));
    }
    return labels;
}

constexpr double never = std::numeric_limits<double>::quiet_NaN();
constexpr double did_not_run = std::numeric_limits<double>::infinity();

/// The configurations of all sets, each with its place. A text may name the threads of its machine as well.
class ConfigurationPlaces {
public:
    explicit ConfigurationPlaces(std::shared_ptr<const ConfigurationCodec> codec)
        : codec_(std::move(codec)) {}

    /// Absent where the text is none of a configuration.
    std::optional<std::size_t> of(const std::string& text) {
        const auto parsed = codec_->parse(text);
        if (!parsed)
            return std::nullopt;
        const auto [known, is_new] = places_.try_emplace(parsed->configuration, texts_.size());
        if (is_new)
            texts_.push_back(text);
        return known->second;
    }
    [[nodiscard]] std::size_t size() const { return texts_.size(); }
    std::vector<std::string> take_texts() { return std::move(texts_); }

private:
    std::shared_ptr<const ConfigurationCodec> codec_;
    std::unordered_map<Configuration, std::size_t> places_;
    std::vector<std::string> texts_;
};

std::vector<double> times_by_place(const std::vector<ResultRecord>& set, ConfigurationPlaces& places) {
    std::vector<double> times;
    for (const ResultRecord& result : set) {
        const auto found = places.of(result.configuration);
        if (!found)
            continue;
        const std::size_t place = *found;
        if (place >= times.size())
            times.resize(places.size(), never);
        const bool has_run = result.status == MeasurementStatus::Measured && result.median_ms;
        const double time = has_run ? *result.median_ms : did_not_run;
        times[place] = std::isnan(times[place]) ? time : std::min(times[place], time);
    }
    return times;
}

ComparedMachine described(const std::vector<ResultRecord>& set, std::string label,
                          const std::vector<double>& times) {
    const ResultRecord& first = set.front();
    ComparedMachine machine;
    machine.name = first.machine;
    machine.label = std::move(label);
    machine.fingerprint = first.machine_fingerprint;
    machine.condition = first.condition;
    machine.protocol = first.protocol;
    machine.threads = first.threads;
    machine.tried = std::ranges::count_if(times, [](double time) { return !std::isnan(time); });
    machine.ran = std::ranges::count_if(times, [](double time) { return std::isfinite(time); });
    const ResultRecord* best = &first; // by its time: lists of results may go by speedups
    for (const ResultRecord& result : set)
        if (result.status == MeasurementStatus::Measured && result.median_ms < best->median_ms)
            best = &result;
    machine.best_ms = best->median_ms.value_or(0);
    machine.best = best->configuration;
    machine.family = best->family;
    return machine;
}

void add_nicknames(const Domain& domain, const Setting& setting, std::vector<ComparedMachine>& machines) {
    std::vector<std::string> texts;
    for (const ComparedMachine& machine : machines)
        texts.push_back(machine.best);
    std::vector<std::string> names = nicknames(domain, setting, texts);
    for (std::size_t place = 0; place < machines.size(); ++place)
        machines[place].nickname = std::move(names[place]);
}

} // namespace

Result<MachineComparison> compare_machines(Workspace& workspace, const Domain& domain,
                                           const MachineComparisonRequest& request,
                                           const std::stop_token& stop) {
    const auto workload = chosen_workload(workspace, domain, request.workload);
    if (!workload)
        return std::unexpected(workload.error());
    auto results = find_results(workspace, domain, {.workload = *workload});
    if (!results)
        return std::unexpected(std::move(results).error());
    MachineComparison comparison;
    comparison.workload = *workload;
    if (std::string damaged = damaged_sentence(*results); !damaged.empty())
        comparison.notes.push_back(std::move(damaged));
    ComparableTimes sets = comparable_results(*std::move(results));
    std::erase_if(sets, [](const std::vector<ResultRecord>& set) {
        return set.front().status != MeasurementStatus::Measured || !set.front().median_ms;
    });
    if (auto kept = keep_machines(workspace, request.machines, sets); !kept)
        return std::unexpected(std::move(kept).error());
    if (!sets.empty()) {
        auto setting = kept_setting(workspace, domain, request, sets, comparison.notes);
        if (!setting)
            return std::unexpected(std::move(setting).error());
        comparison.setting = *std::move(setting);
    }
    keep_largest(sets, comparison.notes);
    if (sets.size() < 2)
        return fail(Fault::Input,
                    fmt::format("machines are compared by times of two or more: {} has times of {}",
                                *workload, sets.empty() ? "none" : sets.front().front().machine));
    sort_by_machine(sets);
    std::vector<std::string> labels = labels_of(sets);
    auto codec = domain.codec(sets.front().front().setting);
    if (!codec)
        return std::unexpected(std::move(codec).error());
    ConfigurationPlaces places(*std::move(codec));
    std::vector<std::vector<double>> times;
    std::vector<ComparedMachine> machines;
    for (std::size_t place = 0; place < sets.size(); ++place) {
        times.push_back(times_by_place(sets[place], places));
        machines.push_back(described(sets[place], std::move(labels[place]), times.back()));
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped");
    }
    add_nicknames(domain, sets.front().front().setting, machines);
    const MachineMatrix matrix = machine_matrix(times);
    const std::vector<std::size_t> order = similarity_order(matrix);
    comparison.matrix = reordered(matrix, order);
    for (const std::size_t place : order)
        comparison.machines.push_back(std::move(machines[place]));
    comparison.configurations = places.take_texts();
    return comparison;
}

} // namespace sparsight

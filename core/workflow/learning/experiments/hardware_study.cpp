#include "workflow/learning/experiments/hardware_study.h"

#include "base/digest.h"
#include "store/machines.h"
#include "store/workspace.h"
#include "workflow/learning/experiments/experiment_data.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <iterator>
#include <ranges>
#include <utility>

namespace sparsight {
namespace {

constexpr std::size_t fewest_machines = 3;

bool is_layer(std::span<const Network> networks, std::string_view workload) {
    return std::ranges::any_of(networks, [&](const Network& network) {
        return std::ranges::find(network.layers, workload, &NetworkLayer::workload) != network.layers.end();
    });
}

Result<void> read_spaces(Workspace& workspace, const LearningDomain& domain, const HardwareRequest& request,
                         std::span<const Network> networks, HardwareStudy& study, Observer& observer,
                         const std::stop_token& stop) {
    const auto settings = settings_with_times(workspace, domain.domain(), request.settings);
    if (!settings)
        return std::unexpected(settings.error());
    for (const Setting& setting : *settings) {
        const auto tasks =
            domain.tasks(workspace, {.setting = setting, .threads = request.threads}, stop, observer.sink());
        if (!tasks)
            return std::unexpected(tasks.error());
        const auto codec = domain.domain().codec(setting);
        if (!codec)
            return std::unexpected(codec.error());
        std::ranges::move(timed_spaces(tasks->set, **codec, fewest_machines),
                          std::back_inserter(study.spaces));
        for (std::size_t workload = 0; workload < tasks->set.workloads.size(); ++workload)
            if (request.tuning > 0 && is_layer(networks, tasks->set.workloads[workload].name))
                study.layers.push_back(timed_space(tasks->set, **codec, workload));
    }
    add_kin(study.spaces);
    return {};
}

/// Empty: all.
Result<std::vector<std::string>> named_targets(Workspace& workspace, const HardwareRequest& request) {
    const auto targets = rejoined_machines(workspace, request.targets);
    if (!targets)
        return std::unexpected(targets.error());
    std::vector<std::string> named;
    for (const std::string& target : *targets) {
        auto machine = require_machine(workspace, target);
        if (!machine)
            return std::unexpected(std::move(machine).error());
        named.push_back(machine->name);
    }
    return named;
}

HardwarePair pair_of(const TransferTarget& target, const KnownSheets& sheets, bool with_order) {
    const TimedColumn& truth = target.truth();
    HardwarePair pair{.setting = target.space.setting,
                      .workload = target.space.workload,
                      .machine = truth.task,
                      .configurations = static_cast<std::size_t>(std::ranges::count_if(
                          truth.milliseconds, [](double time) { return time == time; })),
                      .sources = target.sources.size(),
                      .best = truth.best(),
                      .headroom = truth.median() / truth.best(),
                      .nearest = {},
                      .most_alike = {}};
    double highest = -2;
    for (const std::size_t source : target.sources) {
        const TimedColumn& column = target.space.columns[source];
        const double distance = sheets.distance(column.machine, truth.machine);
        if (pair.nearest.empty() || distance < pair.distance) {
            pair.nearest = column.task;
            pair.distance = distance;
        }
        if (!with_order)
            continue;
        if (const double tau = likeness_by_order(truth, column); tau > highest) {
            highest = pair.tau = tau;
            pair.most_alike = column.task;
        }
    }
    return pair;
}

/// The others teach what they have in common with these.
Result<void> check_workloads(const std::vector<std::string>& named, const HardwareStudy& study) {
    for (const std::string& name : named)
        if (std::ranges::find(study.spaces, name, &TimedSpace::workload) == study.spaces.end())
            return fail(Fault::Input, fmt::format("no workload '{}' has times of {} machines, which transfer "
                                                  "between machines needs",
                                                  name, fewest_machines));
    return {};
}

bool is_among(const std::vector<std::string>& named, const std::string& name) {
    return named.empty() || std::ranges::find(named, name) != named.end();
}

void choose_targets(const HardwareRequest& request, const std::vector<std::string>& machines,
                    HardwareStudy& study, HardwareOutcome& outcome) {
    for (const TimedSpace& space : study.spaces) {
        if (!is_among(request.workloads, space.workload))
            continue;
        for (std::size_t column = 0; column < space.columns.size(); ++column) {
            if (!is_among(machines, space.columns[column].machine))
                continue;
            TransferTarget target{space, column, sources_of(space, column)};
            if (is_flat(target.truth())) {
                outcome.flat.push_back(pair_of(target, study.sheets, false));
                continue;
            }
            outcome.pairs.push_back(pair_of(target, study.sheets, true));
            study.targets.push_back(std::move(target));
        }
    }
}

void choose_networks(std::span<const Network> networks, const std::vector<std::string>& named, double share,
                     HardwareStudy& study) {
    for (NetworkTarget& target : network_targets(study.layers, networks, share)) {
        const TimedColumn& column = target.tasks.front().target.truth();
        if (is_among(named, column.machine))
            study.networks.push_back(std::move(target));
    }
}

} // namespace

Result<void> read_hardware_study(Workspace& workspace, const LearningDomain& domain,
                                 const HardwareRequest& request, HardwareStudy& study,
                                 HardwareOutcome& outcome, Observer& observer, const std::stop_token& stop) {
    auto sheets = known_sheets(workspace);
    if (!sheets)
        return std::unexpected(std::move(sheets).error());
    study.sheets = *std::move(sheets);
    if (!request.networks.empty() && (request.tuning == 0 || !request.workloads.empty()))
        return fail(Fault::Input,
                    fmt::format("the networks of {} would not be tuned: expected a tuning above "
                                "0, and no choice of workloads",
                                request.networks));
    const auto known_ones = known_networks();
    const auto networks = request.networks.empty()
                              ? Result<std::vector<Network>>({known_ones.begin(), known_ones.end()})
                              : read_networks(request.networks);
    if (!networks)
        return std::unexpected(networks.error());
    if (auto read = read_spaces(workspace, domain, request, *networks, study, observer, stop); !read)
        return read;
    const auto named = named_targets(workspace, request);
    if (!named)
        return std::unexpected(named.error());
    if (auto known = check_workloads(request.workloads, study); !known)
        return known;
    choose_targets(request, *named, study, outcome);
    if (request.workloads.empty())
        choose_networks(*networks, *named, request.significant, study);
    if (!request.networks.empty() && study.networks.empty())
        return fail(Fault::Input, fmt::format("no machine has times of two layers of a network of {}; layers "
                                              "are named as the workloads",
                                              request.networks));
    if (!study.targets.empty() || !study.networks.empty())
        return {};
    if (study.spaces.empty())
        return fail(Fault::Input, fmt::format("no workload has times of {} machines, which transfer between "
                                              "machines needs",
                                              fewest_machines));
    return fail(Fault::Input, "no machine is left to transfer to: on all, most configurations are about "
                              "as fast as the best");
}

std::uint64_t digest_of(const std::vector<TimedSpace>& spaces, const KnownSheets& sheets) {
    Digest digest;
    for (const TimedSpace& space : spaces) {
        digest.add(std::string_view(space.workload));
        for (const TimedColumn& column : space.columns) {
            digest.add(std::string_view(column.task));
            for (const float number : sheets.scale.masked_numbers(sheets.of(column.machine)))
                digest.add(std::uint64_t{std::bit_cast<std::uint32_t>(number)});
            for (const auto& [fact, text] : sheets.of(column.machine).texts) {
                digest.add(std::string_view(fact));
                digest.add(std::string_view(text));
            }
            for (const double time : column.milliseconds)
                digest.add(std::bit_cast<std::uint64_t>(time));
        }
        for (const std::string& decision : space.decisions)
            digest.add(std::string_view(decision));
        for (const auto& values : space.values)
            for (const std::string& value : values)
                digest.add(std::string_view(value));
        for (const auto& row : space.choices)
            for (const std::uint16_t choice : row)
                digest.add(std::uint64_t{choice});
    }
    return digest.value();
}

} // namespace sparsight

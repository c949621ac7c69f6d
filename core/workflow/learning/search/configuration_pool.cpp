#include "workflow/learning/search/configuration_pool.h"

#include "learning/tasks/stored_tasks.h"
#include "machine/probe/probe.h"
#include "store/machines.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sparsight {

namespace {

/// Those that are new, in the order in which they came.
class Pool {
public:
    void add(const Configuration& configuration) {
        if (seen_.insert(configuration).second)
            configurations_.push_back(configuration);
    }
    [[nodiscard]] std::size_t size() const { return configurations_.size(); }
    [[nodiscard]] std::vector<Configuration> take() { return std::move(configurations_); }

private:
    std::vector<Configuration> configurations_;
    std::unordered_set<Configuration> seen_;
};

bool is_timed(const ListedRuntime& runtime) {
    return runtime.status == MeasurementStatus::Measured && runtime.median_ms.has_value();
}

/// Of each in RuntimeList::configurations. An error names the file and the text, which another program must
/// have written.
Result<std::vector<Configuration>> parsed(const Workspace& workspace, const Domain& domain,
                                          const Setting& setting, const RuntimeList& list) {
    const auto codec = domain.codec(setting);
    if (!codec)
        return std::unexpected(codec.error());
    std::vector<Configuration> configurations;
    configurations.reserve(list.configurations.size());
    for (const WrittenConfiguration& written : list.configurations) {
        auto configuration = (*codec)->parse(written.text);
        if (!configuration)
            return fail_in_file(Fault::Input, workspace.path().string(), 0,
                                fmt::format("the {} \"{}\" of {} can't be read: {}",
                                            domain.words().configuration.one, written.text,
                                            written.family.empty() ? setting.text : written.family,
                                            configuration.error().message));
        configurations.push_back(std::move(configuration->configuration));
    }
    return configurations;
}

/// In an order that more runtimes of one machine do not change for the others.
void sort(std::vector<CountedRuntimes>& sources) {
    std::ranges::sort(sources, {}, [](const CountedRuntimes& counted) {
        const RuntimeQuery& query = counted.query;
        return std::tuple(query.machine, query.protocol, query.condition, query.threads);
    });
}

/// Of the workloads that enough is known of. Those that need what was recorded give no neighbours.
Result<std::unordered_map<WorkloadId, std::shared_ptr<const ConfigurationSpace>>>
known_spaces(Workspace& workspace, const Domain& domain, const Setting& setting) {
    const auto workloads = list_workloads(workspace, domain.name());
    if (!workloads)
        return std::unexpected(workloads.error());
    std::unordered_map<WorkloadId, std::shared_ptr<const ConfigurationSpace>> known;
    for (const WorkloadRecord& workload : *workloads)
        if (auto space = space_of(domain, setting, workload, {}))
            known.emplace(workload.id, *std::move(space));
    return known;
}

/// give(giver, turn) says whether this one has more to give. Round and round, until nobody has or `is_full`.
template <typename Givers, typename Give, typename Full>
void take_turns(const Givers& givers, const Give& give, const Full& is_full) {
    bool goes_on = true;
    for (std::size_t turn = 0; goes_on; ++turn) {
        goes_on = false;
        for (const auto* giver : givers) {
            if (is_full())
                return;
            goes_on = give(*giver, turn) || goes_on;
        }
    }
}

} // namespace

Result<std::map<WorkloadId, std::vector<Configuration>>>
recorded_configurations(Workspace& workspace, const Domain& domain, const RuntimeQuery& query) {
    const auto list = list_runtimes(workspace, query);
    if (!list)
        return std::unexpected(list.error());
    const auto configurations = parsed(workspace, domain, query.setting, *list);
    if (!configurations)
        return std::unexpected(configurations.error());
    std::map<WorkloadId, Pool> pools;
    for (const ListedRuntime& runtime : list->runtimes)
        pools[runtime.workload].add((*configurations)[runtime.configuration]);
    std::map<WorkloadId, std::vector<Configuration>> recorded;
    for (auto& [workload, pool] : pools)
        recorded.emplace(workload, pool.take());
    return recorded;
}

Result<std::shared_ptr<const ConfigurationSpace>> space_of(const Domain& domain, const Setting& setting,
                                                           const WorkloadRecord& workload,
                                                           std::span<const Configuration> recorded) {
    auto facts = fact_numbers(workload);
    if (!facts)
        return std::unexpected(std::move(facts).error());
    SpaceRequest request{.setting = setting, .facts = *std::move(facts)};
    if (!recorded.empty()) {
        const auto codec = domain.codec(setting);
        if (!codec)
            return std::unexpected(codec.error());
        for (const Configuration& each : recorded)
            request.recorded.push_back((*codec)->text(each, 1));
    }
    return domain.space(request);
}

Result<ConfigurationPools> ConfigurationPools::read(Workspace& workspace, const Domain& domain,
                                                    const PoolRequest& request) {
    auto sources = count_runtimes(workspace, request.setting);
    if (!sources)
        return std::unexpected(std::move(sources).error());
    sort(*sources);
    const auto spaces = known_spaces(workspace, domain, request.setting);
    if (!spaces)
        return std::unexpected(spaces.error());
    ConfigurationPools pools;
    pools.request_ = request;
    for (const CountedRuntimes& counted : *sources) {
        auto list = list_runtimes(workspace, counted.query);
        if (!list)
            return std::unexpected(std::move(list).error());
        const auto configurations = parsed(workspace, domain, request.setting, *list);
        if (!configurations)
            return std::unexpected(configurations.error());
        std::ranges::stable_sort(list->runtimes, {}, [](const ListedRuntime& each) {
            return std::tuple(each.workload, !is_timed(each), is_timed(each) ? *each.median_ms : 0.0);
        });
        for (const ListedRuntime& runtime : list->runtimes) {
            if (pools.givers_.empty() || pools.givers_.back().workload != runtime.workload ||
                &runtime == &list->runtimes.front()) {
                Giver giver;
                giver.workload = runtime.workload;
                giver.is_first = counted.query.machine == request.machine;
                if (const auto space = spaces->find(runtime.workload); space != spaces->end())
                    giver.space = space->second;
                pools.givers_.push_back(std::move(giver));
            }
            Giver& giver = pools.givers_.back();
            giver.configurations.push_back((*configurations)[runtime.configuration]);
            giver.measured += is_timed(runtime) ? 1 : 0;
        }
    }
    return pools;
}

std::vector<Configuration> ConfigurationPools::pool_for(const ConfigurationSpace& searched,
                                                        const std::set<WorkloadId>& without) const {
    Pool pool;
    if (const auto baseline = searched.baseline())
        pool.add(*baseline);
    std::vector<const Giver*> firsts;
    std::vector<const Giver*> others;
    for (const Giver& giver : givers_)
        if (!without.contains(giver.workload))
            (giver.is_first ? firsts : others).push_back(&giver);
    const auto give_collected = [&](const Giver& giver, std::size_t turn) {
        if (turn < giver.configurations.size())
            pool.add(giver.configurations[turn]);
        return turn + 1 < giver.configurations.size();
    };
    const auto give_neighbours = [&](const Giver& giver, std::size_t turn) {
        const std::size_t best = giver.space ? std::min(best_of_a_workload, giver.measured) : 0;
        if (turn < best)
            for (const Configuration& neighbour : giver.space->neighbours(giver.configurations[turn]))
                if (pool.size() < request_.largest)
                    pool.add(neighbour);
        return turn + 1 < best;
    };
    for (const auto* givers : {&firsts, &others})
        take_turns(*givers, give_collected, [&] { return pool.size() >= request_.largest / 2; });
    for (const auto* givers : {&firsts, &others})
        take_turns(*givers, give_neighbours, [&] { return pool.size() >= request_.largest; });
    if (pool.size() < fewest_in_pool) {
        Random random(request_.seed);
        for (const Configuration& drawn : searched.customary_sample(fewest_in_pool, random))
            pool.add(drawn);
    }
    return pool.take();
}

bool ConfigurationPools::knows(WorkloadId workload) const {
    return std::ranges::find(givers_, workload, &Giver::workload) != givers_.end();
}

std::vector<Configuration> ConfigurationPools::recorded_of(WorkloadId workload) const {
    const bool is_known = knows(workload);
    std::vector<Configuration> recorded;
    for (const Giver& giver : givers_)
        if (!is_known || giver.workload == workload)
            recorded.insert(recorded.end(), giver.configurations.begin(), giver.configurations.end());
    std::ranges::sort(recorded);
    const auto repeated = std::ranges::unique(recorded);
    recorded.erase(repeated.begin(), repeated.end());
    return recorded;
}

namespace {

Result<std::optional<MachineRecord>> this_computer(Workspace& workspace) {
    ProbeOptions facts_alone;
    facts_alone.measure = false;
    const auto facts = probe_this_computer(facts_alone);
    if (!facts)
        return std::nullopt;
    return find_machine(workspace, facts->fingerprint());
}

/// A machine that a user names, perhaps with a condition, and what it has runtimes of in the setting.
struct NamedMachine {
    MachineRecord record;
    std::optional<RuntimeQuery> recorded; ///< with the most runtimes
};

Result<NamedMachine> named_machine(Workspace& workspace, const std::string& name, const Setting& setting) {
    auto found = find_named_machine(workspace, name);
    if (!found)
        return std::unexpected(std::move(found).error());
    const auto sources = count_runtimes(workspace, setting);
    if (!sources)
        return std::unexpected(sources.error());
    if (*found) {
        const auto source = std::ranges::find(
            *sources, (*found)->id, [](const CountedRuntimes& counted) { return counted.query.machine; });
        return NamedMachine{**std::move(found),
                            source == sources->end() ? std::nullopt : std::optional(source->query)};
    }
    auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(std::move(machines).error());
    for (const CountedRuntimes& counted : *sources) {
        const auto machine = std::ranges::find(*machines, counted.query.machine, &MachineRecord::id);
        if (machine == machines->end())
            continue;
        const auto is_named = [&](const std::string& known) {
            return fmt::format("{} ({})", known, counted.query.condition) == name;
        };
        if (is_named(machine->name) || is_named(machine->fingerprint))
            return NamedMachine{std::move(*machine), counted.query};
    }
    return unknown_machine(workspace, name);
}

/// What is known of the machine itself.
void describe(SearchTarget& target, const MachineRecord& machine) {
    target.id = machine.id;
    target.name = machine.name;
    target.fingerprint = machine.fingerprint;
    target.is_recorded = is_recording(machine.fingerprint);
    // Of a recorded machine hardly anything is known.
    if (auto description = machine_from_text(machine.description)) {
        target.is_recorded = target.is_recorded || description->source == MachineSource::Recorded;
        target.description = *std::move(description);
    }
}

} // namespace

Result<SearchTarget> search_target(Workspace& workspace, const std::string& machine, const Setting& setting) {
    SearchTarget target;
    if (machine.empty()) {
        const auto known = this_computer(workspace);
        if (!known)
            return std::unexpected(known.error());
        if (!*known)
            return target;
        describe(target, **known);
        auto facts = fact_numbers(workspace, (*known)->id);
        if (!facts)
            return std::unexpected(std::move(facts).error());
        if (target.description)
            target.description->facts = *std::move(facts);
        return target;
    }
    auto named = named_machine(workspace, machine, setting);
    if (!named)
        return std::unexpected(std::move(named).error());
    describe(target, named->record);
    if (target.description) {
        target.threads = target.description->threads.value_or(target.threads);
    } else {
        // As learning describes such a machine.
        target.description.emplace();
        target.description->name = named->record.name;
        target.description->source = MachineSource::Recorded;
    }
    auto facts = fact_numbers(workspace, named->record.id);
    if (!facts)
        return std::unexpected(std::move(facts).error());
    target.description->facts = *std::move(facts);
    target.recorded = std::move(named->recorded);
    if (target.recorded && target.is_recorded)
        target.threads = target.recorded->threads;
    return target;
}

} // namespace sparsight

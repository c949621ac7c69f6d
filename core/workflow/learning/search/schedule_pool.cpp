#include "workflow/learning/search/schedule_pool.h"

#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/search_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/storage/schedules.h"
#include "machine/machine_json.h"
#include "machine/probe/probe.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sparsight {

namespace {

SuperSchedule in_pool(SuperSchedule schedule, int threads) {
    schedule.threads = threads;
    return canonical(schedule);
}

class Pool {
public:
    explicit Pool(int threads)
        : threads_(threads) {}

    void add(const SuperSchedule& schedule) {
        const SuperSchedule added = in_pool(schedule, threads_);
        if (seen_.insert(added).second)
            schedules_.push_back(added);
    }
    [[nodiscard]] std::size_t size() const { return schedules_.size(); }
    [[nodiscard]] std::vector<SuperSchedule> take() { return std::move(schedules_); }

private:
    int threads_;
    std::vector<SuperSchedule> schedules_;
    std::unordered_set<SuperSchedule> seen_;
};

bool has_time(const StoredRuntime& runtime) {
    return runtime.status == MeasurementStatus::Measured && runtime.median_ms.has_value();
}

/// In an order that more runtimes of one machine do not change for the others.
void sort(std::vector<CountedSource>& sources) {
    std::ranges::sort(sources, {}, [](const CountedSource& counted) {
        return std::tuple(counted.source.machine, counted.source.protocol, counted.source.threads);
    });
}

/// Of the matrices whose size is known.
Result<std::unordered_map<WorkloadId, Extents>> known_extents(Workspace& workspace,
                                                              const PoolRequest& request) {
    const auto matrices = list_matrices(workspace);
    if (!matrices)
        return std::unexpected(matrices.error());
    std::unordered_map<WorkloadId, Extents> known;
    for (const MatrixRecord& matrix : *matrices)
        if (matrix.rows > 0 && matrix.cols > 0)
            known.emplace(matrix.id, extents(request.op, matrix.rows, matrix.cols, request.dense));
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

Result<SchedulePools> SchedulePools::read(Workspace& workspace, const PoolRequest& request) {
    auto sources = runtime_sources(workspace, request.op, request.dense);
    if (!sources)
        return std::unexpected(std::move(sources).error());
    sort(*sources);
    const auto known = known_extents(workspace, request);
    if (!known)
        return std::unexpected(known.error());
    SchedulePools pools;
    pools.request_ = request;
    for (const CountedSource& counted : *sources) {
        auto runtimes = list_runtimes(workspace, counted.source);
        if (!runtimes)
            return std::unexpected(std::move(runtimes).error());
        std::ranges::stable_sort(*runtimes, {}, [](const StoredRuntime& each) {
            return std::tuple(each.matrix, !has_time(each), has_time(each) ? *each.median_ms : 0.0);
        });
        for (const StoredRuntime& runtime : *runtimes) {
            if (pools.givers_.empty() || pools.givers_.back().matrix != runtime.matrix ||
                &runtime == &runtimes->front()) {
                Giver giver;
                giver.matrix = runtime.matrix;
                giver.is_first = counted.source.machine == request.machine;
                if (const auto size = known->find(runtime.matrix); size != known->end())
                    giver.extents = size->second;
                pools.givers_.push_back(std::move(giver));
            }
            Giver& giver = pools.givers_.back();
            giver.schedules.push_back(runtime.schedule);
            giver.measured += has_time(runtime) ? 1 : 0;
        }
    }
    return pools;
}

std::vector<SuperSchedule> SchedulePools::pool_for(const Extents& searched,
                                                   const std::set<WorkloadId>& without) const {
    Pool pool(request_.threads);
    pool.add(fixed_csr(request_.op, request_.threads));
    std::vector<const Giver*> firsts;
    std::vector<const Giver*> others;
    for (const Giver& giver : givers_)
        if (!without.contains(giver.matrix))
            (giver.is_first ? firsts : others).push_back(&giver);
    const auto give_collected = [&](const Giver& giver, std::size_t turn) {
        if (turn < giver.schedules.size())
            pool.add(giver.schedules[turn]);
        return turn + 1 < giver.schedules.size();
    };
    const auto give_neighbours = [&](const Giver& giver, std::size_t turn) {
        const std::size_t best = giver.extents ? std::min(best_of_a_matrix, giver.measured) : 0;
        if (turn < best)
            for (const SuperSchedule& neighbour : neighbours(giver.schedules[turn], *giver.extents))
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
        for (const SuperSchedule& drawn :
             sample_waco(request_.op, searched, static_cast<int>(fewest_in_pool), request_.threads, random))
            pool.add(drawn);
    }
    return pool.take();
}

Result<std::optional<RecordedSchedules>> recorded_schedules(Workspace& workspace, MachineId machine,
                                                            Operator op, std::int64_t dense) {
    const auto sources = runtime_sources(workspace, op, dense);
    if (!sources)
        return std::unexpected(sources.error());
    const auto source = std::ranges::find(
        *sources, machine, [](const CountedSource& counted) { return counted.source.machine; });
    if (source == sources->end())
        return std::nullopt;
    const auto runtimes = list_runtimes(workspace, source->source);
    if (!runtimes)
        return std::unexpected(runtimes.error());
    RecordedSchedules recorded{source->source.threads, {}};
    std::map<WorkloadId, Pool> pools;
    for (const StoredRuntime& runtime : *runtimes)
        pools.try_emplace(runtime.matrix, recorded.threads).first->second.add(runtime.schedule);
    for (auto& [matrix, pool] : pools)
        recorded.schedules.emplace(matrix, pool.take());
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

} // namespace

Result<SearchTarget> search_target(Workspace& workspace, const std::string& machine, Operator op,
                                   std::int64_t dense) {
    SearchTarget chosen;
    const auto known = machine.empty() ? this_computer(workspace) : find_machine(workspace, machine);
    if (!known)
        return std::unexpected(known.error());
    if (!*known) {
        if (machine.empty())
            return chosen;
        return fail(Fault::Input, fmt::format("there is no machine '{}' in the workspace", machine));
    }
    chosen.id = (*known)->id;
    chosen.name = (*known)->name;
    // Of a recorded machine hardly anything is known.
    if (auto description = machine_from_text((*known)->description)) {
        if (!machine.empty())
            chosen.threads = description->threads.value_or(chosen.threads);
        chosen.is_recorded = description->source == MachineSource::Recorded;
        chosen.description = *std::move(description);
    }
    chosen.is_recorded = chosen.is_recorded || (*known)->fingerprint.starts_with("recorded:");
    if (machine.empty())
        return chosen;
    if (!chosen.description) {
        // As learning describes such a machine.
        chosen.description.emplace();
        chosen.description->name = (*known)->name;
        chosen.description->source = MachineSource::Recorded;
    }
    auto recorded = recorded_schedules(workspace, (*known)->id, op, dense);
    if (!recorded)
        return std::unexpected(std::move(recorded).error());
    chosen.recorded = *std::move(recorded);
    if (chosen.recorded && chosen.is_recorded)
        chosen.threads = chosen.recorded->threads;
    return chosen;
}

} // namespace sparsight

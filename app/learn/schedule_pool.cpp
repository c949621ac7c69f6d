#include "learn/schedule_pool.h"

#include "schedule/hash.h"
#include "schedule/neighbours.h"
#include "schedule/sampler.h"
#include "store/runtimes.h"

#include <algorithm>
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

/// The fastest of one matrix on one machine.
std::vector<SuperSchedule> fastest(std::vector<const StoredRuntime*> runtimes) {
    std::erase_if(runtimes, [](const StoredRuntime* each) {
        return each->status != MeasurementStatus::Measured || !each->median_ms;
    });
    const std::size_t count = std::min(best_of_a_matrix, runtimes.size());
    std::ranges::partial_sort(runtimes, runtimes.begin() + static_cast<std::ptrdiff_t>(count), {},
                              [](const StoredRuntime* each) { return *each->median_ms; });
    std::vector<SuperSchedule> schedules;
    for (std::size_t place = 0; place < count; ++place)
        schedules.push_back(runtimes[place]->schedule);
    return schedules;
}

/// Of the matrices whose size is known.
Result<std::unordered_map<MatrixId, Extents>> known_extents(Workspace& workspace,
                                                            const PoolRequest& request) {
    const auto matrices = list_matrices(workspace);
    if (!matrices)
        return std::unexpected(matrices.error());
    std::unordered_map<MatrixId, Extents> known;
    for (const MatrixRecord& matrix : *matrices)
        if (matrix.rows > 0 && matrix.cols > 0)
            known.emplace(matrix.id, extents(request.op, matrix.rows, matrix.cols, request.dense));
    return known;
}

struct GoodSchedule {
    SuperSchedule schedule;
    Extents extents;
};

} // namespace

Result<std::vector<SuperSchedule>> schedule_pool(Workspace& workspace, const PoolRequest& request,
                                                 const std::vector<Extents>& searched) {
    const auto sources = runtime_sources(workspace, request.op, request.dense);
    if (!sources)
        return std::unexpected(sources.error());
    const auto known = known_extents(workspace, request);
    if (!known)
        return std::unexpected(known.error());
    Pool pool(request.threads);
    pool.add(fixed_csr(request.op, request.threads));
    std::vector<GoodSchedule> good;
    for (const CountedSource& counted : *sources) {
        const auto runtimes = list_runtimes(workspace, counted.source);
        if (!runtimes)
            return std::unexpected(runtimes.error());
        std::map<MatrixId, std::vector<const StoredRuntime*>> by_matrix;
        for (const StoredRuntime& runtime : *runtimes) {
            pool.add(runtime.schedule);
            by_matrix[runtime.matrix].push_back(&runtime);
        }
        for (auto& [matrix, its] : by_matrix)
            if (const auto size = known->find(matrix); size != known->end())
                for (const SuperSchedule& schedule : fastest(std::move(its)))
                    good.push_back({schedule, size->second});
    }
    for (const GoodSchedule& each : good) {
        if (pool.size() >= request.largest)
            break;
        for (const SuperSchedule& neighbour : neighbours(each.schedule, each.extents))
            pool.add(neighbour);
    }
    Random random(request.seed);
    for (const Extents& extents : searched) {
        if (pool.size() >= fewest_in_pool)
            break;
        for (const SuperSchedule& drawn :
             sample_waco(request.op, extents, static_cast<int>(fewest_in_pool), request.threads, random))
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
    std::map<MatrixId, Pool> pools;
    for (const StoredRuntime& runtime : *runtimes)
        pools.try_emplace(runtime.matrix, recorded.threads).first->second.add(runtime.schedule);
    for (auto& [matrix, pool] : pools)
        recorded.schedules.emplace(matrix, pool.take());
    return recorded;
}

} // namespace sparsight

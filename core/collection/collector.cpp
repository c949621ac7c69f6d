#include "collection/collector.h"

#include "collection/collection_plan.h"
#include "collection/measurement_safeguards.h"
#include "domains/sparse/clock/schedule_measurement.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/pattern_storage.h"
#include "domains/sparse/storage/schedules.h"
#include "store/runs.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <system_error>
#include <utility>

namespace sparsight {

namespace {

std::uint64_t hash_of(const std::vector<SuperSchedule>& schedules) {
    std::uint64_t hash = schedules.size();
    for (const SuperSchedule& schedule : schedules)
        hash = hash * 0x100000001b3ULL ^ hash_value(schedule);
    return hash;
}

std::uint64_t hash_of(const SchedulesByMatrix& chosen) {
    std::uint64_t hash = chosen.schedules.size();
    for (const auto& [matrix, schedules] : chosen.schedules) {
        for (const char letter : matrix)
            hash = hash * 0x100000001b3ULL ^ static_cast<unsigned char>(letter);
        hash = hash * 0x100000001b3ULL ^ hash_of(schedules);
    }
    return hash;
}

/// The text that tells whether a run is the same as one that did not finish.
std::string parameters_of(const CollectionRequest& request, MachineId machine) {
    std::string choice;
    if (const auto* sampled = std::get_if<SampledSchedules>(&request.schedules))
        choice = fmt::format(R"("sampler":"{}","count":{},"seed":{})", name(sampled->sampler), sampled->count,
                             sampled->seed);
    else if (const auto* searched = std::get_if<SearchedSchedules>(&request.schedules))
        choice = fmt::format(R"("searched":{},"seed":{})", searched->count, searched->seed);
    else if (const auto* by_matrix = std::get_if<SchedulesByMatrix>(&request.schedules))
        choice = fmt::format(R"("chosen":"{:016x}")", hash_of(*by_matrix));
    else
        choice = fmt::format(R"("listed":"{:016x}")",
                             hash_of(std::get<ListedSchedules>(request.schedules).schedules));
    return fmt::format(
        R"({{"matrices":"{}","operator":"{}","dense":{},{},"threads":{},"protocol":"{}","machine":{}}})",
        fmt::join(request.matrices, ","), name(request.op), request.dense, choice, request.threads,
        name(request.protocol), static_cast<std::int64_t>(machine));
}

/// A kernel that takes the process down is tried again, since the process may have been killed by hand.
constexpr int most_attempts = 3;

class Collection {
public:
    Collection(Workspace& workspace, MachineId machine, const CollectionRequest& request,
               const CollectionObserver& observer, const std::stop_token& stop)
        : workspace_(workspace)
        , machine_(machine)
        , request_(request)
        , observer_(observer)
        , stop_(stop)
        , start_(request.clock()) {}

    Result<CollectionSummary> run() {
        if (auto planned = plan(); !planned)
            return std::unexpected(planned.error());
        auto compiler = KernelCompiler::make();
        if (!compiler)
            return std::unexpected(compiler.error());
        const auto run = begin_run();
        if (!run)
            return std::unexpected(run.error());
        auto result = measure_on_team(*compiler, *run);
        summary_.elapsed = elapsed();
        const RunState state = !result             ? RunState::Failed
                               : summary_.complete ? RunState::Finished
                                                   : RunState::Stopped;
        const auto ended = end_run(workspace_, *run, state, result ? "" : result.error().text());
        if (!result)
            return std::unexpected(result.error());
        if (!ended)
            return std::unexpected(ended.error());
        return std::move(summary_);
    }

private:
    Result<void> plan() {
        auto planned = plan_collection(workspace_, machine_, request_);
        if (!planned)
            return std::unexpected(planned.error());
        plans_ = std::move(planned->matrices);
        summary_.failures = std::move(planned->failures);
        for (const MatrixPlan& matrix : plans_)
            summary_.skipped += static_cast<std::int64_t>(matrix.stored());
        return {};
    }

    /// A search that finds no more makes it less.
    [[nodiscard]] std::uint64_t total() const {
        return std::accumulate(plans_.begin(), plans_.end(), std::uint64_t{0},
                               [](std::uint64_t sum, const MatrixPlan& plan) { return sum + plan.wanted(); });
    }

    Result<RunId> begin_run() {
        const std::string parameters = parameters_of(request_, machine_);
        const auto unfinished = unfinished_run(workspace_, "collect", parameters);
        if (!unfinished)
            return std::unexpected(unfinished.error());
        if (!*unfinished)
            return start_run(workspace_, "collect", parameters);
        if (const auto resumed = resume_run(workspace_, (*unfinished)->id); !resumed)
            return std::unexpected(resumed.error());
        return (*unfinished)->id;
    }

    Result<void> measure_on_team(KernelCompiler& compiler, RunId run) {
        try {
            Team team(request_.threads);
            return measure_all(compiler, team, run);
        } catch (const std::system_error& error) {
            return fail(Fault::Environment,
                        fmt::format("{} threads can't be started: {}", request_.threads, error.what()));
        }
    }

    Result<void> measure_all(KernelCompiler& compiler, Team& team, RunId run) {
        done_ = static_cast<std::uint64_t>(summary_.skipped);
        do {
            if (auto measured = measure_round(compiler, team, run); !measured)
                return measured;
        } while (!std::ranges::all_of(plans_, &MatrixPlan::is_done) && !out_of_time());
        summary_.complete = done_ == total();
        return {};
    }

    /// Each matrix for its share of the time that is left.
    Result<void> measure_round(KernelCompiler& compiler, Team& team, RunId run) {
        auto sharing = std::ranges::count(plans_, false, &MatrixPlan::is_done);
        for (std::size_t at = 0; at < plans_.size() && !out_of_time(); ++at) {
            MatrixPlan& plan = plans_[at];
            const bool is_first_turn = at >= touched_;
            touched_ = std::max(touched_, at + 1);
            if (observer_.on_matrix && (is_first_turn || !plan.is_done()))
                observer_.on_matrix(plan.matrix().name, at + 1, plans_.size());
            if (plan.is_done())
                continue;
            std::optional<Seconds> share_ends;
            if (request_.budget)
                share_ends = elapsed() + (*request_.budget - elapsed()) / static_cast<double>(sharing--);
            auto workload = load(plan);
            if (!workload) {
                // The matrix is not the workspace's fault: its file may be gone. The others go on.
                summary_.failures.push_back({plan.matrix().name, "", workload.error()});
                plan.give_up();
                continue;
            }
            if (auto measured = measure(plan, share_ends, *workload, compiler, team, run); !measured)
                return measured;
        }
        return {};
    }

    Result<KernelInputs> load(const MatrixPlan& plan) {
        auto pattern = load_pattern(workspace_, plan.matrix().id);
        if (!pattern)
            return std::unexpected(pattern.error());
        return KernelInputs::make(std::move(*pattern), request_.op, dense_of(request_), request_.threads,
                                  operand_limit());
    }

    /// At least one schedule in each turn, even when loading the matrix took all the time.
    Result<void> measure(MatrixPlan& plan, std::optional<Seconds> share_ends, KernelInputs& workload,
                         KernelCompiler& compiler, Team& team, RunId run) {
        MeasurementOptions options;
        options.protocol = request_.protocol;
        options.limits = request_.limits;
        ScheduleMeasurer measurer(workload, compiler, team, options);
        const MeasurementSetting setting = setting_of(request_, machine_, plan.matrix().id);
        const auto best = shortest_median(workspace_, setting, request_.op, request_.threads);
        if (!best)
            return std::unexpected(best.error());
        if (*best && !request_.again)
            measurer.know(**best);
        if (stop_.stop_requested())
            return {};
        do {
            const SuperSchedule schedule = plan.current();
            const PendingMeasurement in_flight{plan.matrix().name, request_.op, dense_of(request_),
                                               to_text(schedule)};
            const auto attempts = begin_attempt(workspace_, in_flight);
            if (!attempts)
                return std::unexpected(attempts.error());
            // No stop token inside: a measurement that has begun is worth finishing.
            const auto measurement = *attempts > most_attempts ? died_before() : measurer.measure(schedule);
            plan.finish(measurement ? &*measurement : nullptr);
            if (!measurement) {
                summary_.failures.push_back({plan.matrix().name, in_flight.schedule, measurement.error()});
                continue;
            }
            if (auto stored = record_measurement(workspace_, setting, schedule, *measurement, run); !stored)
                return stored;
            count(in_flight, *measurement);
            tell(plan, schedule, *measurement);
        } while (!plan.is_done() && !out_of_time() && !(share_ends && elapsed() >= *share_ends));
        return end_attempts(workspace_);
    }

    static Result<Measurement> died_before() {
        Measurement measurement;
        measurement.status = MeasurementStatus::Failed;
        measurement.reason = "the program ended three times while it was measured";
        return measurement;
    }

    void count(const PendingMeasurement& in_flight, const Measurement& measurement) {
        ++done_;
        ++(has_time(measurement.status) ? summary_.measured : summary_.failed);
        const bool is_ours = measurement.status == MeasurementStatus::Mismatch ||
                             measurement.status == MeasurementStatus::Failed;
        if (is_ours)
            summary_.failures.push_back(
                {in_flight.matrix, in_flight.schedule, {Fault::Internal, measurement.reason, {}, 0}});
    }

    void tell(const MatrixPlan& plan, const SuperSchedule& schedule, const Measurement& measurement) const {
        if (!observer_.on_step)
            return;
        const auto fresh = static_cast<double>(summary_.measured + summary_.failed);
        const Seconds spent = elapsed();
        std::optional<Seconds> left = spent / fresh * static_cast<double>(total() - done_);
        if (request_.budget)
            left = std::min(*left, std::max(Seconds(0), *request_.budget - spent));
        observer_.on_step({plan.matrix().name, schedule, measurement, done_, total(), spent, left});
    }

    [[nodiscard]] Seconds elapsed() const { return request_.clock() - start_; }

    [[nodiscard]] bool out_of_time() const {
        return stop_.stop_requested() || (request_.budget && elapsed() >= *request_.budget);
    }

    Workspace& workspace_;
    MachineId machine_;
    const CollectionRequest& request_;
    const CollectionObserver& observer_;
    const std::stop_token& stop_;
    Milliseconds start_;
    std::vector<MatrixPlan> plans_;
    std::size_t touched_ = 0; ///< plans whose first turn has come
    std::uint64_t done_ = 0;
    CollectionSummary summary_;
};

} // namespace

Error CollectionFailure::described() const {
    Error described = error;
    described.message = schedule.empty() ? fmt::format("{}: {}", matrix, error.message)
                                         : fmt::format("{}: {}: {}", matrix, schedule, error.message);
    return described;
}

double CollectionSummary::schedules_per_second() const {
    return elapsed.count() > 0 ? static_cast<double>(measured + failed) / elapsed.count() : 0;
}

Result<CollectionSummary> collect(Workspace& workspace, MachineId machine, const CollectionRequest& request,
                                  const CollectionObserver& observer, const std::stop_token& stop) {
    if (request.threads < 1)
        return fail(Fault::Input, fmt::format("{} threads: expected 1 or more", request.threads));
    if (request.op != Operator::SpMV && request.dense < 1)
        return fail(Fault::Input, fmt::format("the dense extent is {}: expected 1 or more", request.dense));
    return Collection(workspace, machine, request, observer, stop).run();
}

} // namespace sparsight

#include "collection/collector.h"

#include "collection/measurement_in_flight.h"
#include "kernel/schedule_measurement.h"
#include "machine/memory_facts.h"
#include "schedule/hash.h"
#include "schedule/text.h"
#include "store/measurements.h"
#include "store/runs.h"
#include "store/stored_pattern.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>
#include <unordered_set>
#include <utility>

namespace sparsight {

namespace {

std::uint64_t hash_of(const std::vector<SuperSchedule>& schedules) {
    std::uint64_t hash = schedules.size();
    for (const SuperSchedule& schedule : schedules)
        hash = hash * 0x100000001b3ULL ^ hash_value(schedule);
    return hash;
}

/// The text that tells whether a run is the same as one that did not finish.
std::string parameters_of(const CollectionRequest& request, MachineId machine) {
    std::string choice;
    if (const auto* sampled = std::get_if<SampledSchedules>(&request.schedules))
        choice = fmt::format(R"("sampler":"{}","count":{},"seed":{})", name(sampled->sampler), sampled->count,
                             sampled->seed);
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

/// What is to be done on one matrix.
struct Task {
    MatrixRecord matrix;
    std::vector<SuperSchedule> schedules;
    std::vector<SuperSchedule> missing;
    std::size_t next = 0; ///< of the missing ones: those before it were tried
    bool is_untouched = true;

    [[nodiscard]] bool is_done() const { return next == missing.size(); }
};

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
        auto records = chosen_matrices();
        if (!records)
            return std::unexpected(records.error());
        for (MatrixRecord& record : *records) {
            const Extents extents = sparsight::extents(request_.op, record.rows, record.cols, dense());
            Task task{.matrix = std::move(record), .schedules = {}, .missing = {}};
            task.schedules =
                schedules_for(request_.schedules, request_.op, task.matrix.name, extents, request_.threads);
            auto missing = request_.again
                               ? Result<std::vector<SuperSchedule>>(task.schedules)
                               : missing_schedules(workspace_, setting(task), request_.op, task.schedules);
            if (!missing)
                return std::unexpected(missing.error());
            task.missing = std::move(*missing);
            total_ += task.schedules.size();
            summary_.skipped += static_cast<std::int64_t>(task.schedules.size() - task.missing.size());
            tasks_.push_back(std::move(task));
        }
        return {};
    }

    [[nodiscard]] std::int64_t dense() const { return request_.op == Operator::SpMV ? 1 : request_.dense; }

    Result<std::vector<MatrixRecord>> chosen_matrices() {
        auto records = list_matrices(workspace_);
        if (!records)
            return records;
        if (request_.matrices.empty()) {
            std::erase_if(*records,
                          [](const MatrixRecord& record) { return record.pattern == PatternPlace::Unknown; });
            if (records->empty())
                return fail(Fault::Input,
                            "the workspace has no matrix to measure on: import or simulate one first");
            return records;
        }
        std::vector<MatrixRecord> chosen;
        std::unordered_set<std::string_view> seen;
        for (const std::string& wanted : request_.matrices) {
            if (!seen.insert(wanted).second)
                continue;
            const auto found = std::ranges::find(*records, wanted, &MatrixRecord::name);
            if (found != records->end())
                chosen.push_back(*found);
            else
                summary_.failures.push_back(
                    {wanted, "", {Fault::Input, "the workspace has no matrix of this name", {}, 0}});
        }
        if (chosen.empty())
            return fail(Fault::Input, fmt::format("the workspace has no matrix named '{}'",
                                                  fmt::join(request_.matrices, "', '")));
        return chosen;
    }

    [[nodiscard]] MeasurementSetting setting(const Task& task) const {
        return {task.matrix.id, machine_, dense(), std::string(name(request_.protocol))};
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
        const auto is_done = [](const Task& task) { return task.is_done(); };
        do {
            if (auto measured = measure_round(compiler, team, run); !measured)
                return measured;
        } while (!std::ranges::all_of(tasks_, is_done) && !out_of_time());
        summary_.complete = done_ == total_;
        return {};
    }

    /// Each matrix for its share of the time that is left.
    Result<void> measure_round(KernelCompiler& compiler, Team& team, RunId run) {
        auto sharing = std::ranges::count_if(tasks_, [](const Task& task) { return !task.is_done(); });
        for (std::size_t at = 0; at < tasks_.size() && !out_of_time(); ++at) {
            Task& task = tasks_[at];
            const bool is_first_turn = std::exchange(task.is_untouched, false);
            if (observer_.on_matrix && (is_first_turn || !task.is_done()))
                observer_.on_matrix(task.matrix.name, at + 1, tasks_.size());
            if (task.is_done())
                continue;
            std::optional<Seconds> share_ends;
            if (request_.budget)
                share_ends = elapsed() + (*request_.budget - elapsed()) / static_cast<double>(sharing--);
            auto workload = load(task);
            if (!workload) {
                // The matrix is not the workspace's fault: its file may be gone. The others go on.
                summary_.failures.push_back({task.matrix.name, "", workload.error()});
                task.next = task.missing.size();
                continue;
            }
            if (auto measured = measure(task, share_ends, *workload, compiler, team, run); !measured)
                return measured;
        }
        return {};
    }

    /// Dense operands may take half of the memory: packed matrices and the pattern need the rest.
    static std::uint64_t operand_limit() {
        const auto memory = usable_memory_bytes(SystemFiles("/"));
        return memory ? *memory / 2 : std::uint64_t{2} << 30;
    }

    Result<Workload> load(const Task& task) {
        auto pattern = load_pattern(workspace_, task.matrix.id);
        if (!pattern)
            return std::unexpected(pattern.error());
        return Workload::make(std::move(*pattern), request_.op, dense(), request_.threads, operand_limit());
    }

    /// At least one schedule in each turn, even when loading the matrix took all the time.
    Result<void> measure(Task& task, std::optional<Seconds> share_ends, Workload& workload,
                         KernelCompiler& compiler, Team& team, RunId run) {
        MeasurementOptions options;
        options.protocol = request_.protocol;
        options.limits = request_.limits;
        ScheduleMeasurer measurer(workload, compiler, team, options);
        const auto best = shortest_median(workspace_, setting(task), request_.op, request_.threads);
        if (!best)
            return std::unexpected(best.error());
        if (*best && !request_.again)
            measurer.know(**best);
        if (stop_.stop_requested())
            return {};
        do {
            const SuperSchedule& schedule = task.missing[task.next++];
            const MeasurementInFlight in_flight{task.matrix.name, request_.op, dense(), to_text(schedule)};
            const auto attempts = begin_attempt(workspace_, in_flight);
            if (!attempts)
                return std::unexpected(attempts.error());
            // No stop token inside: a measurement that has begun is worth finishing.
            const auto measurement = *attempts > most_attempts ? died_before() : measurer.measure(schedule);
            if (!measurement) {
                summary_.failures.push_back({task.matrix.name, in_flight.schedule, measurement.error()});
                continue;
            }
            if (auto stored = record_measurement(workspace_, setting(task), schedule, *measurement, run);
                !stored)
                return stored;
            count(in_flight, *measurement);
            tell(task, schedule, *measurement);
        } while (!task.is_done() && !out_of_time() && !(share_ends && elapsed() >= *share_ends));
        return end_attempts(workspace_);
    }

    static Result<Measurement> died_before() {
        Measurement measurement;
        measurement.status = MeasurementStatus::Failed;
        measurement.reason = "the program ended three times while it was measured";
        return measurement;
    }

    void count(const MeasurementInFlight& in_flight, const Measurement& measurement) {
        ++done_;
        ++(has_time(measurement.status) ? summary_.measured : summary_.failed);
        const bool is_ours = measurement.status == MeasurementStatus::Mismatch ||
                             measurement.status == MeasurementStatus::Failed;
        if (is_ours)
            summary_.failures.push_back(
                {in_flight.matrix, in_flight.schedule, {Fault::Internal, measurement.reason, {}, 0}});
    }

    void tell(const Task& task, const SuperSchedule& schedule, const Measurement& measurement) const {
        if (!observer_.on_step)
            return;
        const auto fresh = static_cast<double>(summary_.measured + summary_.failed);
        const Seconds spent = elapsed();
        std::optional<Seconds> left = spent / fresh * static_cast<double>(total_ - done_);
        if (request_.budget)
            left = std::min(*left, std::max(Seconds(0), *request_.budget - spent));
        observer_.on_step({task.matrix.name, schedule, measurement, done_, total_, spent, left});
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
    std::vector<Task> tasks_;
    std::uint64_t done_ = 0;
    std::uint64_t total_ = 0;
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

#include "domains/sparse/encoder/simulator_blending.h"

#include "base/parallel.h"
#include "base/random.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/simulator/calibration.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "learning/fine_tuning/blend_weights.h"
#include "learning/tasks/splits.h"
#include "machine/machine_parameters.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace sparsight {
namespace {

/// The runtimes of a task on one matrix, as the calibration reads them.
struct ProfiledRuntimes {
    std::size_t runtimes = 0; ///< place in Task::runtimes
    std::size_t family = 0;
    std::size_t fold = 0;
    std::vector<ScheduleProfile> profiles; ///< of all schedules
};

class Blending {
public:
    Blending(ExampleStore& examples, std::size_t task, const BlendingOptions& options,
             const MetaParameters& start, const std::stop_token& stop)
        : examples_(examples)
        , task_(task)
        , options_(options)
        , start_(start)
        , stop_(stop) {}

    Result<SimulatorBlend> run(std::span<const std::size_t> matrices) {
        if (auto profiled = profile(matrices); !profiled)
            return std::unexpected(std::move(profiled).error());
        deal_folds();
        if (auto calibrated = calibrate_all(); !calibrated)
            return std::unexpected(std::move(calibrated).error());
        std::vector<BlendExamples> examples;
        for (std::size_t fold = 0; fold < folds_; ++fold)
            if (auto added = add_fold(fold, examples); !added)
                return std::unexpected(std::move(added).error());
        const BlendFit fit = fit_blend_weights(examples);
        return SimulatorBlend{machines_.back(), sparse_setting(set().setting).dense, fit.weights.network,
                              fit.weights.simulator, fit.network_share};
    }

private:
    [[nodiscard]] const TaskSet& set() const { return examples_.tasks(); }
    [[nodiscard]] const Task& task() const { return set().tasks[task_]; }

    Result<void> profile(std::span<const std::size_t> matrices) {
        const auto families = workload_families(set().workloads);
        for (std::size_t at = 0; at < task().runtimes.size(); ++at) {
            const WorkloadRuntimes& runtimes = task().runtimes[at];
            if (std::ranges::find(matrices, runtimes.workload) == matrices.end())
                continue;
            if (stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped while schedules were looked at");
            auto profiles = profiles_of(set(), runtimes, options_.threads, stop_);
            if (!profiles)
                return std::unexpected(std::move(profiles).error());
            data_.push_back({at, families[runtimes.workload], 0, std::move(*profiles)});
        }
        return {};
    }

    /// Families in an order that the seed decides, one after the other.
    void deal_folds() {
        constexpr std::size_t fewest = 3;
        std::vector<std::size_t> families;
        for (const ProfiledRuntimes& each : data_)
            if (std::ranges::find(families, each.family) == families.end())
                families.push_back(each.family);
        Random random(options_.fine_tuning.seed);
        random.shuffle(families);
        folds_ = std::min(options_.folds, families.size());
        is_crossed_ = folds_ >= fewest;
        if (!is_crossed_)
            folds_ = 1;
        for (ProfiledRuntimes& each : data_) {
            const auto place =
                static_cast<std::size_t>(std::ranges::find(families, each.family) - families.begin());
            each.fold = place % folds_;
        }
    }

    /// Without each of the folds, side by side, and behind them to all.
    Result<void> calibrate_all() {
        const std::size_t count = is_crossed_ ? folds_ + 1 : 1;
        std::vector<Result<MachineParameters>> found(count, MachineParameters{});
        parallel_parts(std::min(options_.threads, static_cast<int>(count)), static_cast<std::int64_t>(count),
                       [&](int, std::int64_t begin, std::int64_t end) {
                           for (auto at = static_cast<std::size_t>(begin); std::cmp_less(at, end); ++at)
                               found[at] = calibrated(at + 1 < count ? std::optional(at) : std::nullopt);
                       });
        for (Result<MachineParameters>& machine : found) {
            if (!machine)
                return std::unexpected(std::move(machine).error());
            machines_.push_back(*machine);
        }
        return {};
    }

    /// To all but a fold, or to all.
    [[nodiscard]] Result<MachineParameters> calibrated(std::optional<std::size_t> without) const {
        std::vector<CalibrationMatrix> measured;
        for (const ProfiledRuntimes& each : data_) {
            if (each.fold == without)
                continue;
            const WorkloadRuntimes& runtimes = task().runtimes[each.runtimes];
            CalibrationMatrix matrix{set().workloads[runtimes.workload].name, {}, {}, {}};
            for (std::size_t at = 0; at < runtimes.milliseconds.size(); ++at) {
                if (!std::isfinite(runtimes.milliseconds[at]))
                    continue;
                matrix.profiles.push_back(each.profiles[at]);
                matrix.milliseconds.push_back(runtimes.milliseconds[at]);
                if (!runtimes.spreads.empty())
                    matrix.spreads.push_back(runtimes.spreads[at]);
            }
            if (!matrix.milliseconds.empty())
                measured.push_back(std::move(matrix));
        }
        CalibrationOptions options;
        options.seed = options_.fine_tuning.seed;
        options.steps = options_.calibration_steps;
        const auto found = calibrate(uncalibrated_machine(task()), measured, options, stop_);
        if (!found)
            return std::unexpected(found.error());
        return found->after;
    }

    Result<NamedTensors> tuned_without(std::size_t fold) {
        std::vector<std::size_t> others;
        for (const ProfiledRuntimes& each : data_)
            if (each.fold != fold)
                others.push_back(task().runtimes[each.runtimes].workload);
        return fine_tune(examples_, task_, others, options_.fine_tuning, start_, {}, stop_);
    }

    Result<void> add_fold(std::size_t fold, std::vector<BlendExamples>& examples) {
        const MachineParameters machine = is_crossed_ ? machines_[fold] : uncalibrated_machine(task());
        const auto weights = is_crossed_ ? tuned_without(fold) : Result<NamedTensors>(start_.weights);
        if (!weights)
            return std::unexpected(weights.error());
        for (const ProfiledRuntimes& each : data_) {
            if (each.fold != fold)
                continue;
            const auto scores = examples_.scores(*weights, task_, each.runtimes);
            if (!scores)
                return std::unexpected(scores.error());
            const at::Tensor on_host = scores->to(at::Device(at::kCPU), at::kDouble).contiguous();
            const double* const first = on_host.data_ptr<double>();
            const WorkloadRuntimes& runtimes = task().runtimes[each.runtimes];
            examples.push_back({{first, first + on_host.numel()},
                                log_simulated(machine, each.profiles),
                                runtimes.milliseconds,
                                runtimes.spreads,
                                each.family,
                                runtimes.waits});
        }
        return {};
    }

    ExampleStore& examples_;
    std::size_t task_;
    const BlendingOptions& options_;
    const MetaParameters& start_;
    const std::stop_token& stop_;
    std::vector<ProfiledRuntimes> data_;
    std::vector<MachineParameters> machines_; ///< of each fold, where there are any; that of all behind them
    std::size_t folds_ = 1;
    bool is_crossed_ = false;
};

} // namespace

Result<std::vector<ScheduleProfile>> profiles_of(const TaskSet& set, const WorkloadRuntimes& runtimes,
                                                 int threads, const std::stop_token& stop) {
    const TaskWorkload& matrix = set.workloads[runtimes.workload];
    const auto payload = matrix.load();
    if (!payload)
        return std::unexpected(payload.error());
    const ProfiledPattern profiled(pattern_of(**payload));
    constexpr int any_threads = 1; // a profile does not depend on them
    auto profiles =
        profile_all(profiled, schedules_of(runtimes.configurations, any_threads),
                    sparse_setting(set.setting).dense, {.threads = threads, .stop = stop, .progress = {}});
    if (!profiles && profiles.error().fault != Fault::Cancelled)
        return fail(profiles.error().fault,
                    fmt::format("the matrix {}: {}", matrix.name, profiles.error().message));
    return profiles;
}

std::vector<double> log_simulated(const MachineParameters& machine,
                                  std::span<const ScheduleProfile> profiles) {
    std::vector<double> logarithms;
    logarithms.reserve(profiles.size());
    for (const ScheduleProfile& profile : profiles)
        logarithms.push_back(std::log(simulate(machine, profile).total()));
    return logarithms;
}

MachineParameters uncalibrated_machine(const Task& task) {
    const MachineDescription facts = without_calibration(task.description);
    return task.threads == 0 ? resolve_parameters(facts).values : parameters_for_threads(facts, task.threads);
}

Result<SimulatorBlend> MechanisticBlending::fit(ExampleStore& examples, std::size_t task,
                                                std::span<const std::size_t> matrices,
                                                const BlendingOptions& options, const MetaParameters& start,
                                                const std::stop_token& stop) const {
    return Blending(examples, task, options, start, stop).run(matrices);
}

Result<RankingReport> MechanisticBlending::report(ExampleStore& examples, const NamedTensors& weights,
                                                  const SimulatorBlend& blend, Loss loss, std::size_t task,
                                                  std::span<const std::size_t> matrices, int threads,
                                                  const std::stop_token& stop) const {
    const auto scores = [&](std::size_t runtimes) -> Result<std::vector<float>> {
        const auto network = examples.scores(weights, task, runtimes);
        if (!network)
            return std::unexpected(network.error());
        const TaskSet& set = examples.tasks();
        const auto profiles = profiles_of(set, set.tasks[task].runtimes[runtimes], threads, stop);
        if (!profiles)
            return std::unexpected(profiles.error());
        const at::Tensor on_host = network->to(at::Device(at::kCPU), at::kFloat).contiguous();
        std::vector<float> both(on_host.data_ptr<float>(), on_host.data_ptr<float>() + on_host.numel());
        const std::vector<double> simulated = log_simulated(blend.machine, *profiles);
        for (std::size_t at = 0; at < both.size(); ++at)
            both[at] = static_cast<float>(blend.network * static_cast<double>(both[at]) +
                                          blend.simulator * simulated[at]);
        return both;
    };
    return report_scores(examples.tasks(), scores, loss, /*predicts_times=*/false, task, matrices, stop);
}

} // namespace sparsight

#include "domains/sparse/encoder/simulator_blending.h"

#include "base/parallel.h"
#include "base/random.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/simulator/calibration.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "learning/tasks/splits.h"
#include "machine/machine_parameters.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace sparsight {
namespace {

/// The runtimes of a task on one matrix, as the calibration reads them.
struct ProfiledRuntimes {
    std::size_t runtimes = 0; ///< place in Task::runtimes
    std::size_t family = 0;
    std::size_t fold = 0;                  ///< as many as there are folds: of none
    std::vector<ScheduleProfile> profiles; ///< of all schedules
};

class Blending {
public:
    Blending(ExampleStore& examples, std::size_t task, const BlendingOptions& options,
             const MetaParameters& start, const std::stop_token& stop, const ProgressSink& progress)
        : examples_(examples)
        , task_(task)
        , options_(options)
        , start_(start)
        , stop_(stop)
        , progress_(progress) {}

    Result<FittedBlend> run(std::span<const std::size_t> matrices) {
        if (auto profiled = profile(matrices); !profiled)
            return std::unexpected(std::move(profiled).error());
        deal_folds();
        tell(0);
        if (auto calibrated = calibrate_all(); !calibrated)
            return std::unexpected(std::move(calibrated).error());
        std::vector<BlendExamples> examples;
        for (std::size_t fold = 0; fold < folds_; ++fold) {
            tell(fold + 1);
            if (auto added = add_fold(fold, examples); !added)
                return std::unexpected(std::move(added).error());
        }
        const BlendFit fit = fit_blend_weights(examples);
        return FittedBlend{{machines_.back(), sparse_setting(set().setting).dense, fit.weights.network,
                            fit.weights.simulator, fit.network_share},
                           fit,
                           is_crossed_,
                           is_known_};
    }

private:
    [[nodiscard]] const TaskSet& set() const { return examples_.tasks(); }
    [[nodiscard]] const Task& task() const { return set().tasks[task_]; }

    void tell(std::size_t done) const {
        if (progress_)
            progress_({"weighing the simulator against the network", done, folds_ + 1});
    }

    Result<void> profile(std::span<const std::size_t> matrices) {
        const auto families = workload_families(set().workloads);
        for (std::size_t at = 0; at < task().runtimes.size(); ++at) {
            const WorkloadRuntimes& runtimes = task().runtimes[at];
            if (std::ranges::find(matrices, runtimes.workload) == matrices.end())
                continue;
            if (stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped while schedules were looked at");
            if (progress_)
                progress_({"looking at schedules", data_.size(), matrices.size()});
            auto profiles = profiles_of(set(), runtimes, options_.threads, stop_);
            if (!profiles)
                return std::unexpected(std::move(profiles).error());
            data_.push_back({at, families[runtimes.workload], 0, std::move(*profiles)});
        }
        return {};
    }

    /// Families in an order that the seed decides, one after the other. Those that the network has learned
    /// from are in no fold, where enough others are there.
    void deal_folds() {
        constexpr std::size_t fewest = 3;
        std::set<std::size_t> known;
        for (const ProfiledRuntimes& each : data_)
            if (options_.learned.contains(task().runtimes[each.runtimes].workload))
                known.insert(each.family);
        std::vector<std::size_t> families;
        for (const ProfiledRuntimes& each : data_)
            if (std::ranges::find(families, each.family) == families.end())
                families.push_back(each.family);
        if (families.size() >= known.size() + fewest)
            std::erase_if(families, [&](std::size_t family) { return known.contains(family); });
        else
            is_known_ = !known.empty();
        Random random(options_.fine_tuning.seed);
        random.shuffle(families);
        folds_ = std::min(options_.folds, families.size());
        is_crossed_ = folds_ >= fewest;
        if (!is_crossed_)
            folds_ = 1;
        for (ProfiledRuntimes& each : data_) {
            const auto place =
                static_cast<std::size_t>(std::ranges::find(families, each.family) - families.begin());
            each.fold = place < families.size() ? place % folds_ : folds_; // that of none
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
    const ProgressSink& progress_;
    std::vector<ProfiledRuntimes> data_;
    std::vector<MachineParameters> machines_; ///< of each fold, where there are any; that of all behind them
    std::size_t folds_ = 1;
    bool is_crossed_ = false;
    bool is_known_ = false;
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

Result<FittedBlend> MechanisticBlending::fit(ExampleStore& examples, std::size_t task,
                                             std::span<const std::size_t> matrices,
                                             const BlendingOptions& options, const MetaParameters& start,
                                             const std::stop_token& stop,
                                             const ProgressSink& progress) const {
    return Blending(examples, task, options, start, stop, progress).run(matrices);
}

namespace {

/// The scores of one matrix's schedules by each of the three.
struct ThreeScores {
    std::vector<float> network;
    std::vector<float> simulator;
    std::vector<float> both;
};

class BlendScorer {
public:
    BlendScorer(ExampleStore& examples, const NamedTensors& weights, const SimulatorBlend& blend,
                std::size_t task, int threads, const std::stop_token& stop)
        : examples_(examples)
        , weights_(weights)
        , blend_(blend)
        , task_(task)
        , threads_(threads)
        , stop_(stop) {}

    /// Counted and scored once, asked for thrice.
    Result<std::vector<float>> scores(std::size_t runtimes, std::vector<float> ThreeScores::* whose) {
        if (const auto known = known_.find(runtimes); known != known_.end())
            return known->second.*whose;
        const auto network = examples_.scores(weights_, task_, runtimes);
        if (!network)
            return std::unexpected(network.error());
        const TaskSet& set = examples_.tasks();
        const auto profiles = profiles_of(set, set.tasks[task_].runtimes[runtimes], threads_, stop_);
        if (!profiles)
            return std::unexpected(profiles.error());
        const at::Tensor on_host = network->to(at::Device(at::kCPU), at::kFloat).contiguous();
        const std::vector<double> simulated = log_simulated(blend_.machine, *profiles);
        ThreeScores scores;
        scores.network.assign(on_host.data_ptr<float>(), on_host.data_ptr<float>() + on_host.numel());
        for (std::size_t at = 0; at < simulated.size(); ++at) {
            scores.simulator.push_back(static_cast<float>(simulated[at]));
            scores.both.push_back(static_cast<float>(
                blend_.network * static_cast<double>(scores.network[at]) + blend_.simulator * simulated[at]));
        }
        return known_.emplace(runtimes, std::move(scores)).first->second.*whose;
    }

private:
    ExampleStore& examples_;
    const NamedTensors& weights_;
    const SimulatorBlend& blend_;
    std::size_t task_;
    int threads_;
    const std::stop_token& stop_;
    std::map<std::size_t, ThreeScores> known_;
};

} // namespace

Result<BlendReport> MechanisticBlending::report(ExampleStore& examples, const NamedTensors& weights,
                                                const SimulatorBlend& blend, Loss loss, std::size_t task,
                                                std::span<const std::size_t> matrices, int threads,
                                                const std::stop_token& stop) const {
    BlendScorer scorer(examples, weights, blend, task, threads, stop);
    const auto report = [&](std::vector<float> ThreeScores::* whose) {
        return report_scores(
            examples.tasks(), [&](std::size_t runtimes) { return scorer.scores(runtimes, whose); }, loss,
            /*predicts_times=*/false, task, matrices, stop);
    };
    BlendReport all;
    for (const auto& [whose, into] :
         {std::pair(&ThreeScores::network, &all.network), std::pair(&ThreeScores::simulator, &all.simulator),
          std::pair(&ThreeScores::both, &all.both)}) {
        auto made = report(whose);
        if (!made)
            return std::unexpected(std::move(made).error());
        *into = *std::move(made);
    }
    return all;
}

} // namespace sparsight

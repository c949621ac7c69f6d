#include "learning/fine_tuning/fine_tuning.h"

#include "base/names.h"
#include "learning/tasks/split_tasks.h"
#include "learning/tasks/splits.h"
#include "learning/training/closed_form.h"
#include "learning/training/training_plan.h"
#include "model/networks/gray_box.h"
#include "model/tensors/torch_runtime.h"
#include "study/student.h"

#include <algorithm>
#include <array>
#include <c10/core/GradMode.h>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

namespace sparsight {

namespace {

/// The steps of one epoch on one task: every workload once, in random order.
std::vector<StepPlan> plan(const TaskSet& tasks, std::size_t task, std::span<const std::size_t> workloads,
                           const FineTuningOptions& options, int epoch) {
    TrainingOptions supervised;
    supervised.configurations_per_workload = options.configurations_per_workload;
    supervised.seed = options.seed;
    auto steps = plan_epoch(tasks, {workloads.begin(), workloads.end()}, supervised, epoch);
    std::erase_if(steps, [task](const StepPlan& step) { return step.front().task != task; });
    return steps;
}

/// Half a cosine from 1 towards 0.
double share_of_rate(const FineTuningOptions& options, int epoch) {
    return (1 + std::cos(std::numbers::pi * epoch / options.epochs)) / 2;
}

/// The weights on their way, by either rule.
class Tuning {
public:
    Tuning(const FineTuningOptions& options, const MetaParameters& parameters)
        : options_(options)
        , here_{leaves(parameters.weights), parameters.rates}
        , adam_(initial_adam(here_.weights)) {}

    [[nodiscard]] const NamedTensors& weights() const { return here_.weights; }

    /// On one workload, at a share of the rate. Returns the loss before the step.
    double step(const Objective& workload, double share) {
        if (options_.rule == FineTuningRule::InnerSteps) {
            InnerStep next = inner_step(options_.method, {1, options_.inner_rate}, here_, workload);
            here_.weights = std::move(next.weights);
            return next.loss;
        }
        Gradient found = gradient(workload, here_.weights);
        if (!std::isfinite(clip_gradients(found.tensors, options_.longest_gradient)))
            return std::numeric_limits<double>::quiet_NaN();
        AdamStep next = adam_step({}, options_.adam_rate * share, here_.weights, found.tensors, adam_);
        here_.weights = std::move(next.parameters);
        adam_ = std::move(next.state);
        return found.value;
    }

private:
    const FineTuningOptions& options_;
    MetaParameters here_;
    AdamState adam_;
};

std::unexpected<Error> diverged(const FineTuningOptions& options, int epoch, std::string_view what) {
    const bool is_inner = options.rule == FineTuningRule::InnerSteps;
    const std::string_view whose = is_inner ? "inner rate" : "rate";
    return fail(
        Fault::Input,
        fmt::format("fine-tuning diverged in epoch {} (the {} became no finite number): the {} of {} is "
                    "probably too high",
                    epoch + 1, what, whose, is_inner ? options.inner_rate : options.adam_rate));
}

} // namespace

constexpr Names<FineTuningRule, 3> rule_names{{{FineTuningRule::InnerSteps, "inner"},
                                               {FineTuningRule::Adam, "adam"},
                                               {FineTuningRule::ClosedForm, "closed-form"}}};

std::string_view name(FineTuningRule rule) {
    return name_in(rule_names, rule);
}

std::optional<FineTuningRule> parse_fine_tuning_rule(std::string_view text) {
    return value_in(rule_names, text);
}

int fine_tuning_epochs(FineTuningRule rule) {
    switch (rule) {
    case FineTuningRule::Adam:
        return 20;
    case FineTuningRule::InnerSteps:
        return 5;
    case FineTuningRule::ClosedForm:
        break;
    }
    return 10;
}

namespace {

/// From these weights on, epoch by epoch.
Result<NamedTensors> tuned_by_steps(ExampleStore& examples, std::size_t task,
                                    std::span<const std::size_t> workloads, const FineTuningOptions& options,
                                    const MetaParameters& parameters, const FineTuningObserver& observer,
                                    const std::stop_token& stop) {
    Tuning tuning(options, parameters);
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
        const auto steps = plan(examples.tasks(), task, workloads, options, epoch);
        if (steps.empty())
            break;
        double losses = 0;
        for (const StepPlan& step : steps) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "fine-tuning was stopped");
            const auto workload = examples.objective(options.loss, task, step.front().query);
            if (!workload)
                return std::unexpected(workload.error());
            const double loss = tuning.step(*workload, share_of_rate(options, epoch));
            if (!std::isfinite(loss))
                return diverged(options, epoch, "loss");
            losses += loss;
        }
        if (!are_finite(tuning.weights()))
            return diverged(options, epoch, "weights");
        if (observer)
            observer(epoch, losses / static_cast<double>(steps.size()));
    }
    return tuning.weights();
}

/// All configurations of these workloads.
std::vector<ExampleChoice> all_of(const Task& task, std::span<const std::size_t> workloads) {
    std::vector<ExampleChoice> choices;
    for (std::size_t at = 0; at < task.runtimes.size(); ++at) {
        if (std::ranges::find(workloads, task.runtimes[at].workload) == workloads.end())
            continue;
        std::vector<std::size_t> places(task.runtimes[at].configurations.size());
        std::iota(places.begin(), places.end(), std::size_t{0});
        choices.push_back({at, std::move(places)});
    }
    return choices;
}

/// The weights with the parameters of a calibrated machine. Measurements that say nothing of it change
/// nothing.
Result<NamedTensors> with_calibration(ExampleStore& examples, std::size_t task,
                                      std::span<const std::size_t> workloads,
                                      const FineTuningOptions& options, const NamedTensors& weights,
                                      const std::stop_token& stop) {
    const auto machine = examples.calibrate(task, workloads, options.seed, stop);
    if (!machine && machine.error().fault == Fault::Input)
        return weights;
    if (!machine)
        return std::unexpected(machine.error());
    std::vector<at::Tensor> tensors = weights.tensors();
    for (std::size_t at = 0; at < tensors.size(); ++at)
        if (weights.names()[at] == simulator_parameters)
            tensors[at] = to_tensor(*machine).to(tensors[at].options());
    return weights.with(std::move(tensors));
}

Result<NamedTensors> tuned_in_closed_form(ExampleStore& examples, std::size_t task,
                                          std::span<const std::size_t> workloads,
                                          const FineTuningOptions& options, NamedTensors weights,
                                          const std::stop_token& stop) {
    if (workloads.size() >= fewest_to_calibrate) {
        auto calibrated = with_calibration(examples, task, workloads, options, weights, stop);
        if (!calibrated)
            return calibrated;
        weights = *std::move(calibrated);
    }
    const auto rows = examples.linear_terms(task, all_of(examples.tasks().tasks[task], workloads));
    if (!rows)
        return std::unexpected(rows.error());
    if (stop.stop_requested())
        return fail(Fault::Cancelled, "fine-tuning was stopped");
    const c10::AutoGradMode no_graph(false);
    return leaves(with_posterior_head(weights, *rows));
}

} // namespace

Result<NamedTensors> fine_tune(ExampleStore& examples, std::size_t task,
                               std::span<const std::size_t> workloads, const FineTuningOptions& options,
                               const MetaParameters& parameters, const FineTuningObserver& observer,
                               const std::stop_token& stop) {
    return guarded([&]() -> Result<NamedTensors> {
        if (options.rule != FineTuningRule::ClosedForm)
            return tuned_by_steps(examples, task, workloads, options, parameters, observer, stop);
        auto solved = tuned_in_closed_form(examples, task, workloads, options, parameters.weights, stop);
        if (!solved || workloads.size() < fewest_to_refine)
            return solved;
        return tuned_by_steps(examples, task, workloads, options, {*std::move(solved), std::nullopt},
                              observer, stop);
    });
}

namespace {

/// Workloads of the split that the task has runtimes of.
WorkloadSplit measured_on(const Task& task, const WorkloadSplit& split) {
    std::vector<std::size_t> measured;
    measured.reserve(task.runtimes.size());
    for (const WorkloadRuntimes& runtimes : task.runtimes)
        measured.push_back(runtimes.workload);
    std::ranges::sort(measured);
    WorkloadSplit kept = split;
    for (std::vector<std::size_t>* side : {&kept.train, &kept.validation, &kept.test})
        std::erase_if(*side,
                      [&](std::size_t workload) { return !std::ranges::binary_search(measured, workload); });
    return kept;
}

/// Numbers of shots that are more than there are to learn from are all the same.
std::vector<std::size_t> different_shots(const std::vector<std::size_t>& wanted, std::size_t available) {
    std::vector<std::size_t> shots;
    for (const std::size_t count : wanted)
        if (shots.empty() || std::min(count, available) != shots.back())
            shots.push_back(std::min(count, available));
    return shots;
}

/// Adapted to so many rows of these workloads, drawn by the seed of the options.
Result<NamedTensors> fine_tune_on_rows(const ExampleStore& examples, std::size_t task,
                                       std::span<const std::size_t> workloads, std::size_t rows,
                                       const FineTuningOptions& options, const MetaParameters& start,
                                       const std::stop_token& stop) {
    const TaskSet drawn = drawn_rows(examples.tasks(), task, workloads, rows, rows_of_a_step, options.seed);
    std::vector<std::size_t> all(drawn.workloads.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    ExampleStore store = examples.store_of(drawn);
    return fine_tune(store, 0, all, options, start, {}, stop);
}

/// The test workloads by family.
std::map<std::string, std::vector<std::size_t>> test_families(const TaskSet& tasks,
                                                              std::span<const std::size_t> test) {
    const std::vector<std::size_t> first_of = workload_families(tasks.workloads);
    std::map<std::string, std::vector<std::size_t>> families;
    for (const std::size_t workload : test)
        families[tasks.workloads[first_of[workload]].name].push_back(workload);
    return families;
}

} // namespace

namespace {

constexpr std::size_t fewest_seeds = 3; ///< for an interval

} // namespace

MetricRange range_of(std::string_view metric) {
    if (metric == "ordered_pair_accuracy")
        return {0, 1};
    if (metric == "kendall_tau" || metric == "workload_kendall_tau")
        return {-1, 1};
    if (metric == "loss" || metric == "log_time_error" || metric.starts_with("regret_at_") ||
        metric.starts_with("speedup_at_"))
        return {0, std::numeric_limits<double>::infinity()};
    return {};
}

Interval confidence_interval(std::span<const double> values, const MetricRange& range) {
    const auto count = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values)
        mean += value / count;
    if (values.size() < fewest_seeds)
        return {mean, std::nullopt, std::nullopt};
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    const double half = student_factor(values.size() - 1) * std::sqrt(squares / (count - 1) / count);
    return {mean, std::max(mean - half, range.low), std::min(mean + half, range.high)};
}

std::optional<Interval> confidence_interval(const ShotPoint& point, const std::string& metric) {
    std::vector<double> values;
    for (const RankingReport& report : point.seeds) {
        const auto named = report.by_name();
        if (const auto found = named.find(metric); found != named.end())
            values.push_back(found->second);
    }
    if (values.empty())
        return std::nullopt;
    return confidence_interval(values, range_of(metric));
}

Result<std::vector<ShotPoint>> shot_curve(ExampleStore& examples, std::size_t task,
                                          const WorkloadSplit& split,
                                          std::span<const ShotContender> contenders,
                                          const ShotCurveOptions& options,
                                          const std::function<void(const ShotPoint&)>& observer,
                                          const std::stop_token& stop, const ProgressSink& progress) {
    const WorkloadSplit measured = measured_on(examples.tasks().tasks[task], split);
    const std::size_t available =
        options.by_row ? count_rows(examples.tasks().tasks[task], measured.train) : measured.train.size();
    const std::vector<std::size_t> shot_counts = different_shots(options.shots, available);
    const auto families = options.by_family ? test_families(examples.tasks(), measured.test)
                                            : std::map<std::string, std::vector<std::size_t>>();
    const auto seeds = static_cast<std::size_t>(std::max(options.seeds, 0));
    const std::uint64_t total = shot_counts.size() * contenders.size() * seeds;
    return guarded([&]() -> Result<std::vector<ShotPoint>> {
        std::vector<ShotPoint> points;
        std::uint64_t done = 0;
        for (const std::size_t shots : shot_counts) {
            for (const ShotContender& contender : contenders) {
                ShotPoint point{contender.name, shots, {}, {}};
                for (std::uint64_t seed = options.first_seed; seed < options.first_seed + seeds; ++seed) {
                    if (progress)
                        progress({"fine-tuning", done++, total});
                    FineTuningOptions tuning = contender.fine_tuning;
                    tuning.seed = seed;
                    const MetaParameters start = contender.start(seed);
                    const auto weights =
                        options.by_row
                            ? fine_tune_on_rows(examples, task, measured.train, shots, tuning, start, stop)
                            : fine_tune(examples, task, training_subset(measured, shots, seed), tuning, start,
                                        {}, stop);
                    if (!weights)
                        return std::unexpected(weights.error());
                    auto report = report_ranking(examples, *weights, tuning.loss, task, measured.test, stop);
                    if (!report)
                        return std::unexpected(std::move(report).error());
                    point.seeds.push_back(*std::move(report));
                    if (options.by_family)
                        point.families.emplace_back();
                    for (const auto& [family, workloads] : families) {
                        auto of_family =
                            report_ranking(examples, *weights, tuning.loss, task, workloads, stop);
                        if (!of_family)
                            return std::unexpected(std::move(of_family).error());
                        point.families.back().emplace(family, *std::move(of_family));
                    }
                }
                if (observer)
                    observer(point);
                points.push_back(std::move(point));
            }
        }
        if (progress)
            progress({"fine-tuning", total, total});
        return points;
    });
}

} // namespace sparsight

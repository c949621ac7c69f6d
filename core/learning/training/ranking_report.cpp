#include "learning/training/ranking_report.h"

#include "model/networks/gray_box.h"
#include "model/tensors/torch_runtime.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sparsight {

namespace {

/// A mean over those that have a value.
class Mean {
public:
    void add(const std::optional<double>& value, int count = 1) {
        if (!value || count == 0)
            return;
        sum_ += *value * count;
        count_ += count;
    }
    [[nodiscard]] std::optional<double> value() const {
        return count_ > 0 ? std::optional(sum_ / count_) : std::nullopt;
    }
    [[nodiscard]] int count() const { return count_; }

private:
    double sum_ = 0;
    int count_ = 0;
};

/// Of workloads or of whole reports.
struct Sums {
    int workloads = 0;
    Mean loss;
    PairCounts pairs;
    Mean ordered_pairs;
    Mean ordered_pairs_beyond_noise;
    Mean best_quarter;
    Mean tau;
    PerTopCount<Mean> regret;
    PerTopCount<Mean> log_regret;
    PerTopCount<Mean> log_speedup;
    Mean squared_speed_error;
    Mean log_time_error;
    Mean time_error;
    Mean workload_tau;

    [[nodiscard]] RankingReport report() const {
        RankingReport report;
        report.workloads = workloads;
        report.loss = loss.value().value_or(0);
        report.counts.pairs = pairs;
        report.ordered_pair_accuracy = ordered_pairs.value();
        report.counts.ordered_pairs = ordered_pairs.count();
        report.ordered_pairs_beyond_noise = ordered_pairs_beyond_noise.value();
        report.counts.ordered_pairs_beyond_noise = ordered_pairs_beyond_noise.count();
        report.best_quarter_accuracy = best_quarter.value();
        report.counts.best_quarter = best_quarter.count();
        report.kendall_tau = tau.value();
        report.counts.kendall_tau = tau.count();
        for (std::size_t k = 0; k < top_counts.size(); ++k) {
            report.regret[k] = regret[k].value();
            report.counts.regret[k] = regret[k].count();
            report.log_regret[k] = log_regret[k].value();
            if (const auto mean = log_speedup[k].value())
                report.speedup[k] = std::exp(*mean);
            report.counts.speedup[k] = log_speedup[k].count();
        }
        if (const auto mean = squared_speed_error.value())
            report.speed_error = std::sqrt(*mean);
        report.log_time_error = log_time_error.value();
        report.time_error = time_error.value();
        report.counts.log_time_error = log_time_error.count();
        report.workload_tau = workload_tau.value();
        report.counts.workload_tau = workload_tau.count();
        return report;
    }
};

std::optional<double> baseline_time(const WorkloadRuntimes& runtimes) {
    if (runtimes.baseline && std::isfinite(runtimes.milliseconds[*runtimes.baseline]))
        return runtimes.milliseconds[*runtimes.baseline];
    return std::nullopt;
}

struct FiniteRange {
    double fastest = 0;
    double slowest = 0;
};

/// Nothing where no configuration ran.
std::optional<FiniteRange> finite_range(std::span<const double> times) {
    std::optional<FiniteRange> range;
    for (const double milliseconds : times)
        if (std::isfinite(milliseconds)) {
            if (!range)
                range = {milliseconds, milliseconds};
            range = {std::min(range->fastest, milliseconds), std::max(range->slowest, milliseconds)};
        }
    return range;
}

/// The scores and times of one whole workload, of which several parts may be tested.
struct WholeWorkloadScores {
    std::vector<float> scores;
    std::vector<double> milliseconds;
    std::optional<double> baseline_ms;
    double fastest_untested = std::numeric_limits<double>::infinity(); ///< where regret is of all

    void add(std::span<const float> part, const WorkloadRuntimes& runtimes) {
        scores.insert(scores.end(), part.begin(), part.end());
        milliseconds.insert(milliseconds.end(), runtimes.milliseconds.begin(), runtimes.milliseconds.end());
    }
};

/// What the model's own choices gain and lose: the baseline, which a search measures beside them, would hide
/// how bad they are.
void add_top_counts(Sums& sums, const WholeWorkloadScores& whole) {
    const auto range = finite_range(whole.milliseconds);
    if (!range || whole.scores.size() == 1) // nobody can choose badly among one
        return;
    const double fastest = std::min(range->fastest, whole.fastest_untested);
    // Where none of them ran there is no time to compare; that of the baseline, which may be the fastest,
    // would praise what failed.
    const auto time_of = [&](double answer) { return std::isfinite(answer) ? answer : range->slowest; };
    for (std::size_t k = 0; k < top_counts.size(); ++k) {
        sums.regret[k].add(mean_of_top(whole.scores, whole.milliseconds, top_counts[k],
                                       [&](double answer) { return time_of(answer) / fastest - 1; }));
        sums.log_regret[k].add(
            mean_of_top(whole.scores, whole.milliseconds, top_counts[k],
                        [&](double answer) { return std::log(time_of(answer) / fastest); }));
        if (whole.baseline_ms)
            sums.log_speedup[k].add(
                mean_of_top(whole.scores, whole.milliseconds, top_counts[k],
                            [&](double answer) { return std::log(*whole.baseline_ms / time_of(answer)); }));
    }
}

/// How well a network that predicts ln(milliseconds) does, beyond the order within one workload.
class PredictedTimes {
public:
    /// The finite times of one workload, which may be a part of a whole one.
    void add(std::span<const float> scores, const WorkloadRuntimes& runtimes, const std::string& whole,
             double fastest) {
        for (std::size_t place = 0; place < scores.size(); ++place) {
            if (!std::isfinite(runtimes.milliseconds[place]))
                continue;
            const double predicted = static_cast<double>(scores[place]);
            const double measured = std::log(runtimes.milliseconds[place]);
            error_.add(std::abs(predicted - measured));
            relative_error_.add(std::abs(std::expm1(predicted - measured)));
            const double speed = std::min(std::exp(std::log(fastest) - predicted), 1.0); // 1 is the fastest
            const double off = speed - fastest / runtimes.milliseconds[place];
            squared_speed_error_.add(off * off);
            auto& [of_predicted, of_measured] = workloads_[whole];
            of_predicted.add(predicted);
            of_measured.add(measured);
        }
    }

    void finish(Sums& sums) const {
        std::vector<double> predicted;
        std::vector<double> measured;
        for (const auto& [whole, means] : workloads_) {
            predicted.push_back(means.first.value().value_or(0));
            measured.push_back(means.second.value().value_or(0));
        }
        sums.squared_speed_error.add(squared_speed_error_.value(), squared_speed_error_.count());
        sums.log_time_error.add(error_.value(), error_.count());
        sums.time_error.add(relative_error_.value(), relative_error_.count());
        sums.workload_tau.add(kendall_tau_b(count_pairs(predicted, measured)));
    }

private:
    Mean squared_speed_error_;
    Mean error_; ///< of the logarithm
    Mean relative_error_;
    std::map<std::string, std::pair<Mean, Mean>> workloads_; ///< predicted and measured
};

/// By whole_name().
using WholeWorkloads = std::map<std::string, WholeWorkloadScores>;

/// Of every whole workload on this machine, tested or not, by its name; infinite where nothing ran.
std::unordered_map<std::string_view, double> fastest_times(const TaskSet& tasks, const Task& on) {
    std::unordered_map<std::string_view, double> fastest;
    for (const WorkloadRuntimes& runtimes : on.runtimes) {
        const std::string& whole = tasks.workloads[runtimes.workload].whole_name();
        double& known = fastest.try_emplace(whole, std::numeric_limits<double>::infinity()).first->second;
        if (const auto range = finite_range(runtimes.milliseconds))
            known = std::min(known, range->fastest);
    }
    return fastest;
}

/// Adds one workload, or a part of one.
Result<void> add(Sums& sums, WholeWorkloads& wholes, const at::Tensor& found, Loss loss,
                 const WorkloadRuntimes& runtimes, const TaskWorkload& workload) {
    const at::Tensor on_host = found.to(at::kCPU, at::kFloat).contiguous();
    const std::span<const float> scores(on_host.data_ptr<float>(), runtimes.configurations.size());
    if (!std::ranges::all_of(scores, [](float score) { return std::isfinite(score); }))
        return fail(Fault::Input, fmt::format("the scores of {} are no finite numbers: training diverged, so "
                                              "a rate is probably too high",
                                              workload.name));
    ++sums.workloads;
    sums.loss.add(ranking_loss(loss, found, runtimes.known()).item<double>());
    const RankingQuality quality = ranking_quality(scores, runtimes.known());
    sums.pairs += quality.pairs;
    sums.ordered_pairs.add(quality.ordered_pairs);
    sums.ordered_pairs_beyond_noise.add(quality.ordered_pairs_beyond_noise);
    sums.best_quarter.add(quality.best_quarter_pairs);
    sums.tau.add(quality.kendall_tau);
    wholes[workload.whole_name()].add(scores, runtimes);
    return {};
}

using TensorScorer = std::function<Result<at::Tensor>(std::size_t runtimes)>;

/// `predicts_times`: the scores are what the network says of ln(milliseconds).
Result<RankingReport> report(const TaskSet& tasks, const TensorScorer& scorer, Loss loss, bool predicts_times,
                             std::size_t task, std::span<const std::size_t> workloads,
                             const std::stop_token& stop, const ProgressSink& progress) {
    const Task& on = tasks.tasks[task];
    const std::unordered_set<std::size_t> wanted(workloads.begin(), workloads.end());
    std::vector<std::size_t> measured;
    for (std::size_t r = 0; r < on.runtimes.size(); ++r)
        if (wanted.contains(on.runtimes[r].workload))
            measured.push_back(r);
    return guarded([&]() -> Result<RankingReport> {
        Sums sums;
        WholeWorkloads wholes;
        std::vector<std::pair<std::size_t, at::Tensor>> predicted; ///< scores by runtimes
        const std::string stage = "ranking " + tasks.words.configuration.many;
        for (std::uint64_t done = 0; const std::size_t r : measured) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled,
                            "stopped while " + tasks.words.configuration.many + " were ranked");
            if (progress)
                progress({stage, done++, measured.size()});
            const auto scores = scorer(r);
            if (!scores)
                return std::unexpected(scores.error());
            const WorkloadRuntimes& runtimes = on.runtimes[r];
            const TaskWorkload& workload = tasks.workloads[runtimes.workload];
            if (auto added = add(sums, wholes, *scores, loss, runtimes, workload); !added)
                return std::unexpected(std::move(added).error());
            if (predicts_times)
                predicted.emplace_back(r, scores->to(at::kCPU, at::kFloat).contiguous());
        }
        // A part that is not tested may have the baseline, or the fastest of all.
        for (const WorkloadRuntimes& runtimes : on.runtimes)
            if (const auto whole = wholes.find(tasks.workloads[runtimes.workload].whole_name());
                whole != wholes.end()) {
                if (const auto baseline = baseline_time(runtimes))
                    whole->second.baseline_ms = baseline;
                if (const auto range = finite_range(runtimes.milliseconds); range && tasks.has_regret_of_all)
                    whole->second.fastest_untested = std::min(whole->second.fastest_untested, range->fastest);
            }
        for (const auto& [name, whole] : wholes)
            add_top_counts(sums, whole);
        if (predicts_times) {
            PredictedTimes times;
            const auto fastest = fastest_times(tasks, on);
            for (const auto& [r, scores] : predicted) {
                const WorkloadRuntimes& runtimes = on.runtimes[r];
                const std::string& whole = tasks.workloads[runtimes.workload].whole_name();
                times.add({scores.data_ptr<float>(), runtimes.configurations.size()}, runtimes, whole,
                          tasks.has_relative_times ? 1 : fastest.at(whole));
            }
            times.finish(sums);
        }
        return sums.report();
    });
}

} // namespace

std::map<std::string, double> RankingReport::by_name() const {
    std::map<std::string, double> named{{"loss", loss}};
    const auto put = [&](const std::string& metric, const std::optional<double>& value) {
        if (value)
            named[metric] = *value;
    };
    put("ordered_pair_accuracy", ordered_pair_accuracy);
    put("ordered_pairs_beyond_noise", ordered_pairs_beyond_noise);
    put("best_quarter_accuracy", best_quarter_accuracy);
    put("kendall_tau", kendall_tau);
    for (std::size_t k = 0; k < top_counts.size(); ++k) {
        put(fmt::format("regret_at_{}", top_counts[k]), regret[k]);
        put(fmt::format("log_regret_at_{}", top_counts[k]), log_regret[k]);
        put(fmt::format("speedup_at_{}", top_counts[k]), speedup[k]);
    }
    put("speed_error", speed_error);
    put("log_time_error", log_time_error);
    put("time_error", time_error);
    put("workload_kendall_tau", workload_tau);
    return named;
}

Result<RankingReport> report_ranking(ExampleStore& examples, const NamedTensors& weights, Loss loss,
                                     std::size_t task, std::span<const std::size_t> workloads,
                                     const std::stop_token& stop, const ProgressSink& progress) {
    if (examples.encoder().batches() == nullptr) {
        const auto scorer = [&](std::size_t runtimes) { return examples.scores(weights, task, runtimes); };
        return report(examples.tasks(), scorer, loss, predicts_times(loss), task, workloads, stop, progress);
    }
    const std::unordered_set<std::size_t> wanted(workloads.begin(), workloads.end());
    std::vector<std::size_t> measured;
    for (std::size_t r = 0; r < examples.tasks().tasks[task].runtimes.size(); ++r)
        if (wanted.contains(examples.tasks().tasks[task].runtimes[r].workload))
            measured.push_back(r);
    const auto scores = examples.scores_each(weights, task, measured, stop, progress);
    if (!scores)
        return std::unexpected(scores.error());
    std::unordered_map<std::size_t, at::Tensor> known;
    for (std::size_t at = 0; at < measured.size(); ++at)
        known.emplace(measured[at], (*scores)[at]);
    const auto scorer = [&](std::size_t runtimes) { return Result<at::Tensor>(known.at(runtimes)); };
    return report(examples.tasks(), scorer, loss, predicts_times(loss), task, workloads, stop, progress);
}

Result<RankingReport> report_simulator(ExampleStore& examples, const NamedTensors& weights, Loss loss,
                                       std::size_t task, std::span<const std::size_t> workloads,
                                       const std::stop_token& stop) {
    const auto offsets = [&](std::size_t runtimes) -> Result<at::Tensor> {
        const auto numbers = examples.pair_numbers(weights, task, runtimes, stop);
        return numbers ? Result<at::Tensor>(numbers->offset) : std::unexpected(numbers.error());
    };
    return report(examples.tasks(), offsets, loss, false, task, workloads, stop, {});
}

Result<RankingReport> report_scores(const TaskSet& tasks, const RuntimesScorer& scorer, Loss loss,
                                    bool predicts_times, std::size_t task,
                                    std::span<const std::size_t> workloads, const std::stop_token& stop,
                                    const ProgressSink& progress) {
    const auto as_tensor = [&](std::size_t runtimes) -> Result<at::Tensor> {
        const auto scores = scorer(runtimes);
        if (!scores)
            return std::unexpected(scores.error());
        return at::tensor(*scores, at::kFloat);
    };
    return report(tasks, as_tensor, loss, predicts_times, task, workloads, stop, progress);
}

RankingReport combine(std::span<const RankingReport> reports) {
    Sums all;
    for (const RankingReport& report : reports) {
        all.workloads += report.workloads;
        all.loss.add(report.loss, report.workloads);
        all.pairs += report.counts.pairs;
        all.ordered_pairs.add(report.ordered_pair_accuracy, report.counts.ordered_pairs);
        all.ordered_pairs_beyond_noise.add(report.ordered_pairs_beyond_noise,
                                           report.counts.ordered_pairs_beyond_noise);
        all.best_quarter.add(report.best_quarter_accuracy, report.counts.best_quarter);
        all.tau.add(report.kendall_tau, report.counts.kendall_tau);
        for (std::size_t k = 0; k < top_counts.size(); ++k) {
            all.regret[k].add(report.regret[k], report.counts.regret[k]);
            all.log_regret[k].add(report.log_regret[k], report.counts.regret[k]);
            if (report.speedup[k])
                all.log_speedup[k].add(std::log(*report.speedup[k]), report.counts.speedup[k]);
        }
        if (report.speed_error)
            all.squared_speed_error.add(*report.speed_error * *report.speed_error,
                                        report.counts.log_time_error);
        all.log_time_error.add(report.log_time_error, report.counts.log_time_error);
        all.time_error.add(report.time_error, report.counts.log_time_error);
        all.workload_tau.add(report.workload_tau, report.counts.workload_tau);
    }
    return all.report();
}

} // namespace sparsight

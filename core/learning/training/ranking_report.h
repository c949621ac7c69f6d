// How well a model ranks the configurations of workloads that it did not train on: the metrics of every
// epoch.
#pragma once

#include "base/observer.h"
#include "learning/training/example_store.h"
#include "study/ranking_metrics.h"

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct RankingReport {
    int workloads = 0;
    double loss = 0; ///< mean over the workloads
    // RankingQuality, as means over the workloads that have it:
    std::optional<double> ordered_pair_accuracy;
    std::optional<double> ordered_pairs_beyond_noise;
    std::optional<double> best_quarter_accuracy;
    std::optional<double> kendall_tau;
    /// Mean over the whole workloads, by top_counts: how much slower the best of the model's k is than the
    /// best of all that are tested, in however many parts (split_tasks()): the best of a few is soon found;
    /// or than the best of all that there are (TaskSet::has_regret_of_all).
    /// The baseline counts only where the model chose it, though a search measures it in any case: what a
    /// user is spared says nothing about the model. Where none of the k ran, the time of the slowest that ran
    /// is taken instead. Where equal scores compete for the last places, this and the speedup are means over
    /// random choices among them.
    PerTopCount<std::optional<double>> regret;
    /// Mean of ln(1 + regret): one bad workload counts for less.
    PerTopCount<std::optional<double>> log_regret;
    /// … and geometric mean of the baseline's runtime over that of the best of the model's k, on the whole
    /// workloads where the baseline was measured, though it may not be tested: below 1 where the model's
    /// choices are slower.
    PerTopCount<std::optional<double>> speedup;
    // Of a model that predicts times (predicts_times(loss), TreesGoal::Times); scores of others compare
    // nothing but the configurations of one workload.
    /// Root mean square of predicted − true speed, which is the fastest time of the workload on the machine
    /// over that of the configuration: 1 of the fastest. A predicted speed above 1 counts as 1. The error of
    /// TenSet and of Verma et al. (2023), over the finite times of all workloads.
    std::optional<double> speed_error;
    /// Mean of |ln(predicted / measured)| over the finite times of all workloads.
    std::optional<double> log_time_error;
    /// Mean of |predicted / measured − 1| over the same times.
    std::optional<double> time_error;
    /// Kendall's τ across whole workloads of one machine: of the mean of the predicted ln(time) over all of a
    /// workload's finite times, against that of the measured one. The mean over the machines that have one.
    std::optional<double> workload_tau;

    /// What the means are over: combining reports needs it.
    struct Counts {
        PairCounts pairs;
        int ordered_pairs = 0; ///< workloads
        int ordered_pairs_beyond_noise = 0;
        int best_quarter = 0;
        int kendall_tau = 0;
        PerTopCount<int> regret{}; ///< whole workloads
        PerTopCount<int> speedup{};
        int log_time_error = 0; ///< times
        int workload_tau = 0;   ///< machines

        bool operator==(const Counts&) const = default;
    };
    Counts counts;

    bool operator==(const RankingReport&) const = default;

    /// By name, for storage and display: "loss", "ordered_pair_accuracy",
    /// "ordered_pairs_beyond_noise", "best_quarter_accuracy", "kendall_tau", "regret_at_5",
    /// "log_regret_at_5", "speedup_at_5", "speed_error", "log_time_error", "time_error",
    /// "workload_kendall_tau" … Absent ones are left out.
    [[nodiscard]] std::map<std::string, double> by_name() const;
};

/// Over the workloads of the task that are among `workloads`; all of their configurations are ranked. Errors:
/// a pattern that can't be had; scores that are no finite numbers; Fault::Cancelled.
[[nodiscard]] Result<RankingReport> report_ranking(ExampleStore& examples, const NamedTensors& weights,
                                                   Loss loss, std::size_t task,
                                                   std::span<const std::size_t> workloads,
                                                   const std::stop_token& stop = {},
                                                   const ProgressSink& progress = {});

/// The same of the simulator of a gray box alone, with w = 0 and calibrated as the weights say: on the pairs
/// that report_ranking() looks at. The examples are those of a gray box.
[[nodiscard]] Result<RankingReport> report_simulator(ExampleStore& examples, const NamedTensors& weights,
                                                     Loss loss, std::size_t task,
                                                     std::span<const std::size_t> workloads,
                                                     const std::stop_token& stop = {});

/// Scores of the configurations of Task::runtimes[runtimes], one for each; lower is faster.
using RuntimesScorer = std::function<Result<std::vector<float>>(std::size_t runtimes)>;

/// The same for scores from anywhere, such as trees. `predicts_times`: they are ln(milliseconds).
[[nodiscard]] Result<RankingReport> report_scores(const TaskSet& tasks, const RuntimesScorer& scorer,
                                                  Loss loss, bool predicts_times, std::size_t task,
                                                  std::span<const std::size_t> workloads,
                                                  const std::stop_token& stop = {},
                                                  const ProgressSink& progress = {});

/// The reports of several tasks as the one that all their workloads together would have.
[[nodiscard]] RankingReport combine(std::span<const RankingReport> reports);

} // namespace sparsight

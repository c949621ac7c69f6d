// The evaluation of models: for each model and workload the fastest of its k choices, the baseline and the
// best known configuration, and summary figures over all workloads. A workspace keeps the choices;
// evaluations are read from its current contents.
#pragma once

#include "base/error.h"
#include "evaluation/estimates.h"
#include "store/machines.h"
#include "store/models.h"
#include "store/results.h"
#include "store/runs.h"
#include "store/workloads.h"
#include "study/domain.h"
#include "study/measurement.h"
#include "study/workload.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class Workspace;

struct EvaluatedCandidate {
    int rank = 1; ///< in the model's order, from 1
    std::string configuration;
    std::optional<double> score; ///< lower is faster; absent where the model gave none
    bool is_baseline = false;
    std::optional<MeasurementStatus> status{}; ///< absent: it was never tried there
    std::optional<double> median_ms{};         ///< a lower bound where it was abandoned
    std::optional<double> spread_ms{};
    /// The time in a rematch, measured in turns: the baseline's median times the ratio to the baseline in the
    /// same turn. Comparable only with the other times of the rematch.
    std::optional<double> turns_ms{};
    std::optional<double> turns_spread_ms{}; ///< spread of turns_ms from turn to turn
    std::optional<double> turns_error_ms{};  ///< standard error of turns_ms
    std::vector<double> turn_ratios{};       ///< over the baseline, by turn
};

/// Facts about a time that comes from turns which did not choose its configuration.
struct ToldTime {
    double spread_ms = 0;              ///< from turn to turn
    std::optional<double> error_ms{};  ///< standard error, relative to the baseline in the same turn
    std::vector<double> turn_ratios{}; ///< over the baseline, by turn: of what the other turns chose
    double raw_ms = 0; ///< of the named configuration over all turns: too short by the luck of the chosen
    bool turns_agree = true; ///< on the fastest (FastestByTurn)
};

struct EvaluatedWorkload {
    WorkloadSpeedup times;
    std::string family{}; ///< equal for forms of one workload (store/workload_families.h); empty: its own
    /// The number of turns in which the three were measured again (collection/collector.h). The time of the
    /// fastest choice comes from turns that did not choose it (time_differences.h), so it may lie above the
    /// turns_ms of that candidate. 0: no rematch, and the times may have been measured at different times.
    int turns = 0;
    std::optional<double> speedup_error{}; ///< standard error, from turn to turn
    /// Standard error of the time ratio of the fastest choice and the best known, turn by turn: both share
    /// their turns, and are often one configuration.
    std::optional<double> regret_error{};
    std::optional<ToldTime> best_told{};       ///< of times.best_ms; only after a rematch
    std::optional<ToldTime> best_known_told{}; ///< of times.best_known_ms
    /// A configuration that was measured later may be faster than all of these; it is not compared with them.
    bool has_faster_since = false;
    std::optional<double> baseline_spread_ms{};
    /// The baseline's time as it was collected, where times.baseline_ms is of a rematch: what a candidate's
    /// median_ms is comparable with.
    std::optional<double> collected_baseline_ms{};
    std::optional<double> collected_baseline_spread_ms{};
    std::string best_configuration;
    /// All of the model's choices were abandoned: best_ms is a lower bound.
    bool best_was_given_up = false;
    std::string best_known_configuration;
    std::optional<double> best_known_spread_ms{};
    std::string baseline_configuration{}; ///< its text, as it was measured
    /// The model's k choices, followed by the baseline where the model did not choose it.
    std::vector<EvaluatedCandidate> candidates;
    /// Kendall's τ of the scores and the collected times of the model's k choices, also after a rematch,
    /// because a rematch measures only the fastest again.
    std::optional<double> kendall_tau{};
    /// Whether every configuration of the space was tried on the machine, so that the best known is the best.
    /// Absent where the space does not list its configurations.
    std::optional<bool> is_regret_exact{};

    /// The times with family and errors, as summaries want them.
    [[nodiscard]] WorkloadSpeedup speedup_with_errors() const;
    /// Half of the 95 % confidence interval of the speedup; absent where its error is not known.
    [[nodiscard]] std::optional<double> speedup_margin() const;
    /// Whether speedup_margin() exceeds precise_within (time_differences.h); the margin then stands behind
    /// the figure wherever it is shown.
    [[nodiscard]] bool is_uncertain() const;
    /// The same for the time compared with the best known.
    [[nodiscard]] std::optional<double> regret_margin() const;
    [[nodiscard]] bool is_regret_uncertain() const;
    /// Whether the fastest choice is the best known itself, whatever the turns tell of both.
    [[nodiscard]] bool is_best_known() const;
    /// The choice compared with the baseline, by its noise: of turns speedup_margin(), of single times both
    /// spreads. Every table, sentence and colour of an evaluation goes by this rule.
    [[nodiscard]] Verdict verdict() const { return speedup_with_errors().verdict(); }
    /// The same of any of the choices, by the time that over_baseline() tells; absent where it has none.
    [[nodiscard]] std::optional<Verdict> verdict_of(const EvaluatedCandidate& candidate) const;
    /// The sign before the speedup: "~" where it is within noise. The baseline itself has none.
    [[nodiscard]] std::string_view mark() const {
        return times.best_ms != times.baseline_ms && verdict() == Verdict::WithinNoise ? "~" : "";
    }
    /// A candidate's time over the baseline's, by the one rule of the evaluation: for the fastest choice
    /// 1 / speedup, for others by turns, or else as collected. Absent where it has no time.
    [[nodiscard]] std::optional<double> over_baseline(const EvaluatedCandidate& candidate) const;
};

struct EvaluatedModel {
    ModelId id{};
    std::string name;
    std::vector<EvaluatedWorkload> workloads; ///< the same ones in the same order for every model
    std::optional<SpeedupSummary> summary{};
    std::optional<double> kendall_tau{}; ///< mean over the workloads that have one
    std::int64_t chosen = 0;       ///< configurations over all workloads, the baseline behind the k left out
    std::int64_t without_time = 0; ///< number of these that were never tried there, were too large, or failed

    /// Half of the 95 % confidence interval that the turns alone leave of the mean speedup, as a share of it.
    /// It stands behind means that are uncertain. Speedups of unknown margins add nothing to it; absent where
    /// all are.
    [[nodiscard]] std::optional<double> margin() const;
    [[nodiscard]] bool is_uncertain() const { return margin().value_or(0) > precise_within; }
    /// The number of workloads where its choice is the best known.
    [[nodiscard]] std::size_t best_known_found() const;
};

/// The losses of the run that made a model, by epoch.
struct LossCurves {
    std::string model;
    std::vector<MetricPoint> training;
    std::vector<MetricPoint> validation;
};

/// A model compared with the first one, on the same workloads.
struct ModelComparison {
    std::string model;
    std::string reference;
    SpeedupComparison figures;
};

/// A configuration that should have been measured in turns and could not be: it is not compared.
struct MissedTurns {
    std::string workload;
    std::string configuration;
    std::string error;
};

struct LeftOutWorkload {
    std::string workload;
    std::string reason; ///< a sentence for the user
};

/// Where the times come from.
enum class TimeSource { Measured, Recorded, Simulated };

struct ModelEvaluation {
    std::string machine;
    TimeSource source = TimeSource::Measured;
    Setting setting;
    DomainWords words{}; ///< of the domain; without a baseline the best known
                         ///< configuration stands in its place: no speedup is above 1
    std::vector<SettingMember> setting_members{}; ///< parts of the setting, for files and texts
    std::string protocol;
    std::optional<std::string> condition{}; ///< condition of the runs; absent: any
    int k = 20;
    BootstrapOptions bootstrap;
    std::vector<EvaluatedModel> models;
    std::vector<ModelComparison> comparisons; ///< every model but the first, compared with the first
    std::vector<LossCurves> curves; ///< of the models and of the models that they were fine-tuned from
    std::vector<LeftOutWorkload> left_out;
    std::vector<MissedTurns> missed_turns{};
    std::string date;       ///< date of the newest time: UTC, ISO 8601
    std::string created_by; ///< program and version
    std::string machine_fingerprint{};
    /// Nicknames by the text of a configuration (study/nicknames.h); empty in a domain without nicknames.
    std::map<std::string, std::string, std::less<>> nicknames{};

    /// The nickname, or the text where there is none.
    [[nodiscard]] std::string_view name_of(std::string_view configuration) const;

    /// Whether the times are simulated by the description of the machine alone, and not from those that were
    /// collected on another one.
    [[nodiscard]] bool is_of_description() const;
    /// The machine by its fingerprint and condition, for search_target(), where the name alone could mean
    /// another machine or other runs. Empty: this computer.
    [[nodiscard]] std::string exact_machine() const;
    /// With the condition of the runs: "A100 (run=2021)".
    [[nodiscard]] std::string machine_with_condition() const;
    /// The number of workloads of every model: the length of all lists.
    [[nodiscard]] std::size_t workloads() const {
        return models.empty() ? 0 : models.front().workloads.size();
    }
    /// The number of workloads whose regret is exact; absent where no regret can be exact.
    [[nodiscard]] std::optional<std::size_t> workloads_with_exact_regret() const;
    /// What the regret compares with: "the best (exact)", "the best of the recorded ones", "the best known".
    [[nodiscard]] std::string_view best_title() const;
};

struct EvaluationScope {
    RunId run{};                 ///< the run whose choices are evaluated
    std::vector<ModelId> models; ///< in the order of the tables
    std::vector<WorkloadId> workloads;
    MachineRecord machine;
    Setting setting;
    std::string protocol = "adaptive";
    /// The threads of the kernels; absent: those of the machine's own baseline, as for a recorded machine.
    std::optional<int> threads{};
    std::optional<std::string> condition{}; ///< condition of the runs; absent: any
    int k = 20;
    BootstrapOptions bootstrap{};
};

/// The times of a workload that count in an evaluation.
[[nodiscard]] ResultQuery query_of(const EvaluationScope& scope, const std::string& workload);

/// Reads choices and times from the workspace. Where the run has made a rematch, its times count: of the
/// baseline, of the models' fastest, and of candidates for the best of all. A workload counts where the
/// baseline has a time (in a domain without a baseline: anything) and every model at least one; the others
/// are listed. Errors: those of the workspace; a model that is not there.
[[nodiscard]] Result<ModelEvaluation> evaluate_models(Workspace& workspace, const Domain& domain,
                                                      const EvaluationScope& scope);

} // namespace sparsight

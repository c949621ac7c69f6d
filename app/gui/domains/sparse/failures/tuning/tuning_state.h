// The state of fine-tuning on failures: which matrices a model is to learn from and how far the jobs have
// come. It is a value that outlives the window, because jobs do, and it is shared by all windows of this
// user: each window works on its own copy, and no window loses what another one has stored.
#pragma once

#include "domains/sparse/schedule/operator.h"
#include "gui/jobs/job.h"

#include <QByteArray>
#include <QStringList>
#include <optional>
#include <vector>

namespace sparsight {

class UserSettings;

/// Counts of failures on matrices that neither model has learned from.
struct TuningCount {
    qint64 matrices = 0;
    qint64 before = 0; ///< number of these matrices on which the model failed
    qint64 after = 0;  ///< number of these matrices on which the tuned model failed
    // The failures above that cost a user of the model time; in the others only the order of the choices is
    // wrong.
    qint64 costly_before = 0;
    qint64 costly_after = 0;

    bool operator==(const TuningCount&) const = default;
};

/// The schedules that a model chose, represented by the fastest of them.
struct TuningChoice {
    QString schedule{}; ///< in WACO's form
    double ms = 0;
    std::optional<double> spread_ms{};
    std::optional<int> rank{}; ///< in the model's order, from 1

    bool operator==(const TuningChoice&) const = default;
};

/// One matrix before and after fine-tuning, from one evaluation of both models.
struct TuningOutcome {
    QString matrix{};
    TuningChoice before{};
    TuningChoice after{};
    double fixed_csr_ms = 0;
    double best_known_ms = 0;
    int turns = 0; ///< number of turns that timed all of these schedules; 0: they may be from different times

    /// The time after over the one before, turn by turn, and half of its 95 % confidence interval; absent
    /// where the times are not of turns.
    std::optional<double> turn_ratio{};
    std::optional<double> turn_margin{};

    [[nodiscard]] double ratio() const { return turn_ratio.value_or(after.ms / before.ms); }
    /// Whether the times differ by more than their noise: the interval of the ratio by turns leaves 1 out, or
    /// they lie further apart than both spreads. Never for the same schedule, whichever turns timed it.
    [[nodiscard]] bool differs() const;
    bool operator==(const TuningOutcome&) const = default;
};

struct TuningComparison {
    qint64 run = 0;                        ///< the evaluation that was compared
    TuningCount family{};                  ///< matrices of the families that were learned from
    TuningCount elsewhere{};               ///< all other matrices
    QStringList newly_failing;             ///< matrices on which only the tuned model fails
    std::vector<TuningOutcome> outcomes{}; ///< of all matrices; those that were learned from come first

    [[nodiscard]] const TuningOutcome* outcome(const QString& matrix) const; ///< nullptr: not compared

    bool operator==(const TuningComparison&) const = default;
};

struct TuningState {
    // Identity of the plan:
    QString workspace;
    QString model;
    QString machine; ///< fingerprint
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;

    QStringList matrices;         ///< waiting for the next fine-tuning
    QStringList families;         ///< families of `matrices`, by name(PatternFamily)
    std::vector<JobId> measuring; ///< jobs not known to be over

    // The last fine-tuning, from its start on:
    std::optional<JobId> tuning;    ///< the fine-tuning job until it is over
    std::optional<JobId> comparing; ///< the evaluation job until it is over
    QString tuned;                  ///< name of the model that fine-tuning makes
    QStringList learned_families;   ///< families of the matrices that it learns from
    QStringList learned;            ///< the matrices that it learns from; they are compared, but not counted
    QStringList held_out;           ///< the matrices on which both models are compared
    int k = 20;
    int threads = 0;      ///< threads used for measuring; 0: the times of `machine` are looked up
    QString outcome;      ///< for people
    bool is_made = false; ///< whether the tuned model exists
    std::optional<TuningComparison> comparison;

    /// Nothing would be lost without this state.
    [[nodiscard]] bool is_empty() const { return matrices.isEmpty() && tuned.isEmpty() && outcome.isEmpty(); }
    /// A job of the plan is not known to be over.
    [[nodiscard]] bool has_job() const { return !measuring.empty() || tuning || comparing; }
    bool operator==(const TuningState&) const = default;
};

[[nodiscard]] QByteArray tuning_states_json(const std::vector<TuningState>& states);
/// Leaves out what can't be understood.
[[nodiscard]] std::vector<TuningState> parse_tuning_states(const QByteArray& json);

/// Two states belong to the same plan if workspace, model, machine, operator and dense extent agree. A state
/// that changed here since `read` wins; a state that did not change here is taken from `theirs`. The states
/// of `theirs` come first.
[[nodiscard]] std::vector<TuningState> merged_states(const std::vector<TuningState>& read,
                                                     const std::vector<TuningState>& mine,
                                                     const std::vector<TuningState>& theirs);

/// Drops empty states and the oldest states beyond `most`; a state with a running job stays.
void forget_old_states(std::vector<TuningState>& states, std::size_t most);

class TuningStates {
public:
    explicit TuningStates(UserSettings& settings);

    /// The newest comes last. References hold until the next refresh() or keep().
    [[nodiscard]] std::vector<TuningState>& all() { return states_; }
    [[nodiscard]] const std::vector<TuningState>& all() const { return states_; }
    /// Merges what other windows have stored meanwhile.
    void refresh();
    /// Stores the states for other windows and the next start.
    void keep();

private:
    UserSettings& settings_;
    std::vector<TuningState> states_;
    std::vector<TuningState> read_; ///< as they were stored when last read or kept
};

} // namespace sparsight

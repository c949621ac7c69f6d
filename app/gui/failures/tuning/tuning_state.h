// What a model is to learn from its failures, and how far that has come: a value that outlives the window,
// since jobs do.
#pragma once

#include "domains/sparse/schedule/operator.h"
#include "gui/jobs/job.h"

#include <QByteArray>
#include <QStringList>
#include <optional>
#include <vector>

namespace sparsight {

/// Failures on matrices that neither model has learned from.
struct TuningCount {
    qint64 matrices = 0;
    qint64 before = 0; ///< of these, on which the model failed
    qint64 after = 0;  ///< … and the one that was tuned from it
    // Of these, by which whoever follows the model loses time; the others are wrong about their own choice.
    qint64 costly_before = 0;
    qint64 costly_after = 0;

    bool operator==(const TuningCount&) const = default;
};

/// What a model chose, by the fastest of its choice.
struct TuningChoice {
    QString schedule{}; ///< in WACO's form
    double ms = 0;
    std::optional<double> spread_ms{};
    std::optional<int> rank{}; ///< in the order of the model, from 1

    bool operator==(const TuningChoice&) const = default;
};

/// One matrix before and after, from one evaluation of both models.
struct TuningOutcome {
    QString matrix{};
    TuningChoice before{};
    TuningChoice after{};
    double fixed_csr_ms = 0;
    double best_known_ms = 0;
    int turns = 0; ///< in which all of these were timed; 0: they may be of different times

    /// By more than the noise of both; the same schedule never, whichever turns told its time.
    [[nodiscard]] bool differs() const;
    bool operator==(const TuningOutcome&) const = default;
};

struct TuningComparison {
    qint64 run = 0;            ///< the evaluation that it is of
    TuningCount family{};      ///< of the families of what was learned from
    TuningCount elsewhere{};   ///< all others
    QStringList newly_failing; ///< matrices on which the tuned model fails, and the other one did not
    std::vector<TuningOutcome> outcomes{}; ///< of all matrices, those that were learned from first

    [[nodiscard]] const TuningOutcome* outcome(const QString& matrix) const; ///< nullptr: not compared

    bool operator==(const TuningComparison&) const = default;
};

struct TuningState {
    // Whose failures on what:
    QString workspace;
    QString model;
    QString machine; ///< fingerprint
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;

    QStringList matrices;         ///< that wait for the next fine-tuning
    QStringList families;         ///< theirs, by name(PatternFamily)
    std::vector<JobId> measuring; ///< jobs that are not over, as far as is known

    // Of the last fine-tuning, from its start on:
    std::optional<JobId> tuning;    ///< until it is over
    std::optional<JobId> comparing; ///< likewise
    QString tuned;                  ///< name of the model that it makes
    QStringList learned_families;   ///< of the matrices that it learns from
    QStringList learned;            ///< these matrices, which are compared beside, and not counted
    QStringList held_out;           ///< that both models are compared on
    int k = 20;
    int threads = 0;      ///< that kernels are measured with; 0: the times of `machine` are looked up
    QString outcome;      ///< for people
    bool is_made = false; ///< the model is there
    std::optional<TuningComparison> comparison;

    /// Nobody would miss it.
    [[nodiscard]] bool is_empty() const { return matrices.isEmpty() && tuned.isEmpty() && outcome.isEmpty(); }
    /// As far as is known, one that is not over.
    [[nodiscard]] bool has_job() const { return !measuring.empty() || tuning || comparing; }
    bool operator==(const TuningState&) const = default;
};

[[nodiscard]] QByteArray tuning_states_json(const std::vector<TuningState>& states);
/// What can't be understood is left out.
[[nodiscard]] std::vector<TuningState> parse_tuning_states(const QByteArray& json);

// The plans of all windows of this user: each window works on its own copy, and none loses what another one
// has kept.

class UserSettings;

/// Plans are the same by workspace, model, machine, operator and dense extent. What changed here since `read`
/// wins, and what was not changed here is as it is in `theirs`; those that `theirs` has stand first.
[[nodiscard]] std::vector<TuningState> merged_states(const std::vector<TuningState>& read,
                                                     const std::vector<TuningState>& mine,
                                                     const std::vector<TuningState>& theirs);

/// Without those that nobody would miss, and without the oldest beyond `most`: one that a job works for
/// stays.
void forget_old_states(std::vector<TuningState>& states, std::size_t most);

class TuningStates {
public:
    explicit TuningStates(UserSettings& settings);

    /// The newest last. References hold until the next refresh() or keep().
    [[nodiscard]] std::vector<TuningState>& all() { return states_; }
    [[nodiscard]] const std::vector<TuningState>& all() const { return states_; }
    /// With what other windows have kept meanwhile.
    void refresh();
    /// So that other windows, and the next start, find it.
    void keep();

private:
    UserSettings& settings_;
    std::vector<TuningState> states_;
    std::vector<TuningState> read_; ///< as they were stored when they were read or kept last
};

} // namespace sparsight

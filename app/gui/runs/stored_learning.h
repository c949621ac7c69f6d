// What a workspace holds of learning, as plain values: runs, models, and what there is to learn from.
#pragma once

#include "evaluation/model_evaluation.h"
#include "gui/runs/model_verdicts.h"
#include "gui/runs/run_curves.h"
#include "store/models.h"
#include "store/runs.h"
#include "store/runtimes.h"
#include "store/workspace.h"

#include <QDateTime>
#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <vector>

namespace sparsight {

/// A run of kind "train" or "finetune".
struct TrainingRun {
    RunId id{};
    QString kind;
    QString name; ///< of the model that it makes
    QString method;
    QString architecture;
    QStringList machines;
    RunState state = RunState::Running;
    qint64 worker = 0; ///< the process that works at it when this was read, whoever started it; 0: none
    QString message;
    QDateTime started;
    QDateTime ended; ///< invalid while it runs
    int epochs_planned = 0;
    int epochs = 0;                          ///< that are done; of boosted trees, rounds
    double seconds = 0;                      ///< of training
    std::optional<double> accuracy;          ///< the best of its validation; of trees, the last
    std::optional<double> regret;            ///< likewise, of the model's best 20
    std::optional<double> test_accuracy;     ///< ordered pair accuracy on the test matrices
    std::optional<double> accuracy_before;   ///< of the model that was fine-tuned, on the same matrices
    std::optional<double> baseline_accuracy; ///< likewise, of boosted trees trained on the same data
    int test_matrices = 0;                   ///< that all these are of; 0: not known
    int matrices = 0;                        ///< that its model learned from; 0: not known
    BlendAccuracies on_test;   ///< of what a model that is blended with the simulator consists of
    BlendAccuracies kept_back; ///< likewise, on what was learned from, by what had not seen it
    bool has_model = false;
    QJsonObject parameters; ///< the effective configuration

    [[nodiscard]] bool is_of_trees() const { return architecture == QLatin1String("trees"); }
    bool operator==(const TrainingRun&) const = default;
};

struct KnownModel {
    ModelId id{};
    QString name;
    std::optional<RunId> run;
    std::optional<ModelId> parent;
    QString architecture;
    QString method;
    Operator op = Operator::SpMM;
    QStringList machines;             ///< that it was trained on
    QStringList matrices;             ///< likewise
    std::optional<BlendShares> blend; ///< with the simulator
    QJsonObject metrics; ///< that it had in its validation: "ordered_pair_accuracy", "kendall_tau" …
    std::uint64_t bytes = 0;
    QDateTime created;

    bool operator==(const KnownModel&) const = default;
};

/// What was measured on one machine in one setting.
struct LearningSource {
    QString machine; ///< fingerprint
    QString name;
    QString protocol; ///< the one that the machine has most measurements of
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::int64_t matrices = 0;
    std::int64_t measurements = 0;

    bool operator==(const LearningSource&) const = default;
};

struct StoredLearning {
    std::vector<TrainingRun> runs;       ///< the newest first
    std::vector<KnownModel> models;      ///< likewise
    std::vector<LearningSource> sources; ///< the setting with the most measurements first, then by machine
    QStringList splits;

    bool operator==(const StoredLearning&) const = default;
};

[[nodiscard]] Result<StoredLearning> read_learning(Workspace& workspace);
/// Who works at which of them now.
void set_workers(std::vector<TrainingRun>& runs, const std::vector<RunHolder>& holders);
[[nodiscard]] Result<RunCurves> read_curves(Workspace& workspace, RunId run);
[[nodiscard]] Result<ShotPoints> read_shots(Workspace& workspace, RunId run);
/// Without its numbers, as the run's parameters tell of it.
[[nodiscard]] TrainingRun training_run(const RunRecord& record);

// The evaluations of a workspace: what they were asked, and, on demand, what they found.

class Workspace;

struct StoredEvaluation {
    RunId run{};
    QStringList models;
    QString machine; ///< fingerprint
    QString op;      ///< "spmm"
    int matrices = 0;
    int k = 20;
    RunState state = RunState::Running;
    QDateTime started;

    bool operator==(const StoredEvaluation&) const = default;
};

/// The newest first; those whose parameters can't be understood are left out.
[[nodiscard]] Result<std::vector<StoredEvaluation>> list_evaluations(Workspace& workspace);

} // namespace sparsight

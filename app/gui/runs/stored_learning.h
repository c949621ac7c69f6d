// What a workspace stores about learning, as plain values: training runs, models, and the measurements that
// can be learned from.
#pragma once

#include "evaluation/model_reasons/reliability.h"
#include "gui/runs/model_verdicts.h"
#include "gui/runs/run_curves.h"
#include "machine/machine_parameters.h"
#include "model/checkpoints/tree_architectures.h"
#include "store/models.h"
#include "store/runs.h"
#include "store/workspace.h"
#include "study/domain.h"

#include <QDateTime>
#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace sparsight {

class Workspace;

[[nodiscard]] inline bool is_of_trees(const QString& architecture) {
    return is_of_trees(std::string_view(architecture.toStdString()));
}

/// A run of kind "train" or "finetune".
struct TrainingRun {
    RunId id{};
    QString kind;
    QString name; ///< name of the model that it makes
    QString method;
    QString architecture;
    QStringList machines;
    RunState state = RunState::Running;
    qint64 worker = 0; ///< process that worked at the run when it was read, whoever started it; 0: none
    QString message;
    QDateTime started;
    QDateTime ended; ///< invalid while it runs
    int epochs_planned = 0;
    int epochs = 0;                 ///< finished epochs; for boosted trees, rounds
    double seconds = 0;             ///< spent training
    std::optional<double> accuracy; ///< best ordered pair accuracy of the validation; for trees, the last
    /// Best regret of the model's first 20 in the validation; for trees, the last.
    std::optional<double> regret;
    std::optional<double> test_accuracy;   ///< ordered pair accuracy on the test workloads
    std::optional<double> accuracy_before; ///< of the model that was fine-tuned, on the same workloads
    /// Of boosted trees trained on the same data, on the same workloads.
    std::optional<double> baseline_accuracy;
    int test_workloads = 0;                ///< number of these test workloads; 0: not known
    int workloads = 0;                     ///< number of workloads that its model learned from; 0: not known
    std::optional<double> simulator_alone; ///< of a gray box: its calibrated simulator, on these
    /// How often what a gray box is sure of came true, on the test workloads.
    std::optional<Reliability> reliability;
    bool has_model = false;
    QJsonObject parameters; ///< the effective configuration

    [[nodiscard]] bool is_of_trees() const { return sparsight::is_of_trees(architecture); }
    bool operator==(const TrainingRun&) const = default;
};

/// In what a machine is unlike its simulator: it runs as if the parameter were so many times as large.
struct MachineDeviation {
    MachineParameter parameter{};
    double factor = 1;
    double low = 1; ///< of the 95 % interval
    double high = 1;

    bool operator==(const MachineDeviation&) const = default;
};

struct KnownModel {
    ModelId id{};
    QString name;
    std::optional<RunId> run;
    std::optional<ModelId> parent;
    QString architecture;
    QString method;
    QString purpose;      ///< settings of this purpose are those that it was made for
    QString purpose_text; ///< for people: "SpMM"
    /// Numbers of a setting that it leaves no choice of: what a gray box simulates.
    std::map<QString, qint64> simulated_numbers;
    QStringList machines;             ///< machines that it was trained on
    QStringList workloads;            ///< workloads that it was trained on
    std::optional<BlendShares> blend; ///< weights of the blend with the simulator
    /// Of a gray box that was adapted to a machine: those beyond chance, the clearest first.
    std::vector<MachineDeviation> deviations;
    QJsonObject metrics;       ///< validation metrics: "ordered_pair_accuracy", "kendall_tau" …
    QJsonObject computed_with; ///< threads, device, libraries; empty for older models
    std::optional<qint64> seed;
    std::uint64_t bytes = 0;
    QDateTime created;

    [[nodiscard]] bool is_gray_box() const { return architecture == QLatin1String("gray-box"); }
    /// Whether it places configurations in a space, in which a search can walk.
    [[nodiscard]] bool has_embeddings() const { return !is_gray_box() && !is_of_trees(architecture); }
    /// Whether it can be used there.
    [[nodiscard]] bool is_for(const Domain& domain, const Setting& setting) const;
    bool operator==(const KnownModel&) const = default;
};

/// The parts of a setting that a model is made for: of sparse the operator. "spmm"
[[nodiscard]] QString purpose_of(const Domain& domain, const Setting& setting);
/// As the domain writes it: "SpMM"
[[nodiscard]] QString purpose_text(const Domain& domain, const Setting& setting);

/// The measurements of one machine in one setting, under one condition.
struct LearningSource {
    QString machine; ///< fingerprint
    QString name;
    QString condition;         ///< of its runs, as recorded: "run=2021"; mostly empty
    bool has_siblings = false; ///< the machine has measurements under other conditions, too
    bool is_usual = true;      ///< of the conditions, the one with the most measurements
    QString protocol;          ///< the protocol with the most measurements on this machine
    Setting setting;
    QString setting_text; ///< for people: "SpMM with 256 columns of the dense matrix"
    QString purpose;      ///< see purpose_of()
    QString purpose_text;
    std::int64_t workloads = 0;
    std::int64_t measurements = 0;
    bool is_imagined = false; ///< see StoredLearning::imagined

    /// The machine's name, with the condition where that would else be open: "A100 (run=2021)".
    [[nodiscard]] QString title() const { return names_condition() ? under_condition() : name; }
    /// As jobs name it: the fingerprint, or the name with the condition.
    [[nodiscard]] QString job_name() const { return names_condition() ? under_condition() : machine; }
    [[nodiscard]] bool was_learned_by(const KnownModel& model) const;

    bool operator==(const LearningSource&) const = default;

private:
    [[nodiscard]] bool names_condition() const { return has_siblings && !condition.isEmpty(); }
    [[nodiscard]] QString under_condition() const;
};

/// A split needs a workload for each side: to learn from, to choose the epoch by, to test with.
inline constexpr int fewest_sides = 3;

/// The entry of a machine in a list of sources: the one that is chosen where it is of this machine, else its
/// first. Empty where the machine has none.
[[nodiscard]] QString asked_of_machine(const std::vector<LearningSource>& sources, const QString& machine,
                                       const QString& chosen);
/// The fingerprint of an entry's machine; empty for what is no entry.
[[nodiscard]] QString machine_asked(const std::vector<LearningSource>& sources, const QString& asked);

struct StoredLearning {
    std::vector<TrainingRun> runs;       ///< newest first
    std::vector<KnownModel> models;      ///< newest first
    std::vector<LearningSource> sources; ///< the setting with the most measurements first, then by machine
    QStringList splits;
    bool has_data = false;      ///< of workloads; else no more is known of them than names and facts
    std::int64_t with_data = 0; ///< workloads that have data
    /// Simulated machines whose runtimes in a setting are of too few workloads to split. In a domain with a
    /// simulator a run simulates them.
    std::vector<LearningSource> imagined;
    LearningSource usual; ///< the setting where nothing was measured yet, without a machine

    /// What a run can learn from: `sources`, and in a domain with a simulator `imagined` instead of those
    /// that do not suffice.
    [[nodiscard]] std::vector<LearningSource> learnable(bool has_simulator) const;
    /// How many workloads a run has where it learns from simulated machines alone.
    [[nodiscard]] std::int64_t simulated_workloads(const Setting& setting) const;

    bool operator==(const StoredLearning&) const = default;
};

/// The domain that a model, a run or an evaluation names, else the first one with an option that is among its
/// settings, else the first. Null where the program lacks it.
[[nodiscard]] const Domain* domain_of(const QJsonObject& settings, const DomainRegistry& domains);
/// What there is of one domain, which is one of `domains`.
[[nodiscard]] Result<StoredLearning> read_learning(Workspace& workspace, const Domain& domain,
                                                   const DomainRegistry& domains);
/// Sets the process that works at each run now.
void set_workers(std::vector<TrainingRun>& runs, const std::vector<RunHolder>& holders);
[[nodiscard]] Result<RunCurves> read_curves(Workspace& workspace, RunId run);
[[nodiscard]] Result<ShotPoints> read_shots(Workspace& workspace, RunId run);
/// Without its metrics, as described by the run's parameters.
[[nodiscard]] TrainingRun training_run(const RunRecord& record);

} // namespace sparsight

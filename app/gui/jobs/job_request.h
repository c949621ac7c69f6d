// What can be asked of the learner: requests as the window makes them. See job_request.h for what becomes of
// them.
#pragma once

#include "collection/schedule_choice.h"
#include "domains/sparse/schedule/operator.h"
#include "gui/jobs/job.h"
#include "study/measurement.h"

#include <QByteArray>
#include <QStringList>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace sparsight {

/// Trains or meta-trains a cost model. A run of the same settings that was not finished goes on.
struct TrainJob {
    QString workspace;
    QString name;         ///< of the model that it makes
    QStringList machines; ///< names or fingerprints
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    QString method = QStringLiteral("supervised");
    QString architecture = QStringLiteral("statistics");
    QString split = {}; ///< a stored one; empty: drawn by the seed
    /// Further options of the command, without their hyphens ("inner-steps"), and their values; an empty
    /// value is a switch.
    std::vector<std::pair<QString, QString>> options = {};
};

/// Adapts a model to another machine from few of its measurements.
struct FineTuneJob {
    QString workspace;
    QString model;
    QString machine; ///< name or fingerprint
    QString name;    ///< of the model that it makes
    int matrices = 10;
    QStringList matrix_names = {};  ///< these ones instead
    std::optional<int> epochs = {}; ///< as many as the learner takes for right
    Operator op = Operator::SpMM;   ///< of the model
    std::int64_t dense = 256;
    QStringList shots = {};   ///< numbers of matrices to compare; none: no shot curve
    int seeds = 5;            ///< of the shot curve
    QStringList against = {}; ///< "scratch" and names of models
};

/// Lets a model choose schedules for matrices that need not be measured.
struct SearchJob {
    QString workspace;
    QString model;
    QStringList matrices;
    int k = 20;
    QString method = QStringLiteral("index");
    std::optional<int> budget = {}; ///< schedules that may be scored, where the method asks for one
    std::optional<int> width = {};  ///< that a walk keeps in view; as many as the learner takes for right
    Operator op = Operator::SpMM;   ///< of the model
    std::int64_t dense = 256;
    QString machine = {}; ///< fingerprint; empty: this computer
    bool map = false;     ///< where schedules lie and how the walk went is told, too
};

/// What a search was asked for, from the words that it became; nothing for other commands.
[[nodiscard]] std::optional<SearchJob> search_job_from(const QString& workspace,
                                                       const QStringList& arguments);

/// Measures what models choose, or looks it up where the machine is a recorded one.
struct EvaluateJob {
    QString workspace;
    QStringList models;
    QStringList matrices; ///< none: those of the split's test part, or all that no model was trained on
    QString split = {};
    QString machine = {}; ///< a recorded one; empty: this computer
    int k = 20;
    int threads = 1;
    std::optional<std::chrono::seconds> budget = {};
    std::optional<std::int64_t> dense = {}; ///< extent of the dense index; that of the command where absent
};

/// Asks a model why it prefers a schedule to another one.
struct ReasonsJob {
    QString workspace;
    QString model;
    QString matrix;
    QString schedule; ///< in WACO's form
    QString against;  ///< likewise
    std::int64_t dense = 256;
    Operator op = Operator::SpMM; ///< of the model
    QString machine = {};         ///< fingerprint; empty: this computer
};

// What can be asked of the worker: typed requests, the command lines that they become, and the reasons why
// one can't be launched, which a disabled button shows.

/// Measures schedules. Fixed CSR is measured first on each matrix, in any case.
struct CollectJob {
    QString workspace;
    QStringList matrices; ///< names
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    int schedules = 100; ///< drawn for each matrix, unless a list says which
    Sampler sampler = Sampler::Waco;
    std::uint64_t seed = 1;
    QString list_file;  ///< the schedules of this file instead, in WACO's form
    QStringList listed; ///< or these, as to_text() of schedule/text.h writes them
    int searched = 0;   ///< or those that a search by measured times finds, until so many are measured
    int threads = 1;
    Protocol protocol = Protocol::Adaptive;
    std::optional<std::chrono::seconds> budget;
    bool again = false; ///< what is stored, too
};

struct ImportJob {
    QString workspace;
    QStringList files;
    QString name = {}; ///< for one file, instead of the file's
};

struct SimulateJob {
    QString workspace;
    QString family;
    std::vector<std::pair<QString, double>> parameters; ///< what is left out keeps its default
    int count = 1;
    std::uint64_t seed = 1;
    QString name = {};
};

struct ProbeJob {
    QString workspace; ///< that remembers it; may be empty
};

/// Fits the simulation of a machine to what was measured on it.
struct CalibrateJob {
    QString workspace;
    QString machine; ///< fingerprint
    QString name;    ///< of the machine, for people
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
};
/// Of what machine a calibration is, from the words that it became; nothing for other jobs.
[[nodiscard]] std::optional<QString> calibrated_machine(const Job& job);

/// Measures what tells two schedules apart on a matrix of the workspace.
struct ExplainJob {
    QString workspace;
    QString matrix;
    QString schedule; ///< in WACO's form
    QString against;  ///< likewise
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    int threads = 1;
    std::optional<std::chrono::seconds> budget = {};
};

using JobRequest = std::variant<CollectJob, ImportJob, SimulateJob, ProbeJob, CalibrateJob, TrainJob,
                                FineTuneJob, SearchJob, EvaluateJob, ExplainJob, ReasonsJob>;

/// A request as the worker takes it.
struct JobDescription {
    JobKind kind = JobKind::Collect;
    QString title;
    QString workspace;
    QStringList arguments;
    QByteArray schedule_list; ///< when not empty: to be written to a file that --from is given
};

[[nodiscard]] JobDescription describe(const JobRequest& request);
[[nodiscard]] JobDescription describe_train(const TrainJob& job);
[[nodiscard]] JobDescription describe_fine_tune(const FineTuneJob& job);
[[nodiscard]] JobDescription describe_search(const SearchJob& job);
[[nodiscard]] JobDescription describe_evaluate(const EvaluateJob& job);
[[nodiscard]] JobDescription describe_reasons(const ReasonsJob& job);

/// What decides besides the request whether a job can be launched.
struct LaunchConditions {
    QString worker_program; ///< empty: there is none
    bool workspace_is_there = true;
    bool workspace_is_writable = true;
    QStringList matrices_without_pattern; ///< of the workspace, as far as the asker knows
    QStringList models = {};              ///< likewise
};

/// Looks at the disk.
[[nodiscard]] LaunchConditions launch_conditions(const QString& worker_program, const QString& workspace,
                                                 const QStringList& matrices_without_pattern = {});

// Each returns why it can't be launched, for people, or nothing.
/// What all need: a worker, and a workspace that can be written.
[[nodiscard]] std::optional<QString> surroundings_refusal(const QString& workspace,
                                                          const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> collect_refusal(const CollectJob& job,
                                                     const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> import_refusal(const ImportJob& job, const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> simulate_refusal(const SimulateJob& job,
                                                      const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> probe_refusal(const ProbeJob& job, const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> calibrate_refusal(const CalibrateJob& job,
                                                       const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> train_refusal(const TrainJob& job, const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> fine_tune_refusal(const FineTuneJob& job,
                                                       const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> search_refusal(const SearchJob& job, const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> evaluate_refusal(const EvaluateJob& job,
                                                      const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> explain_refusal(const ExplainJob& job,
                                                     const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> reasons_refusal(const ReasonsJob& job,
                                                     const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> launch_refusal(const JobRequest& request,
                                                    const LaunchConditions& conditions);

} // namespace sparsight

// What the window can ask of the worker: typed requests, the command lines that they become, and the reasons
// why a request can't be launched, which a disabled button shows.
#pragma once

#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_choice.h"
#include "gui/jobs/job.h"
#include "study/domain.h"
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

/// What is computed, and the options of a command line that say so.
struct JobSetting {
    Setting setting{};
    QStringList of_model{}; ///< those that a model leaves no choice of: "--operator=spmm"
    QStringList others{};   ///< "--dense=256"

    bool operator==(const JobSetting&) const = default;
};
[[nodiscard]] JobSetting job_setting(const Domain& domain, const Setting& setting);

/// Trains or meta-trains a cost model. An unfinished run with the same settings is resumed.
struct TrainJob {
    QString workspace;
    QString name;         ///< name of the model that it makes
    QStringList machines; ///< names or fingerprints
    JobSetting setting = {};
    QString method = QStringLiteral("supervised");
    QString architecture = QStringLiteral("statistics");
    QString split = {}; ///< a stored split; empty: drawn by the seed
    /// Further options of the command, without their hyphens ("inner-steps"), and their values; an empty
    /// value marks a switch.
    std::vector<std::pair<QString, QString>> options = {};
};

/// Adapts a model to another machine from a few of its measurements.
struct FineTuneJob {
    QString workspace;
    QString model;
    QString machine; ///< name or fingerprint
    QString name;    ///< name of the model that it makes
    int matrices = 10;
    QStringList matrix_names = {};  ///< these matrices instead
    std::optional<int> epochs = {}; ///< absent: the learner's default
    JobSetting setting = {};        ///< one that the model is for
    QStringList shots = {};         ///< numbers of matrices to compare; empty: no shot curve
    int seeds = 5;                  ///< for the shot curve
    QStringList against = {};       ///< "scratch" and names of models
};

/// Lets a model choose schedules for matrices, measured or not.
struct SearchJob {
    QString workspace;
    QString model;
    QStringList matrices;
    int k = 20;
    QString method = QStringLiteral("index");
    std::optional<int> budget = {}; ///< schedules that may be scored, where the method needs a limit
    std::optional<int> width = {};  ///< schedules that a walk keeps in view; absent: the learner's default
    JobSetting setting = {};        ///< one that the model is for
    QString machine = {};           ///< fingerprint; empty: this computer
    bool map = false;               ///< report the positions of schedules and the path of the walk, too
};

/// The request behind a command line, with the options of its setting alone; nothing for other commands.
[[nodiscard]] std::optional<SearchJob> search_job_from(const QString& workspace,
                                                       const QStringList& arguments);

/// Measures the schedules that models choose, or looks their times up where the machine is a recorded one.
struct EvaluateJob {
    QString workspace;
    QStringList models;
    /// Empty: the matrices of the split's test part, or all that no model was trained on.
    QStringList matrices;
    QString split = {};
    QString machine = {}; ///< a recorded one; empty: this computer
    int k = 20;
    int threads = 1;
    std::optional<std::chrono::seconds> budget = {};
    JobSetting setting = {}; ///< one that the models are for
};

/// Asks a model why it prefers one schedule to another.
struct ReasonsJob {
    QString workspace;
    QString model;
    QString matrix;
    QString schedule;        ///< in WACO's form
    QString against;         ///< in WACO's form
    JobSetting setting = {}; ///< one that the model is for
    QString machine = {};    ///< fingerprint; empty: this computer
};

/// Measures schedules. Fixed CSR is always measured first on each matrix.
struct CollectJob {
    QString workspace;
    QStringList matrices; ///< names
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    int schedules = 100; ///< random schedules for each matrix, unless a list names them
    Sampler sampler = Sampler::Waco;
    std::uint64_t seed = 1;
    QString list_file;  ///< measure the schedules of this file instead, in WACO's form
    QStringList listed; ///< or these schedules, as written by to_text() of schedule/text.h
    /// Or the schedules that a search by measured times finds, until this many are measured.
    int searched = 0;
    int threads = 1;
    Protocol protocol = Protocol::Adaptive;
    std::optional<std::chrono::seconds> budget;
    bool again = false; ///< measure stored schedules again, too
};

struct ImportJob {
    QString workspace;
    QStringList files;
    QString name = {};   ///< for a single file, in place of the file's name
    QString domain = {}; ///< whose workloads the files describe; empty: that of the workspace
};

/// Tables of tuning records.
struct ImportRecordsJob {
    QString workspace;
    QStringList tables;
    QString decisions = {}; ///< columns, with commas; empty: as the table says
    QString machine = {};   ///< of a table without a column for it
    QString workloads = {}; ///< sheets of facts; may be empty
    QString machines = {};
};

struct SimulateJob {
    QString workspace;
    QString family;
    std::vector<std::pair<QString, double>> parameters; ///< omitted parameters keep their defaults
    int count = 1;
    std::uint64_t seed = 1;
    QString name = {};
};

struct ProbeJob {
    QString workspace; ///< the workspace that stores the result; may be empty
};

/// Fits the simulation of a machine to the measurements on it.
struct CalibrateJob {
    QString workspace;
    QString machine; ///< fingerprint
    QString name;    ///< of the machine, for people
    JobSetting setting = {};
    QString setting_text = {}; ///< for people, short: "SpMM"
};
/// The fingerprint of the machine that a calibration job is for; nothing for other jobs.
[[nodiscard]] std::optional<QString> calibrated_machine(const Job& job);

/// Measures what distinguishes two schedules on a matrix of the workspace.
struct ExplainJob {
    QString workspace;
    QString matrix;
    QString schedule; ///< in WACO's form
    QString against;  ///< in WACO's form
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    int threads = 1;
    std::optional<std::chrono::seconds> budget = {};
};

using JobRequest = std::variant<CollectJob, ImportJob, ImportRecordsJob, SimulateJob, ProbeJob, CalibrateJob,
                                TrainJob, FineTuneJob, SearchJob, EvaluateJob, ExplainJob, ReasonsJob>;

/// A request as the worker takes it.
struct JobDescription {
    JobKind kind = JobKind::Collect;
    QString title;
    QString workspace;
    QStringList arguments;
    QByteArray schedule_list; ///< when not empty: written to a file that is passed with --from
};

[[nodiscard]] JobDescription describe(const JobRequest& request);
[[nodiscard]] JobDescription describe_train(const TrainJob& job);
[[nodiscard]] JobDescription describe_fine_tune(const FineTuneJob& job);
[[nodiscard]] JobDescription describe_search(const SearchJob& job);
[[nodiscard]] JobDescription describe_evaluate(const EvaluateJob& job);
[[nodiscard]] JobDescription describe_reasons(const ReasonsJob& job);

/// The conditions besides the request that decide whether a job can be launched.
struct LaunchConditions {
    QString worker_program; ///< empty: there is none
    bool workspace_is_there = true;
    bool workspace_is_writable = true;
    QStringList matrices_without_pattern; ///< of the workspace, as far as the caller knows
    QStringList models = {};              ///< of the workspace, as far as the caller knows
};

/// Reads the disk.
[[nodiscard]] LaunchConditions launch_conditions(const QString& worker_program, const QString& workspace,
                                                 const QStringList& matrices_without_pattern = {});

// Each function returns why the request can't be launched, for people, or nothing.
/// What every request needs: a worker and a writable workspace.
[[nodiscard]] std::optional<QString> surroundings_refusal(const QString& workspace,
                                                          const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> collect_refusal(const CollectJob& job,
                                                     const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> import_refusal(const ImportJob& job, const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> import_records_refusal(const ImportRecordsJob& job,
                                                            const LaunchConditions& conditions);
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

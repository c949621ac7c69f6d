// What can be asked of the worker: typed requests, the command lines that they become, and the reasons why
// one can't be launched, which a disabled button shows.
#pragma once

#include "collection/schedule_choice.h"
#include "gui/jobs/job.h"
#include "gui/jobs/learning_jobs.h"
#include "kernel/timing.h"
#include "schedule/operator.h"

#include <QByteArray>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace sparsight {

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

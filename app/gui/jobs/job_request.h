// What the window can ask of the worker: typed requests, the command lines that they become, and the reasons
// why a request can't be launched, which a disabled button shows. Those of single domains are in their
// folders.
#pragma once

#include "gui/jobs/job.h"
#include "study/domain.h"
#include "study/measurement.h"

#include <QByteArray>
#include <QStringList>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace sparsight {

/// What is computed, the options of a command line that say so, and what its domain calls things.
struct JobSetting {
    Setting setting{};
    Noun workload{"workload", "workloads"};
    Noun configuration{"configuration", "configurations"};
    QStringList of_model{}; ///< those that a model leaves no choice of: "--operator=spmm"
    QStringList others{};   ///< "--dense=256"
    QString problem{};      ///< why the domain has no such setting, for people; empty: it has

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
    QString architecture = {}; ///< empty: the domain's smallest network
    QString split = {};        ///< a stored split; empty: drawn by the seed
    QString split_by = {};     ///< "workload", "row" or "machine"; empty: as suits the number of workloads
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
    int workloads = 10;
    QStringList workload_names = {}; ///< these workloads instead
    std::optional<int> rows = {};    ///< or so many configurations, where there are too few workloads
    std::optional<int> epochs = {};  ///< absent: the learner's default
    JobSetting setting = {};         ///< one that the model is for
    QStringList shots = {};          ///< numbers of workloads, or of rows, to compare; empty: no shot curve
    int seeds = 5;                   ///< for the shot curve
    QStringList against = {};        ///< "scratch" and names of models
};

/// Lets a model choose configurations for workloads, measured or not.
struct SearchJob {
    QString workspace;
    QString model;
    QStringList workloads;
    int k = 20;
    QString method = QStringLiteral("index");
    std::optional<int> budget = {}; ///< configurations that may be scored, where the method needs a limit
    std::optional<int> width =
        {};                  ///< configurations that a walk keeps in view; absent: the learner's default
    JobSetting setting = {}; ///< one that the model is for
    QString machine = {};    ///< fingerprint; empty: this computer
    bool map = false;        ///< report the positions of configurations and the path of the walk, too
};

/// The request behind a command line, with the options of its setting alone; nothing for other commands.
[[nodiscard]] std::optional<SearchJob> search_job_from(const QString& workspace,
                                                       const QStringList& arguments);

/// Measures the configurations that models choose, or looks their times up where the machine is a recorded
/// one.
struct EvaluateJob {
    QString workspace;
    QStringList models;
    /// Empty: the workloads of the split's test part, or all that no model was trained on.
    QStringList workloads;
    QString split = {};
    /// How many there are, where they are not named; 0: the caller does not know.
    qint64 workload_count = 0;
    QString machine = {}; ///< a recorded one; empty: this computer
    int k = 20;
    int threads = 1;
    std::optional<std::chrono::seconds> budget = {};
    JobSetting setting = {}; ///< one that the models are for
};

/// Measures configurations on this computer, the baseline of a domain first on each workload.
struct CollectJob {
    QString workspace;
    QStringList workloads;
    JobSetting setting = {};
    QString setting_text = {}; ///< for people, short: "SpMM"; may be empty
    int configurations = 100;  ///< drawn at random for each workload, unless a list names them
    QString sampler = {};      ///< empty: the domain's first
    std::uint64_t seed = 1;
    QString list_file = {};  ///< measure the configurations of this file instead
    QStringList listed = {}; ///< or these, as written
    int searched = 0;        ///< or as many as a search by measured times comes to
    int threads = 1;
    Protocol protocol = Protocol::Adaptive;
    std::optional<std::chrono::seconds> budget = {};
    bool again = false; ///< measure stored ones again, too
};

struct ImportJob {
    QString workspace;
    QStringList files;
    QString name = {};   ///< for a single file, in place of the file's name
    QString domain = {}; ///< whose workloads the files describe; empty: that of the workspace
    Noun workload{"workload", "workloads"};
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

/// A request as the worker takes it.
struct JobDescription {
    JobKind kind = JobKind::Import;
    QString title;
    QString workspace;
    QStringList arguments;
    QByteArray list = {}; ///< of configurations; when not empty: written to a file that is passed with --from
    Noun workload{"workload", "workloads"};
    double work = 0;                                 ///< see Job::work
    std::optional<std::chrono::seconds> budget = {}; ///< it takes no longer
};

/// The conditions besides the request that decide whether a job can be launched.
struct LaunchConditions {
    QString worker_program; ///< empty: there is none
    bool workspace_is_there = true;
    bool workspace_is_writable = true;
    QStringList workloads_without_data = {}; ///< of the workspace, as far as the caller knows
    QStringList models = {};                 ///< of the workspace, as far as the caller knows
};

/// Reads the disk.
[[nodiscard]] LaunchConditions launch_conditions(const QString& worker_program, const QString& workspace);

/// Why nothing can be launched, for people, or nothing: every request needs a worker and a writable
/// workspace.
[[nodiscard]] std::optional<QString> surroundings_refusal(const QString& workspace,
                                                          const LaunchConditions& conditions);
/// Why there is no such number of threads.
[[nodiscard]] std::optional<QString> threads_refusal(int threads);
/// Why one of the files that are to be read is not there; empty names are passed over.
[[nodiscard]] std::optional<QString> missing_file(const QStringList& files);

// What makes a struct a request: how the worker takes it, and why it can't be launched, for people, or
// nothing.
[[nodiscard]] JobDescription describe(const CollectJob& job);
[[nodiscard]] JobDescription describe(const ImportJob& job);
[[nodiscard]] JobDescription describe(const ProbeJob& job);
[[nodiscard]] JobDescription describe(const CalibrateJob& job);
[[nodiscard]] JobDescription describe(const TrainJob& job);
[[nodiscard]] JobDescription describe(const FineTuneJob& job);
[[nodiscard]] JobDescription describe(const SearchJob& job);
[[nodiscard]] JobDescription describe(const EvaluateJob& job);
[[nodiscard]] std::optional<QString> launch_refusal(const CollectJob& job,
                                                    const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> launch_refusal(const ImportJob& job, const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> launch_refusal(const ProbeJob& job, const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> launch_refusal(const CalibrateJob& job,
                                                    const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> launch_refusal(const TrainJob& job, const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> launch_refusal(const FineTuneJob& job,
                                                    const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> launch_refusal(const SearchJob& job, const LaunchConditions& conditions);
[[nodiscard]] std::optional<QString> launch_refusal(const EvaluateJob& job,
                                                    const LaunchConditions& conditions);

/// A request of any kind, also of one that a domain brings.
class JobRequest {
public:
    template <typename Request>
        requires requires(const Request& request, const LaunchConditions& conditions) {
            { describe(request) } -> std::same_as<JobDescription>;
            { launch_refusal(request, conditions) } -> std::same_as<std::optional<QString>>;
        }
    JobRequest(const Request& request) // NOLINT(google-explicit-constructor): it is one
        : description_(describe(request))
        , refusal_([request](const LaunchConditions& conditions) {
            return launch_refusal(request, conditions);
        }) {}

    [[nodiscard]] const JobDescription& description() const { return description_; }
    [[nodiscard]] std::optional<QString> refusal(const LaunchConditions& conditions) const {
        return refusal_(conditions);
    }

private:
    JobDescription description_;
    std::function<std::optional<QString>(const LaunchConditions&)> refusal_;
};

} // namespace sparsight

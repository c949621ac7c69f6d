// A training run in the workspace: its metrics, and the state from which it resumes.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "learning/training/training_state.h"
#include "model/checkpoints/checkpoint.h"
#include "store/models.h"
#include "store/runs.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sparsight {

/// What to do if a model of this name exists and was made by a run.
enum class Redo {
    Never,       ///< the run counts as done if the settings are the same, otherwise it is refused
    WhenChanged, ///< train again if the settings or the training data differ
    Always,
};

struct RunRequest {
    std::string_view kind; ///< "train" or "finetune"
    std::string name;      ///< name of the model
    Json parameters;       ///< effective settings, and a digest of the data
    Redo redo = Redo::Never;
    bool only_left = false; ///< only resume a stopped run, start no new one
};

struct FinishedRun {
    ModelRecord model;
    std::string message; ///< message at the end of the run
};

struct ClaimedRun {
    RunId id{};
    bool resumes = false;                     ///< it was stopped before its end
    std::optional<StoredTrainingState> state; ///< the state to resume from, if one was saved
    std::string replaces; ///< a sentence: which model will be replaced, and why; empty: none, or as requested
    std::optional<ModelRecord> model; ///< the model of this name, which will be replaced
    RunHold hold;
};

/// Errors: the name is taken or missing (Fault::Input); a live process works on a run of this name
/// (Fault::Environment); there is no stopped run to resume (Fault::Input).
[[nodiscard]] Result<std::variant<FinishedRun, ClaimedRun>> claim_run(Workspace& workspace,
                                                                      const RunRequest& request);

/// How a run ended, unless an error ended it.
enum class RunEnd {
    Finished,
    DoneBefore, ///< an earlier run did the same; its result is reported again
    Stopped,    ///< by the user: the same request resumes the run
    Refused,    ///< by claim_run() before anything was done; Fault::Input: the request is wrong
};

class Workspace;

/// An earlier run with exactly these parameters.
struct KnownRun {
    RunId id{};
    bool is_finished = false;
    std::string message;                      ///< message at its end
    std::optional<StoredTrainingState> state; ///< state of an unfinished run
};
[[nodiscard]] Result<std::optional<KnownRun>> find_training_run(Workspace& workspace, std::string_view kind,
                                                                std::string_view parameters);

/// The run that made the model, if it had exactly these parameters; without its state.
[[nodiscard]] Result<std::optional<KnownRun>> find_run_of_model(Workspace& workspace,
                                                                const ModelRecord& model,
                                                                std::string_view kind,
                                                                std::string_view parameters);

/// Whether an unfinished run of these parameters is resumed. With `again`, only if it is newer than the model
/// of another run: then it belongs to an earlier --again.
[[nodiscard]] bool is_resumed(const std::optional<KnownRun>& known, const std::optional<ModelRecord>& model,
                              bool again);

/// Working time of a run, without pauses; of a stopped run, up to the state from which it resumes.
inline constexpr const char* seconds_metric = "run/seconds";

using MetricsByName = std::map<std::string, std::vector<MetricPoint>>;
/// All metrics of a run; each has at least one point.
[[nodiscard]] Result<MetricsByName> stored_metrics(Workspace& workspace, RunId run);

/// Writes metrics a few times a second, many at once: a transaction costs as much as a hundred steps of a
/// small network.
class TrainingJournal {
public:
    TrainingJournal(Workspace& workspace, RunId run)
        : workspace_(workspace)
        , run_(run) {}

    [[nodiscard]] RunId run() const { return run_; }
    [[nodiscard]] Workspace& workspace() const { return workspace_; }

    /// Removes the metrics that are newer than the state from which the run resumes.
    [[nodiscard]] Result<void> go_back_to(std::int64_t step, std::int64_t epoch);

    void add(std::string name, std::int64_t step, double value);
    [[nodiscard]] Result<void> flush();

    /// Saves the state, all metrics up to it, and the working time, in one transaction.
    [[nodiscard]] Result<void> save(const TrainingState& state, double seconds);
    /// Writes what is due: metrics after a quarter of a second; the state if saving takes less than a
    /// twentieth of the time since the last save.
    [[nodiscard]] Result<void> save_if_due(const TrainingState& state, double seconds);

private:
    using Clock = std::chrono::steady_clock;

    Workspace& workspace_;
    RunId run_;
    std::vector<NamedMetric> metrics_;
    Clock::time_point flushed_ = Clock::now();
    Clock::time_point saved_ = Clock::now();
    Clock::duration cost_of_saving_{};
};

// The model of a run, as it is stored at the end of the run.

/// Prefix of the run's metrics on the test workloads (RankingReport::by_name()).
inline constexpr std::string_view test_prefix = "test/";
/// Prefix of the metrics of the boosted trees that were trained beside a network.
inline constexpr std::string_view baseline_prefix = "baseline/";
/// Prefix of the numbers of a reliability (evaluation/model_reasons/reliability.h), by their places.
inline constexpr std::string_view reliability_prefix = "reliability/";
/// Number of test workloads of both; absent where parts of workloads were tested.
inline constexpr const char* test_workloads_metric = "run/test_matrices";

struct TrainedModel {
    std::string name;
    std::optional<ModelId> parent;
    std::optional<ModelRecord> replaced; ///< the model of this name when the run was claimed
    const Checkpoint& checkpoint;
    std::string ending; ///< empty: it finished
};

/// Stores the model, all metrics of the journal, what `more` adds, and the end of the run in one transaction,
/// so that a finished run has its model. An error (Fault::Input) if another model has taken the name since:
/// that one is not replaced.
[[nodiscard]] Result<void> store_trained_model(Workspace& workspace, TrainingJournal& journal,
                                               const TrainedModel& model,
                                               const std::function<Result<void>()>& more = {});

} // namespace sparsight

// A training run as the workspace keeps it: its metrics, and the state from which it goes on.
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

/// Where a model of the name is there already, and a run made it.
enum class Redo {
    Never,       ///< done before where the settings are the same, otherwise refused
    WhenChanged, ///< made anew where the settings, or what was learned from, are not the same
    Always,
};

struct RunRequest {
    std::string_view kind; ///< "train" or "finetune"
    std::string name;      ///< of the model
    Json parameters;       ///< the effective configuration, and what tells the data apart
    Redo redo = Redo::Never;
    bool only_left = false; ///< one that was left, and no new one
};

struct FinishedRun {
    ModelRecord model;
    std::string message; ///< that its run ended with
};

struct ClaimedRun {
    RunId id{};
    bool goes_on = false;                     ///< it was left before its end
    std::optional<StoredTrainingState> state; ///< of one that goes on, where it came so far
    std::string replaces; ///< a sentence: which model will be replaced, and why; empty: none, or as was asked
    std::optional<ModelRecord> model; ///< of this name, which will be replaced
    RunHold hold;
};

/// Errors: the name is taken, or none (Fault::Input); a live process works at a run of this name
/// (Fault::Environment); no run was left where one has to be (Fault::Input).
[[nodiscard]] Result<std::variant<FinishedRun, ClaimedRun>> claim_run(Workspace& workspace,
                                                                      const RunRequest& request);

/// How the work at a run came to its end, where no error ended it.
enum class RunEnd {
    Finished,
    DoneBefore, ///< an earlier run did the same; what it came to is told again
    Stopped,    ///< by the user: the same request goes on with the run
    Refused,    ///< by claim_run(): nothing was begun. Fault::Input: the request is wrong
};

class Workspace;

/// A run of these very parameters, where there has been one.
struct KnownRun {
    RunId id{};
    bool is_finished = false;
    std::string message;                      ///< that it ended with
    std::optional<StoredTrainingState> state; ///< of one that is not
};
[[nodiscard]] Result<std::optional<KnownRun>> find_training_run(Workspace& workspace, std::string_view kind,
                                                                std::string_view parameters);

/// The run that made the model, where it is of these very parameters; without its state.
[[nodiscard]] Result<std::optional<KnownRun>> find_run_of_model(Workspace& workspace,
                                                                const ModelRecord& model,
                                                                std::string_view kind,
                                                                std::string_view parameters);

/// Whether a run of these parameters that did not finish is gone on with. With `again`, where it is newer
/// than the model, which another run made: it is that of an earlier --again.
[[nodiscard]] bool is_gone_on_with(const std::optional<KnownRun>& known,
                                   const std::optional<ModelRecord>& model, bool again);

/// How long a run was worked at, pauses left out; of one that was left, up to the state that it goes on from.
inline constexpr const char* seconds_metric = "run/seconds";

using MetricsByName = std::map<std::string, std::vector<MetricPoint>>;
/// All metrics of a run; none is without a point.
[[nodiscard]] Result<MetricsByName> stored_metrics(Workspace& workspace, RunId run);

/// What is added is written a few times a second, many at once: a transaction costs as much as a hundred
/// steps of a small network.
class TrainingJournal {
public:
    TrainingJournal(Workspace& workspace, RunId run)
        : workspace_(workspace)
        , run_(run) {}

    [[nodiscard]] RunId run() const { return run_; }
    [[nodiscard]] Workspace& workspace() const { return workspace_; }

    /// Forgets the metrics that are newer than the state that the run goes on from.
    [[nodiscard]] Result<void> go_back_to(std::int64_t step, std::int64_t epoch);

    void add(std::string name, std::int64_t step, double value);
    [[nodiscard]] Result<void> flush();

    /// The state together with all metrics up to it and the seconds of working at it, or nothing of them.
    [[nodiscard]] Result<void> save(const TrainingState& state, double seconds);
    /// Writes what is due: metrics after a quarter of a second, the state when saving it takes less than a
    /// twentieth of the time since it was saved last.
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

// The model that a run made, as the workspace gets it at the run's end.

/// Metrics of the whole run: RankingReport::by_name() on the test workloads behind the prefix.
inline constexpr std::string_view test_prefix = "test/";
/// … of the boosted trees that were trained beside a network.
inline constexpr std::string_view baseline_prefix = "baseline/";
/// How many workloads both are of; absent where parts of workloads were tested.
inline constexpr const char* test_workloads_metric = "run/test_matrices";

struct TrainedModel {
    std::string name;
    std::optional<ModelId> parent;
    std::optional<ModelRecord> replaced; ///< the model of this name when the run was claimed
    const Checkpoint& checkpoint;
    std::string ending; ///< empty: it came to its end
};

/// Model, all metrics of the journal, what `more` keeps, and the end of the run at once, so that a run that
/// is finished has its model. An error (Fault::Input) where the name has become another model's since: that
/// is not replaced.
[[nodiscard]] Result<void> store_trained_model(Workspace& workspace, TrainingJournal& journal,
                                               const TrainedModel& model,
                                               const std::function<Result<void>()>& more = {});

} // namespace sparsight

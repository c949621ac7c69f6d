// The experiment on tasks as the workspace keeps it: every point that is known, and where the training that
// is under way stands, so that a run that was stopped or killed does nothing twice.
#pragma once

#include "command/session.h"
#include "learn/training_journal.h"
#include "learning/meta_source.h"
#include "store/run_holders.h"

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace sparsight {

/// One training and the curve behind it.
struct TransferCell {
    std::size_t target = 0; ///< place among the targets
    int seed = 1;
    MetaSource source = MetaSource::Scratch;

    auto operator<=>(const TransferCell&) const = default;
};

/// What training for a cell was.
struct TransferTraining {
    std::int64_t machines = 0;
    std::int64_t steps = 0;
    std::int64_t examples = 0;
};

class TransferRecord {
public:
    using Point = std::pair<TransferCell, std::size_t>; ///< with the shots
    using Metrics = std::map<std::string, double>;      ///< RankingReport::by_name()

    /// The run of these very parameters, finished or not, else a new one. An error (Fault::Environment) where
    /// another process works at it. The workspace must outlive it.
    [[nodiscard]] static Result<TransferRecord> claim(Workspace& workspace, const Json& parameters);

    [[nodiscard]] RunId run() const { return journal_.run(); }
    [[nodiscard]] bool is_finished() const { return is_finished_; }
    [[nodiscard]] const std::map<Point, Metrics>& points() const { return points_; }
    [[nodiscard]] const std::map<TransferCell, TransferTraining>& trainings() const { return trainings_; }

    /// Where the training of this cell was left; nothing where it was not begun.
    [[nodiscard]] Result<std::optional<StoredTrainingState>> state_of(const TransferCell& cell);
    /// At most once a second, so that keeping takes little of the time.
    [[nodiscard]] Result<void> keep_if_due(const TransferCell& cell, const TrainingState& state);
    [[nodiscard]] Result<void> keep(const TransferCell& cell, const TrainingState& state);

    void add(const TransferCell& cell, const TransferTraining& training);
    [[nodiscard]] Result<void> add(const Point& point, const Metrics& metrics);
    [[nodiscard]] Result<void> end(RunState state, const std::string& message = {});

private:
    TransferRecord(Workspace& workspace, RunId run, std::optional<RunHold> hold, bool is_finished)
        : workspace_(&workspace)
        , journal_(workspace, run)
        , hold_(std::move(hold))
        , is_finished_(is_finished) {}
    [[nodiscard]] Result<void> read();
    void take(const std::string& name, const std::vector<MetricPoint>& points);
    void note_owner(const TransferCell& cell);

    Workspace* workspace_;
    TrainingJournal journal_;
    std::optional<RunHold> hold_; ///< of a run that is not finished
    bool is_finished_ = false;
    std::map<Point, Metrics> points_;
    std::map<TransferCell, TransferTraining> trainings_;
    std::optional<TransferCell> owner_; ///< whose state is kept
};

} // namespace sparsight

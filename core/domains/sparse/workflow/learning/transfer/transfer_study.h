// The experiment on tasks as the workspace keeps it: every point that is known, and where the training that
// is under way stands, so that a run that was stopped or killed does nothing twice.
#pragma once

#include "base/observer.h"
#include "domains/sparse/workflow/learning/transfer/transfer_request.h"
#include "learning/fine_tuning/shot_curve.h"
#include "learning/tasks/transfer_tasks.h"
#include "learning/training/example_store.h"
#include "learning/training/trainer.h"
#include "model/networks/encoder.h"
#include "store/runs.h"
#include "workflow/learning/training/training_journal.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

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

// The work of one cell of the experiment on tasks, so far as it is not done.

/// What a study tells on the way; work is counted in matrices that a step looks at.
struct TransferObserver {
    std::function<void(const TransferCell& cell, std::string_view what, std::int64_t work)> progress;
    std::function<void(const TransferRecord::Point& point, const TransferRecord::Metrics& metrics)> point;
};

class TransferStudy {
public:
    /// All of them must outlive it.
    TransferStudy(const TransferRequest& request, const TransferData& data, TransferRecord& record,
                  TransferObserver observer, std::stop_token stop)
        : request_(request)
        , data_(data)
        , record_(record)
        , observer_(std::move(observer))
        , stop_(std::move(stop)) {}

    /// In the order in which they are worked at.
    [[nodiscard]] std::vector<TransferCell> cells() const;
    /// Of one cell: that of its training, then of each of its points.
    [[nodiscard]] std::int64_t training_work(const TransferCell& cell) const;
    [[nodiscard]] std::int64_t point_work(std::size_t shots) const;

    /// The same for all seeds: as many as each of them leaves matrices to learn from, each number once.
    [[nodiscard]] Result<std::vector<std::size_t>> shots_of(const TransferCell& cell);

    /// Training and points that the record does not have. Errors: those of training and tests;
    /// Fault::Cancelled, with everything kept that was done.
    [[nodiscard]] Result<void> work(const TransferCell& cell);

private:
    /// What the cells of a target and seed have in common.
    struct Ground {
        std::size_t target = 0;
        int seed = 0;
        WorkloadSplit split;
        std::vector<std::size_t> shots;
        std::shared_ptr<const Encoder> encoder;
    };
    [[nodiscard]] Result<const Ground*> ground_of(const TransferCell& cell);
    [[nodiscard]] Result<WorkloadSplit> split_of(std::size_t target, int seed) const;
    [[nodiscard]] Result<std::size_t> most_shots(std::size_t target);
    [[nodiscard]] TrainingOptions training_options(const TransferCell& cell) const;
    [[nodiscard]] std::int64_t budget(const TransferCell& cell) const;
    /// The weights that fine-tuning begins with.
    [[nodiscard]] Result<MetaParameters> parameters(const TransferCell& cell, const Ground& ground);
    [[nodiscard]] Result<TrainingState> meta_train(const TransferCell& cell, const Ground& ground);

    const TransferRequest& request_;
    const TransferData& data_;
    TransferRecord& record_;
    TransferObserver observer_;
    std::stop_token stop_;
    std::map<std::size_t, std::size_t> most_shots_; ///< by target
    std::optional<Ground> ground_;                  ///< of the last cell
};

} // namespace sparsight

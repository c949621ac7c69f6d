// The work of one cell of the experiment on tasks, so far as it is not done.
#pragma once

#include "learn/transfer_data.h"
#include "learn/transfer_record.h"
#include "learning/example_store.h"
#include "learning/shot_curve.h"
#include "learning/training_length.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <vector>

namespace sparsight {

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
        MatrixSplit split;
        std::vector<std::size_t> shots;
        NetworkDescription network;
    };
    [[nodiscard]] Result<const Ground*> ground_of(const TransferCell& cell);
    [[nodiscard]] Result<MatrixSplit> split_of(std::size_t target, int seed) const;
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

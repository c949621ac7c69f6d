// The experiment on tasks: for every target, seed and source a model is meta-trained and adapted with few and
// with many matrices of the target, and tested with others.
#pragma once

#include "base/observer.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/workflow/learning/transfer/transfer_request.h"
#include "domains/sparse/workflow/learning/transfer/transfer_study.h"
#include "learning/tasks/transfer_tasks.h"
#include "workflow/learning/settings.h"
#include "workflow/learning/training/training_journal.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct TransferOrder {
    RunSettings settings;
    TransferRequest request;
};

/// Of a run that was stopped: so far as it came.
struct TransferOutcome {
    struct Target {
        std::string machine;
        std::size_t matrices = 0;
        std::string imagined_from; ///< the machine whose matrices and schedules imagined ones are given
        int tasks_per_step = 1;
    };

    RunEnd end = RunEnd::Finished;
    Error reason; ///< where the end is Stopped
    std::int64_t run = 0;
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::vector<Target> targets;
    std::vector<MetaSource> sources;
    std::map<TransferCell, TransferTraining> trainings;
    std::map<TransferRecord::Point, TransferRecord::Metrics> points;
    std::vector<std::string> notes;
    Json parameters;
};

// What events tell, and the answer as well.

[[nodiscard]] Json targets_json(const TransferOutcome& outcome);
[[nodiscard]] Json sources_json(const TransferOutcome& outcome);
[[nodiscard]] Json point_json(const TransferOutcome& outcome, const TransferRecord::Point& point,
                              const TransferRecord::Metrics& metrics);

/// Work that the user stopped is an outcome: the same order goes on with it.
[[nodiscard]] Result<TransferOutcome> run_transfer(Workspace& workspace, const TransferOrder& order,
                                                   Observer& observer, const std::stop_token& stop);

} // namespace sparsight

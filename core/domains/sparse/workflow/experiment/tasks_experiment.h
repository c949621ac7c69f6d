// The experiment on what to learn from before a machine is learned that is new: sparsight-learn runs it.
#pragma once

#include "base/observer.h"
#include "workflow/process/learn_process.h"

#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

struct TasksOutcome {
    Json answer; ///< see parse_transfer_experiment()
    bool is_stopped = false;
};

/// `options` are those of sparsight-learn (transfer_settings), with their values. Tells what it tells.
[[nodiscard]] Result<TasksOutcome>
compare_tasks(const LearnerSetting& setting, const std::vector<std::pair<std::string, std::string>>& options,
              Observer& observer, const std::stop_token& stop);

} // namespace sparsight

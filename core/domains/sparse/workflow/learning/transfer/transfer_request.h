// What the experiment on tasks is asked to do.
#pragma once

#include "base/observer.h"
#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/schedule/operator.h"
#include "learning/fine_tuning/fine_tuning.h"
#include "learning/tasks/task.h"
#include "learning/tasks/transfer_tasks.h"
#include "learning/training/training_plan.h"
#include "workflow/learning/settings.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct TransferRequest {
    std::vector<std::string> targets; ///< empty: every machine with matrices enough
    std::vector<MetaSource> sources;
    std::vector<std::size_t> shots; ///< ascending, each once
    int seeds = 5;
    std::int64_t steps = 100; ///< of meta-training, where there are matrices and schedules enough
    std::size_t family = 16;  ///< machines
    TrainingOptions meta;
    FineTuningOptions tuning;
    double test_share = 0.3;
    Architecture architecture = Architecture::StatisticsNet;
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::uint64_t seed = 1; ///< of the splits and the family
    int threads = 1;
};

[[nodiscard]] std::vector<SettingDefinition> transfer_setting_definitions();

/// Errors (Fault::Input) name the setting, its value, what was expected, and where it was said.
[[nodiscard]] Result<TransferRequest> read_transfer_request(const RunSettings& settings);

// What the experiment on tasks looks at: every real machine of the workspace, and which of them are targets.

class Workspace;

struct TransferTarget {
    std::size_t task = 0;   ///< place in the real tasks
    std::size_t donor = 0;  ///< likewise: whose matrices and schedules imagined machines are given
    int tasks_per_step = 1; ///< of every source
};

/// Imagined machines over what a donor was measured on; none that no source learns from.
struct ImaginedTasks {
    std::vector<Task> paper;
    std::vector<Task> family;
};

struct TransferData {
    TaskSet real; ///< measured here or recorded elsewhere; nothing simulated
    std::vector<TransferTarget> targets;
    std::map<std::size_t, ImaginedTasks> imagined; ///< by the donor of a target, each of which is there
    /// What is learned from, what is left out and why, which caches of the family nothing can be learned
    /// about.
    std::vector<std::string> notes;
};

/// Refers to the workspace, which has to live as long. Errors (Fault::Input): fewer than two machines; a
/// target that there is not, or one that was named and has too few matrices; no target at all. What is wrong
/// is said with what to do. Fault::Cancelled.
[[nodiscard]] Result<TransferData> transfer_data(Workspace& workspace, const TransferRequest& request,
                                                 const std::stop_token& stop, const ProgressSink& progress);

/// By machine as identity_of() of a task set has it, imagined ones for each of their donors: what was learned
/// from another sample of the family, or by another simulator, is another experiment.
[[nodiscard]] Json identity_of(const TransferData& data);

} // namespace sparsight

// What models chose for workloads within a run (the configurations that are worth measuring, best first), and
// the times of a rematch, in which an evaluation measures configurations again in turns
// (collection/collector.h). Ordinary times are in measurements.h; times of a rematch are comparable only with
// each other.
#pragma once

#include "base/error.h"
#include "store/models.h"
#include "store/runs.h"
#include "store/workloads.h"
#include "study/configuration.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct ConfigurationChoice {
    WrittenConfiguration configuration;
    /// The model's score; lower is faster. Not-a-number where it gave none, as for the baseline.
    double score = 0;
};

/// Replaces the choices of this model for this workload within this run. They are stored in the order of
/// `chosen`, the best first.
[[nodiscard]] Result<void> record_choices(Workspace& workspace, RunId run, ModelId model, WorkloadId workload,
                                          std::span<const ConfigurationChoice> chosen);

struct ChoiceRecord {
    ModelId model{};
    WorkloadId workload{};
    int rank = 1; ///< from 1
    ConfigurationChoice chosen;
};

/// The choices of a run: all, or those of one model for one workload; sorted by model, workload and rank.
[[nodiscard]] Result<std::vector<ChoiceRecord>>
list_choice_records(Workspace& workspace, RunId run, std::optional<ModelId> model = std::nullopt,
                    std::optional<WorkloadId> workload = std::nullopt);

/// The times of one configuration in a rematch.
struct ConfigurationTurns {
    WrittenConfiguration configuration;
    /// The median of each turn, in order; times at the same place belong to the same turn. Empty: the
    /// configuration could not be measured in all turns, and has no time.
    std::vector<double> turns_ms;
    std::string error; ///< why it has no time, for the user; empty where it has one
};

/// Replaces the rematch of this run on this workload.
[[nodiscard]] Result<void> record_turn_times(Workspace& workspace, RunId run, WorkloadId workload,
                                             std::span<const ConfigurationTurns> times);

/// The times of a rematch, sorted by text; empty where the run has no rematch on this workload.
[[nodiscard]] Result<std::vector<ConfigurationTurns>> list_turn_times(Workspace& workspace, RunId run,
                                                                      WorkloadId workload);

/// The workloads on which the baseline has times in a rematch, of each run that has any: others compare with
/// nothing.
[[nodiscard]] Result<std::map<RunId, std::set<WorkloadId>>> workloads_with_turns(Workspace& workspace);

} // namespace sparsight

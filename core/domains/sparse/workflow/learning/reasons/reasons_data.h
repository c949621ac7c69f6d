// What reasons of a model are found with: the model, the matrix, and what the workspace knows of others.
#pragma once

#include "base/observer.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/statistics.h"
#include "domains/sparse/workflow/learning/reasons/reasons_search.h"
#include "learning/tasks/workspace_tasks.h"
#include "model/cost_model.h"
#include "workflow/learning/models/model_storage.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// Another matrix of the workspace.
struct KnownMatrix {
    std::string name;
    WorkloadId id{};
    PatternStatistics statistics;
    bool is_learned = false; ///< by the model, or by one that it was made from
};

struct ReasonsData {
    StoredModel stored;
    std::unique_ptr<CostModel> model;
    Operator op = Operator::SpMM;
    std::int64_t dense = 1;
    bool reads_machine = false;

    std::string matrix;
    std::shared_ptr<const CsrPattern> pattern;
    PatternStatistics statistics;
    bool is_learned = false;
    std::size_t missing = 0; ///< matrices that were learned from, and are not here
    std::vector<KnownMatrix> known;

    std::string machine_name; ///< empty: this computer, of which the workspace knows nothing
    MachineDescription machine;
    /// Of one machine: the asked one, if anything was measured there, else one that the model learned from.
    std::string times_machine;
    std::map<std::string, WorkloadRuntimes> runtimes; ///< by matrix
    int times_threads = 1;                            ///< that they were taken with
    bool times_are_of_machine = false;                ///< the asked one

    SuperSchedule schedule; ///< canonical, with the machine's threads
    SuperSchedule against;
    std::vector<SuperSchedule> others; ///< canonical: that were measured, and drawn ones

    /// On the asked machine; nothing where it was not measured, or failed.
    [[nodiscard]] std::optional<double> measured(const SuperSchedule& schedule) const;
};

/// What a schedule takes by the runtimes of a matrix, whatever threads it names.
[[nodiscard]] std::optional<double> time_of(const WorkloadRuntimes& runtimes, const SuperSchedule& schedule);

/// Errors: a model, matrix, machine or schedule that there is not; a pattern that can't be read;
/// Fault::Cancelled.
[[nodiscard]] Result<ReasonsData> read_reasons_data(Workspace& workspace, const LearningDomains& domains,
                                                    const ReasonsRequest& request,
                                                    const std::stop_token& stop,
                                                    const ProgressSink& progress);

} // namespace sparsight

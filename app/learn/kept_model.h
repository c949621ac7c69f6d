// The model that a run made, as the workspace gets it at the run's end.
#pragma once

#include "learn/training_journal.h"
#include "model/checkpoint.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sparsight {

/// Metrics of the whole run: RankingReport::by_name() on the test matrices behind the prefix.
inline constexpr std::string_view test_prefix = "test/";
/// … of the boosted trees that were trained beside a network.
inline constexpr std::string_view baseline_prefix = "baseline/";
/// How many matrices both are of.
inline constexpr const char* test_matrices_metric = "run/test_matrices";

struct MadeModel {
    std::string name;
    std::optional<ModelId> parent;
    std::optional<ModelRecord> replaced; ///< the model of this name when the run was claimed
    const Checkpoint& checkpoint;
    std::string ending; ///< empty: it came to its end
};

/// Model, all metrics of the journal, what `more` keeps, and the end of the run at once, so that a run that
/// is finished has its model. An error (Fault::Input) where the name has become another model's since: that
/// is not replaced.
[[nodiscard]] Result<void> keep_made_model(Workspace& workspace, TrainingJournal& journal,
                                           const MadeModel& model,
                                           const std::function<Result<void>()>& more = {});

} // namespace sparsight

// The shot curve of a fine-tuning: a model and others with the same matrices, each point told and kept when
// it is known, and none computed twice.
#pragma once

#include "base/observer.h"
#include "learning/fine_tuning/fine_tuning.h"
#include "workflow/learning/fine_tuning/finetune_request.h"
#include "workflow/learning/training/training_journal.h"

#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct ShotResult {
    std::string contender;
    std::size_t shots = 0;
    std::vector<std::map<std::string, double>> seeds; ///< RankingReport::by_name()
    std::map<std::string, Interval> mean;             ///< of each metric, over the seeds
};

/// {"contender", "shots", "seeds": [{METRIC: NUMBER}], "mean": {METRIC: {"mean", "low", "high"}}}; low and
/// high are null with one seed.
[[nodiscard]] Json shot_json(const ShotResult& result);

/// The points among the metrics of a run.
[[nodiscard]] std::vector<ShotResult> stored_shots(const MetricsByName& metrics);

/// A sentence where more matrices are asked for than there are to adapt to; empty otherwise.
[[nodiscard]] std::string shots_note(const std::vector<std::size_t>& wanted, std::size_t matrices);

/// None where the request asks for none.
[[nodiscard]] Result<std::vector<ShotResult>>
run_shots(Workspace& workspace, const LearningDomains& domains, const FinetuneRequest& request,
          const StoredModel& model, const FineTuningOptions& options, const TrainingData& data,
          TrainingJournal& journal, Observer& observer, const std::stop_token& stop);

} // namespace sparsight

// What a fine-tuning came to, and what is to be said of it.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "learning/fine_tuning/blend_weights.h"
#include "learning/fine_tuning/fine_tuning.h"
#include "learning/training/model_verdicts.h"
#include "model/checkpoints/checkpoint.h"
#include "workflow/learning/fine_tuning/finetune_request.h"
#include "workflow/learning/training/training_journal.h"

#include <cstdint>
#include <map>
#include <optional>
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

/// A sentence where more shots are asked for than there are to adapt to; empty otherwise.
[[nodiscard]] std::string shots_note(const std::vector<std::size_t>& wanted, const FinetuneData& data);

/// None where the request asks for none.
[[nodiscard]] Result<std::vector<ShotResult>>
run_shots(Workspace& workspace, const LearningDomains& domains, const FinetuneRequest& request,
          const StoredModel& model, const FineTuningOptions& options, const FinetuneData& data,
          TrainingJournal& journal, Observer& observer, const std::stop_token& stop);

using Metrics = std::map<std::string, double>; ///< RankingReport::by_name()

struct FinetuneOutcome {
    RunEnd end = RunEnd::Finished;
    Error reason; ///< where the end is Stopped or Refused; then nothing is known but the run that was stopped
    std::int64_t run = 0;
    std::string model;
    std::string machine; ///< that was fine-tuned to
    DomainWords words{}; ///< of the model's domain
    Metrics before;
    Metrics after;
    Metrics network_alone;   ///< fine-tuned; where the simulator has a share in the model
    Metrics simulator_alone; ///< calibrated, likewise
    std::optional<SimulatorBlend> blend;
    /// How its shares were chosen. Not by pairs: then `remarks` say so, and why.
    DirectionReason shares_by = DirectionReason::Pairs;
    /// What showed the shares: "network", "simulator" and "both", of the pairs in order on the workloads that
    /// were learned from, each kept back once; and by "network_regret_at_5" … what the best few of each lose.
    Metrics kept_back;
    std::vector<std::string> remarks; ///< what limits the model's worth; sentences
    std::size_t asked = 0;            ///< workloads to learn from; 0: they were named, or rows were asked for
    std::size_t used = 0;             ///< of those: fewer where there are no more
    std::vector<ShotResult> shots;
    Noun shot = DomainWords{}.workload; ///< what they count
    double seconds = 0;                 ///< of working at it, since it was started last
};

/// By pairs in order on the test workloads; absent where they are not known.
[[nodiscard]] std::optional<FinetuneVerdict> verdict_of(const FinetuneOutcome& outcome);

/// The verdict in words: what was gained and which part of the model brought it, or that the model became
/// worse and what to do. Empty without a verdict.
[[nodiscard]] std::string gain_sentence(const FinetuneOutcome& outcome);
/// The same sentence where the model became worse, which a model keeps among its remarks; none otherwise.
[[nodiscard]] std::optional<std::string> loss_remark(const FinetuneOutcome& outcome);

/// What is to be said of the shares of network and simulator: that one of them has none, and why; that both
/// together rank the test workloads worse than one of them alone, by pairs or by their best configurations,
/// and that these two disagree. None without a blend.
[[nodiscard]] std::vector<std::string> blend_remarks(const FinetuneOutcome& outcome);

} // namespace sparsight

// The result of a fine-tuning, and the sentences that describe it.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "evaluation/model_reasons/reliability.h"
#include "learning/fine_tuning/shot_curve.h"
#include "learning/training/model_verdicts.h"
#include "model/checkpoints/checkpoint.h"
#include "workflow/learning/fine_tuning/finetune_data.h"
#include "workflow/learning/training/training_journal.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct ShotResult {
    std::string contender;
    std::size_t shots = 0;
    std::vector<std::map<std::string, double>> seeds; ///< RankingReport::by_name()
    std::map<std::string, Interval> mean;             ///< mean of each metric over the seeds
};

/// {"contender", "shots", "seeds": [{METRIC: NUMBER}], "mean": {METRIC: {"mean", "low", "high"}}}; low and
/// high are null with one seed.
[[nodiscard]] Json shot_json(const ShotResult& result);

/// The points of the shot curve among the metrics of a run.
[[nodiscard]] std::vector<ShotResult> stored_shots(const MetricsByName& metrics);

/// A sentence if more shots are requested than workloads are available; otherwise empty.
[[nodiscard]] std::string shots_note(const std::vector<std::size_t>& wanted, const FinetuneData& data);

/// Empty if the request asks for no curve. The contenders know what was calibrated for `examples`, which are
/// of the same data.
[[nodiscard]] Result<std::vector<ShotResult>>
run_shots(Workspace& workspace, const LearningDomains& domains, const FinetuneRequest& request,
          const StoredModel& model, const FineTuningOptions& options, const FinetuneData& data,
          const ExampleStore& examples, TrainingJournal& journal, Observer& observer,
          const std::stop_token& stop);

using Metrics = std::map<std::string, double>; ///< RankingReport::by_name()

struct FinetuneOutcome {
    RunEnd end = RunEnd::Finished;
    Error reason; ///< why it was stopped or refused; nothing else is known then, except the stopped run
    std::int64_t run = 0;
    std::string model;
    std::string machine; ///< the new machine
    DomainWords words{}; ///< words of the model's domain
    Metrics before;
    Metrics after;
    Metrics simulator_alone;                ///< of a gray box: its calibrated simulator
    std::optional<StatedDoubt> doubt;       ///< of a gray box that learned from something
    std::optional<Reliability> reliability; ///< of that doubt, on the test workloads
    std::vector<std::string> remarks;       ///< sentences: what limits the quality of the model
    std::size_t asked = 0; ///< requested number of workloads; 0: they were named, or rows were requested
    std::size_t used = 0;  ///< number of workloads used: fewer where there are no more
    std::vector<ShotResult> shots;
    Noun shot = DomainWords{}.workload; ///< what the numbers count
    double seconds = 0;                 ///< working time since the last start
};

/// Compares pairs in the right order on the test workloads; absent where they are not known.
[[nodiscard]] std::optional<FinetuneVerdict> verdict_of(const FinetuneOutcome& outcome);

/// The verdict in words: the gain, of a gray box what its correction gained over the simulator, or that the
/// model became worse and what to do. Without a verdict the error of the times; empty if it is not known.
[[nodiscard]] std::string gain_sentence(const FinetuneOutcome& outcome);
/// The sentence for a model that became worse, which is stored among its remarks; otherwise absent.
[[nodiscard]] std::optional<std::string> loss_remark(const FinetuneOutcome& outcome);

/// In what a machine is unlike the simulator of a gray box that was adapted to it, beyond chance:
/// "PARAMETER/factor", and its interval "PARAMETER/low" and "PARAMETER/high". Empty for other models.
[[nodiscard]] Metrics deviation_metrics(std::span<const NamedArray> weights);

/// The reliability among the metrics of a run; absent where it was not checked.
[[nodiscard]] std::optional<Reliability> stored_reliability(const MetricsByName& metrics);

/// "The order of two schedules came true in 84.1 % …": how often the stated order came true against how sure
/// the model was, and how many times were within their interval.
[[nodiscard]] std::string reliability_sentence(const Reliability& reliability, const DomainWords& words);
/// Why the stated doubt is not calibrated; otherwise absent.
[[nodiscard]] std::optional<std::string> doubt_remark(const FinetuneOutcome& outcome);

/// The remarks of a stored model. Earlier versions doubted the share of a network that has none.
[[nodiscard]] std::vector<std::string> stored_remarks(const ModelDescription& model);

} // namespace sparsight

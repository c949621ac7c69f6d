// What a training run leaves in the workspace, and what is told of it when it is asked for again.
#pragma once

#include "base/error.h"
#include "learning/training/model_verdicts.h"
#include "learning/training/trainer.h"
#include "model/checkpoints/checkpoint.h"
#include "store/models.h"
#include "workflow/learning/training/training_journal.h"
#include "workflow/learning/training/training_request.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace sparsight {

class Workspace;

/// What a network and the trees beside it have of the pairs in order, and on how many test workloads.
struct BaselineComparison {
    std::optional<double> model{};
    std::optional<double> baseline{};
    int test_workloads = 0;                 ///< 0: not known
    Noun workload = DomainWords{}.workload; ///< of the model's domain
    bool has_simulator = false;             ///< the domain; fine-tuning then blends it with the network

    [[nodiscard]] std::optional<BaselineVerdict> verdict() const {
        return baseline_verdict_of(model, baseline);
    }
};

/// What may turn it where the trees are ahead.
[[nodiscard]] std::string what_helps_against_trees(const BaselineComparison& comparison);

/// Who is ahead, and by how many points. Empty where one is not known.
[[nodiscard]] std::string baseline_finding(const BaselineComparison& comparison);
/// … and what to do about it where the trees are.
[[nodiscard]] std::string baseline_sentence(const BaselineComparison& comparison);

/// What the run that made it found of trees on the same data; nothing is known of a model from a file, and of
/// a fine-tuned one.
[[nodiscard]] Result<BaselineComparison> comparison_with_trees(Workspace& workspace, const ModelRecord& model,
                                                               const LearningDomain& domain);

/// How a run ended.
struct TrainOutcome {
    RunEnd end = RunEnd::Finished;
    Error reason; ///< where the end is Refused; nothing else is known then
    std::int64_t run = 0;
    std::optional<std::string> model; ///< nothing: stopped
    std::string ending;               ///< of the training: "finished", "stopped early", "stopped"
    int epochs = 0;
    int best_epoch = 0;
    std::optional<double> seconds;         ///< of working at it, pauses left out; nothing: not known
    std::map<std::string, double> metrics; ///< on the test workloads
    std::optional<std::map<std::string, double>> baseline;
    int test_workloads = 0;                 ///< 0: not known, or none
    const LearningDomain* domain = nullptr; ///< of the model; nullptr where the end is Refused

    [[nodiscard]] BaselineComparison beside_baseline() const;
};

/// Of a network that was trained; without its metrics.
[[nodiscard]] TrainOutcome outcome_of(const TrainingState& state, TrainingEnd end, RunId run);

/// While it was tested, or beside it trees were trained: the same command goes on there.
[[nodiscard]] TrainOutcome stopped_behind_the_epochs(Workspace& workspace, RunId run);

struct StoredTrainingResult {
    const TrainOutcome& outcome;
    const Checkpoint& checkpoint;
    std::optional<ModelId> parent;
    std::optional<ModelRecord> replaced; ///< the model of this name when the run was claimed
    const TrainingData* own = nullptr;   ///< whose split is kept by the model's name; nullptr: it has a name
};

/// store_trained_model() with the split, whose name is checked once more.
[[nodiscard]] Result<void> store_training_result(Workspace& workspace, TrainingJournal& journal,
                                                 const StoredTrainingResult& result);

/// A split that a training kept under the name of its model may be replaced by another such training; one of
/// the user's would be lost: an error (Fault::Input).
[[nodiscard]] Result<void> check_split_name(Workspace& workspace, const std::string& name);

/// As it was told when the run was finished.
[[nodiscard]] Result<TrainOutcome> stored_outcome(Workspace& workspace, const LearningDomains& domains,
                                                  const FinishedRun& done);

} // namespace sparsight

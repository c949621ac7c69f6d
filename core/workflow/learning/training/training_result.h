// The result of a training run in the workspace, and the report when the same run is requested again.
#pragma once

#include "base/error.h"
#include "learning/training/model_verdicts.h"
#include "learning/training/trainer.h"
#include "model/checkpoints/checkpoint.h"
#include "store/models.h"
#include "workflow/learning/training/training_data.h"
#include "workflow/learning/training/training_journal.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace sparsight {

class Workspace;

/// The shares of pairs in order of a network and of the trees beside it, and the number of test workloads.
struct BaselineComparison {
    std::optional<double> model{};
    std::optional<double> baseline{};
    int test_workloads = 0;                 ///< 0: not known
    Noun workload = DomainWords{}.workload; ///< word of the model's domain
    bool has_simulator = false;             ///< the domain has a simulator, and so gray boxes

    [[nodiscard]] std::optional<BaselineVerdict> verdict() const {
        return baseline_verdict_of(model, baseline);
    }
};

/// What may help the network, if the trees are ahead.
[[nodiscard]] std::string what_helps_against_trees(const BaselineComparison& comparison);

/// Which of the two is ahead, and by how many points. Empty if one of the shares is not known.
[[nodiscard]] std::string baseline_finding(const BaselineComparison& comparison);
/// The same, with advice if the trees are ahead.
[[nodiscard]] std::string baseline_sentence(const BaselineComparison& comparison);

/// What the model's run found about trees on the same data; empty for a model from a file and for a
/// fine-tuned model.
[[nodiscard]] Result<BaselineComparison> comparison_with_trees(Workspace& workspace, const ModelRecord& model,
                                                               const LearningDomain& domain);

/// How a run ended.
struct TrainOutcome {
    RunEnd end = RunEnd::Finished;
    Error reason; ///< why it was refused; nothing else is known then
    std::int64_t run = 0;
    std::optional<std::string> model; ///< absent: stopped
    std::string ending;               ///< of the training: "finished", "stopped early", "stopped"
    int epochs = 0;
    int best_epoch = 0;
    std::optional<double> seconds;         ///< working time without pauses; absent: not known
    std::map<std::string, double> metrics; ///< on the test workloads
    std::optional<std::map<std::string, double>> baseline;
    int test_workloads = 0;                 ///< 0: not known, or none
    const LearningDomain* domain = nullptr; ///< domain of the model; nullptr if the run was refused

    [[nodiscard]] BaselineComparison beside_baseline() const;
};

/// The outcome of training a network; without its metrics.
[[nodiscard]] TrainOutcome outcome_of(const TrainingState& state, TrainingEnd end, RunId run);

/// The outcome of a run that was stopped during its test or while trees were trained beside it: the same
/// command resumes it there.
[[nodiscard]] TrainOutcome stopped_behind_the_epochs(Workspace& workspace, RunId run);

struct StoredTrainingResult {
    const TrainOutcome& outcome;
    const Checkpoint& checkpoint;
    std::optional<ModelId> parent;
    std::optional<ModelRecord> replaced; ///< the model of this name when the run was claimed
    const TrainingData* own =
        nullptr; ///< its split is stored under the model's name; nullptr: the split has a name
};

/// Calls store_trained_model() and stores the split, after checking its name again.
[[nodiscard]] Result<void> store_training_result(Workspace& workspace, TrainingJournal& journal,
                                                 const StoredTrainingResult& result);

/// A split that a training stored under its model's name may be replaced by another training; replacing a
/// split of the user would lose it: an error (Fault::Input).
[[nodiscard]] Result<void> check_split_name(Workspace& workspace, const std::string& name);

/// The report as it was when the run finished.
[[nodiscard]] Result<TrainOutcome> stored_outcome(Workspace& workspace, const LearningDomains& domains,
                                                  const FinishedRun& done);

} // namespace sparsight

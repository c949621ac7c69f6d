// One cell of the study of blocks: trains or adapts a model and predicts the test blocks with it.
#pragma once

#include "base/observer.h"
#include "domains/blocks/study/study_blocks.h"
#include "domains/blocks/study/study_plan.h"
#include "domains/blocks/study/study_record.h"
#include "learning/learning_domain.h"
#include "model/checkpoints/checkpoint.h"
#include "workflow/learning/training/training_data.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

class Workspace;

/// What a cell has come to; a model only where others need it, or a user may.
struct TrainedCell {
    CellResult result;
    std::optional<Checkpoint> model;
};

class StudyTraining {
public:
    /// Reads and decodes all blocks. What is passed must outlive it. Errors: those of
    /// LearningDomain::tasks().
    [[nodiscard]] static Result<StudyTraining> open(Workspace& workspace, const LearningDomain& domain,
                                                    const StudyBlocks& blocks, const StudySizes& sizes,
                                                    int threads, Observer& observer,
                                                    const std::stop_token& stop);

    /// A cell without LLVM. Stopped, it goes on from the state in its run: Fault::Cancelled.
    [[nodiscard]] Result<TrainedCell> run(const StudyCell& cell, const ClaimedCell& claimed,
                                          Observer& observer, const std::stop_token& stop) const;

private:
    StudyTraining(Workspace& workspace, const LearningDomain& domain, const StudyBlocks& blocks,
                  const StudySizes& sizes, int threads, TaskSet set);

    /// Blocks of one machine that test models.
    struct TestBlocks {
        std::vector<WorkloadId> ids;
        std::vector<std::shared_ptr<const Payload>> payloads;
    };

    [[nodiscard]] TrainingData data_of(const StudyCell& cell) const;
    [[nodiscard]] TrainRequest request_of(const StudyCell& cell) const;
    [[nodiscard]] Result<TrainedCell> bound(const StudyCell& cell) const;
    [[nodiscard]] Result<TrainedCell> trees(const StudyCell& cell, Observer& observer,
                                            const std::stop_token& stop) const;
    [[nodiscard]] Result<TrainedCell> network(const StudyCell& cell, const ClaimedCell& claimed,
                                              Observer& observer, const std::stop_token& stop) const;
    /// That an adapted cell starts from.
    [[nodiscard]] Result<Checkpoint> base_model(const StudyCell& cell) const;
    [[nodiscard]] Result<TrainedCell> adapted(const StudyCell& cell, Observer& observer,
                                              const std::stop_token& stop) const;
    [[nodiscard]] Result<TestBlocks> test_blocks(const std::string& machine) const;
    [[nodiscard]] Result<void> predict(const StudyCell& cell, const Checkpoint& checkpoint,
                                       CellResult& result, const std::stop_token& stop) const;

    Workspace& workspace_;
    const LearningDomain& domain_;
    const StudyBlocks& blocks_;
    const StudySizes& sizes_;
    int threads_;
    TaskSet set_;
    std::vector<const StudyBlock*> block_of_; ///< of each workload of the set
};

} // namespace sparsight

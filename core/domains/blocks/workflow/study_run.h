// The cells of the study of blocks that learn, one after the other.
#pragma once

#include "base/observer.h"
#include "domains/blocks/study/study_plan.h"
#include "learning/learning_domain.h"
#include "workflow/learning/training/training_journal.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct BlockStudyRequest {
    StudySizes sizes{};
    int threads = 1;
    double hours = 0; ///< of this call, after which it stops as if the user had; 0: no limit
};

struct BlockStudyOutcome {
    RunEnd end = RunEnd::Finished;
    Error reason;                    ///< where the end is Stopped
    std::size_t cells = 0;           ///< that need no LLVM
    std::size_t finished = 0;        ///< now or before
    std::vector<std::string> failed; ///< sentences
    std::size_t elsewhere = 0;       ///< that other processes work on
};

/// Several processes may do it at once: none takes a cell that another one works on. A cell that fails is
/// told, and the others go on. Errors: no blocks with times; a workspace that can't be written.
[[nodiscard]] Result<BlockStudyOutcome> run_block_study(Workspace& workspace, const LearningDomain& domain,
                                                        const BlockStudyRequest& request, Observer& observer,
                                                        const std::stop_token& stop);

} // namespace sparsight

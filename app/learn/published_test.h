// What weights that others published are worth on the runtimes that the workspace has.
#pragma once

#include "base/progress.h"
#include "learn/stored_model.h"

#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct PublishedTest {
    std::string machine;
    int matrices = 0;
    std::map<std::string, double> metrics; ///< RankingReport::by_name()
};

/// One for each machine that has runtimes of the model's operator (dense extent 256) on matrices whose entries
/// are known; none where there is none. Whether the weights have learned from these matrices nobody knows. Of
/// a network; errors: those of report_ranking().
[[nodiscard]] Result<std::vector<PublishedTest>> test_published(Workspace& workspace,
                                                                const Checkpoint& checkpoint, int threads,
                                                                const std::stop_token& stop,
                                                                const ProgressSink& progress);

} // namespace sparsight

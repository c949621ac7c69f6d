// What weights that others published are worth on the runtimes that the workspace has.
#pragma once

#include "base/progress.h"
#include "learn/stored_model.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct PublishedTest {
    std::string machine;
    std::int64_t dense = 1; ///< extent; 1 for SpMV
    int matrices = 0;
    std::map<std::string, double> metrics; ///< RankingReport::by_name()
};

struct PublishedTests {
    std::vector<PublishedTest> tests;
    std::vector<std::string> left_out; ///< sentences: what was measured, and could not be tested with
};

/// One for each dense extent and machine that has runtimes of the model's operator on matrices whose entries
/// are known: of 256 first, which WACO's weights were trained for, then of those with the most runtimes.
/// Whether the weights have learned from these matrices nobody knows. Of a network; errors: those of
/// report_ranking() and of the workspace.
[[nodiscard]] Result<PublishedTests> test_published(Workspace& workspace, const Checkpoint& checkpoint,
                                                    int threads, const std::stop_token& stop,
                                                    const ProgressSink& progress);

} // namespace sparsight

// Weights that others published (domains/sparse/encoder/cost_network.h) become models of the workspace.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "base/parallel.h"
#include "domains/sparse/schedule/operator.h"
#include "model/checkpoints/checkpoint.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class Workspace;

// Which operator they are of, where nobody said it.

struct PublishedOperator {
    Operator op = Operator::SpMM;
    std::string by;          ///< what says so: "the name of the file or its folder", "its shape" …
    bool is_guessed = false; ///< other operators fit the shape as well, and nothing names one
};

/// `shape` is the operator whose network has such tensors. Schedules of SpMM and SDDMM have as many loops,
/// and the third-party weights are SpMM's in the shape of SDDMM's: of what fits, the name of the file or of
/// its folder decides, then for the shape of SDDMM what the workspace has runtimes of, then the shape.
[[nodiscard]] Result<PublishedOperator> published_operator(Workspace& workspace,
                                                           const std::filesystem::path& file, Operator shape);

// What they are worth on the runtimes that the workspace has.

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

// The import.

struct PublishedImport {
    std::string name;           ///< in the workspace; empty: as the file is called
    std::optional<Operator> op; ///< nothing: what fits
    std::string machine;        ///< that they were trained for; empty: not known
    bool test = true;
    int threads = available_threads();
};

struct ImportedWeights {
    std::string name;
    std::string architecture;
    Operator op = Operator::SpMM;
    std::optional<PublishedOperator> published; ///< where nobody said the operator
    std::vector<std::string> unused;            ///< tensors that no score depends on
    std::vector<PublishedTest> tests;
};

/// Errors: the file can't be read, or another model has its name.
[[nodiscard]] Result<ImportedWeights> import_published(Workspace& workspace, const PublishedImport& request,
                                                       const std::string& file, Observer& observer,
                                                       const std::stop_token& stop);

/// "second", "second with dense extent 64": what the times of a test are of.
[[nodiscard]] std::string measured_on(const PublishedTest& test, Operator op);

} // namespace sparsight

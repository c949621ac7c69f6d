// Tunes the parameters of a simulator of blocks to measured times, from the table of blocks to the report.
#pragma once

#include "domains/blocks/learning/block_payload.h"
#include "domains/blocks/learning/surrogate/surrogate_learning.h"
#include "domains/blocks/tuning/table_search.h"
#include "domains/blocks/tuning/tuning_report.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

enum class TuningMethod {
    Surrogate, ///< DiffTune: random parameters over fixed ranges, learned from random ones
    Local,     ///< a surrogate of parameters near the best ones, which is refreshed in every round
    Search,    ///< trials of single parameters with the simulator itself
};
/// "surrogate", "local", "search".
[[nodiscard]] std::string_view name(TuningMethod method);
[[nodiscard]] std::optional<TuningMethod> parse_tuning_method(std::string_view text);

struct TuningRequest {
    TuningBlocksRequest blocks;
    TuningMethod method = TuningMethod::Search;
    SurrogateOptions surrogate{}; ///< its sampling follows from the method
    TableSearchOptions search{};
    int sweeps = 2; ///< of the search over all classes
    VerdictOptions verdicts{};
    std::optional<SimulatorTable> start{}; ///< absent: LLVM's parameters
    std::filesystem::path state; ///< a file from which a stopped tuning goes on; gone once it is finished
};

struct TuningOutcome {
    TuningTable table;
    std::optional<TuningComparison> held_out{}; ///< absent where the tuning was stopped
    double validation_before = 0;               ///< mean error of the parameters that it began from
    double validation_after = 0;
    std::size_t training_blocks = 0;
    std::size_t validation_blocks = 0;
    std::size_t apart = 0;
    std::size_t unknown = 0;
    bool is_resumed = false;
    bool is_stopped = false;
};

/// The parameters with the lowest mean error on the validation blocks are kept; LLVM's own, or those that it
/// begins from, are among those that are compared. A killed process loses a round, or a second of trials.
/// Tells events: "round" of the surrogate, "sweep" of the search. Errors: those of reading the blocks, of the
/// simulator and of LibTorch; the state is of another request (Input).
[[nodiscard]] Result<TuningOutcome> tune_simulator(const TuningRequest& request, BlockSimulator& simulator,
                                                   const DecodeBlocks& decode, Observer& observer,
                                                   const std::stop_token& stop);

} // namespace sparsight

// What a tuning is worth: held-out errors of the simulator with LLVM's parameters and with the learned ones,
// and a table of both.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/blocks/tuning/parameter_verdicts.h"
#include "domains/blocks/tuning/tuning_blocks.h"
#include "evaluation/estimates.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

struct SimulatorErrors {
    Estimate mape;   ///< as a share
    Estimate median; ///< likewise
    std::optional<Estimate> kendall_tau;
};

struct TuningComparison {
    std::size_t blocks = 0;
    std::size_t groups = 0;
    SimulatorErrors original;
    SimulatorErrors learned;
    Estimate change; ///< of the mean error, block by block: below 0 where the learned parameters are better
};

/// Of these blocks by their places; the intervals are over groups. At least one block.
[[nodiscard]] TuningComparison compare_tables(std::span<const double> original,
                                              std::span<const double> learned,
                                              std::span<const TuningBlock> blocks,
                                              std::span<const std::size_t> places);

/// LLVM's parameters beside the learned ones.
struct TuningTable {
    SimulatorTable original;
    SimulatorTable learned;
    std::vector<JudgedParameter> parameters;
};

/// machine,parameter,value,original,blocks,verdict,rise: a file of parameters that read_table_file() takes.
[[nodiscard]] std::string csv_of(const TuningTable& table);
/// A list of {"parameter", "original", "learned", "blocks", "verdict", "rise"}.
[[nodiscard]] Json json_of(const TuningTable& table);
/// The changed parameters, at most `most` of them, and how many are determined.
[[nodiscard]] std::string text_of(const TuningTable& table, std::size_t most);

[[nodiscard]] Json json_of(const TuningComparison& comparison);
[[nodiscard]] std::string text_of(const TuningComparison& comparison);

} // namespace sparsight

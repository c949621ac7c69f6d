// Predicted cycles of the blocks of a table, in its order, and how far they are from the measured ones.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/blocks/code/machine_code.h"
#include "domains/blocks/models/prediction_errors.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct PredictedBlock {
    std::string name;
    Result<double> cycles;            ///< per 100 iterations, or why there are none
    std::optional<double> measured{}; ///< likewise, on the machine
};

struct PredictionTable {
    std::string machine;
    std::vector<PredictedBlock> blocks;
    std::vector<Error> failed; ///< why the rest of the file can't be read
    bool is_stopped = false;   ///< before the end of the file

    /// Of those that are predicted and measured.
    [[nodiscard]] std::optional<PredictionErrors> errors() const;
    /// block_id,predicted,reason
    [[nodiscard]] std::string csv() const;
    /// "Mean error 8.8 %, median 2.0 %, Kendall tau 0.895 on 61898 blocks measured on hsw."
    [[nodiscard]] std::string errors_text() const;
    /// {"blocks", "errors"}
    [[nodiscard]] Json json() const;
};

/// Cycles of one iteration of each block. An error of the whole ends the prediction.
using PredictCycles = std::function<Result<std::vector<Result<double>>>(std::span<const MachineCode> codes)>;

/// Reads the blocks of a file (BlockTable), some hundreds at a time. `machine` names the measured times to
/// compare with. Errors: those of BlockTable::open() and of the prediction.
[[nodiscard]] Result<PredictionTable> predict_table(const std::filesystem::path& file,
                                                    std::string_view machine, const PredictCycles& predict,
                                                    Observer& observer, const std::stop_token& stop);

} // namespace sparsight

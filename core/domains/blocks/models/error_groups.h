// Where a cost model errs: its errors by classes of instructions and by the applications that blocks are
// from.
#pragma once

#include "domains/blocks/code/instruction_classes.h"
#include "domains/blocks/models/prediction_errors.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// A block that was predicted and measured; both in the same unit, measured above 0.
struct PredictedCase {
    double predicted = 0;
    double measured = 1;
    std::vector<InstructionClass> classes{};
    std::vector<std::string> applications{};
};

/// "ffmpeg;openblas" as tables of blocks write it.
[[nodiscard]] std::vector<std::string> applications_of(std::string_view text);

struct ErrorGroup {
    std::string name;
    PredictionErrors errors;
    double bias = 0; ///< mean of (predicted − measured) / measured: below 0 it predicts too few cycles
};

struct ErrorGroups {
    std::vector<ErrorGroup> all;            ///< one, of all cases; none without a case
    std::vector<ErrorGroup> by_class;       ///< a block counts in every class of its instructions
    std::vector<ErrorGroup> by_application; ///< a block counts in every one of its applications
};

/// Groups with the largest mean error come first.
[[nodiscard]] ErrorGroups error_groups(std::span<const PredictedCase> cases);

} // namespace sparsight

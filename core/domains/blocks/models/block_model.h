// A cost model of basic blocks, as a black box.
#pragma once

#include "base/error.h"
#include "domains/blocks/code/decoded_block.h"

#include <span>
#include <string_view>
#include <vector>

namespace sparsight {

class BlockModel {
public:
    BlockModel() = default;
    BlockModel(const BlockModel&) = delete;
    BlockModel& operator=(const BlockModel&) = delete;
    virtual ~BlockModel() = default;

    /// Cycles of one iteration of each block in the steady state. Errors: those of the model.
    [[nodiscard]] virtual Result<std::vector<double>> cycles(std::span<const DecodedBlock> blocks) const = 0;
};

} // namespace sparsight

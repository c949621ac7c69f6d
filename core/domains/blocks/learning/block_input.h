// What a model of blocks reads, as the JSON of its architecture: it has all that is needed to predict, tables
// included.
#pragma once

#include "domains/blocks/learning/block_payload.h"
#include "learning/tasks/task.h"
#include "model/checkpoints/checkpoint.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct BlockInput {
    std::vector<std::string> opcodes;  ///< the forms that are counted, the most frequent one first
    std::vector<std::string> machines; ///< that it learned from
    std::shared_ptr<const MachineBounds> tables;
};

/// Of these workloads, which are places in the set. The forms are those of at least three blocks, at most
/// 500.
[[nodiscard]] BlockInput fit_block_input(const TaskSet& tasks, std::span<const std::size_t> workloads);

[[nodiscard]] ModelArchitecture architecture_of(std::string_view name, const BlockInput& input);
/// Error (Input): the text names the field that is wrong, or says that the model is of another domain.
[[nodiscard]] Result<BlockInput> read_block_input(const ModelArchitecture& architecture);

} // namespace sparsight

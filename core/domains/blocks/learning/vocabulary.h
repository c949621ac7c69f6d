// The words that a model of blocks knows: those of enough blocks to learn from.
#pragma once

#include "domains/blocks/code/instruction.h"
#include "learning/tasks/task.h"

#include <cstddef>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// The words of one block, each once: forms of instructions, tokens.
using WordsOfBlock = std::function<std::set<std::string>(std::span<const Instruction> block)>;

/// Those of at least three of these workloads, which are blocks, the most frequent one first, and by name
/// where they are equally frequent. A workload that can't be read contributes none.
[[nodiscard]] std::vector<std::string>
frequent_words(const TaskSet& tasks, std::span<const std::size_t> workloads, const WordsOfBlock& words_of);

} // namespace sparsight

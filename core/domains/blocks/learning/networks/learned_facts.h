// What networks of blocks know of the data that they learn from, besides their weights.
#pragma once

#include "domains/blocks/learning/vocabulary.h"
#include "learning/tasks/task.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Of the tasks, each once, in their order.
[[nodiscard]] std::vector<std::string> learned_machines(const TaskSet& tasks);

/// The place of the machine among these, or 0, as the input of a network.
[[nodiscard]] float place_of_machine(std::span<const std::string> machines, std::string_view machine);

/// frequent_words() behind a first word, which stands for all others.
[[nodiscard]] std::vector<std::string>
learned_words(const TaskSet& tasks, std::span<const std::size_t> workloads, const WordsOfBlock& words_of);

/// The mean of ln(milliseconds) over the measurements of these workloads, which are places in the set; 0
/// where there are none.
[[nodiscard]] double mean_log_time(const TaskSet& tasks, std::span<const std::size_t> workloads);

/// The same for the time of a block divided by the number of its instructions. A block without instructions,
/// or one that can't be read, is left out.
[[nodiscard]] double mean_log_time_of_instructions(const TaskSet& tasks,
                                                   std::span<const std::size_t> workloads);

} // namespace sparsight

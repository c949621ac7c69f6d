#include "domains/blocks/learning/networks/learned_facts.h"

#include "domains/blocks/learning/block_payload.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sparsight {
namespace {

/// Of ln(milliseconds / parts) over the workloads that have parts.
double mean_log_of_part(const TaskSet& tasks, const std::map<std::size_t, double>& parts) {
    double sum = 0;
    double count = 0;
    for (const Task& task : tasks.tasks)
        for (const WorkloadRuntimes& runtimes : task.runtimes) {
            const auto known = parts.find(runtimes.workload);
            if (known == parts.end())
                continue;
            for (const double milliseconds : runtimes.milliseconds)
                if (std::isfinite(milliseconds)) {
                    sum += std::log(milliseconds / known->second);
                    ++count;
                }
        }
    return count > 0 ? sum / count : 0;
}

} // namespace

std::vector<std::string> learned_machines(const TaskSet& tasks) {
    std::vector<std::string> names;
    for (const Task& task : tasks.tasks)
        if (std::ranges::find(names, task.machine_name()) == names.end())
            names.push_back(task.machine_name());
    return names;
}

float place_of_machine(std::span<const std::string> machines, std::string_view machine) {
    const auto found = std::ranges::find(machines, machine);
    return found == machines.end() ? 0.0F : static_cast<float>(found - machines.begin());
}

std::vector<std::string> learned_words(const TaskSet& tasks, std::span<const std::size_t> workloads,
                                       const WordsOfBlock& words_of) {
    std::vector<std::string> words = frequent_words(tasks, workloads, words_of);
    words.insert(words.begin(), "<unknown>"); // learns from the words of few blocks
    return words;
}

double mean_log_time(const TaskSet& tasks, std::span<const std::size_t> workloads) {
    std::map<std::size_t, double> parts;
    for (const std::size_t place : workloads)
        parts.emplace(place, 1);
    return mean_log_of_part(tasks, parts);
}

double mean_log_time_of_instructions(const TaskSet& tasks, std::span<const std::size_t> workloads) {
    std::map<std::size_t, double> parts;
    for (const std::size_t place : workloads)
        if (const auto payload = tasks.workloads[place].load()) {
            const auto& block = static_cast<const BlockPayload&>(**payload).block();
            if (!block.instructions.empty())
                parts.emplace(place, static_cast<double>(block.instructions.size()));
        }
    return mean_log_of_part(tasks, parts);
}

} // namespace sparsight

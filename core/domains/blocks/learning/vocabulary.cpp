#include "domains/blocks/learning/vocabulary.h"

#include "domains/blocks/learning/block_payload.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace sparsight {

std::vector<std::string> frequent_words(const TaskSet& tasks, std::span<const std::size_t> workloads,
                                        const WordsOfBlock& words_of) {
    constexpr std::size_t fewest_blocks = 3;
    std::unordered_map<std::string, std::size_t> blocks;
    for (const std::size_t place : workloads)
        if (const auto payload = tasks.workloads[place].load())
            for (const std::string& word :
                 words_of(static_cast<const BlockPayload&>(**payload).block().instructions))
                ++blocks[word];
    std::vector<std::pair<std::size_t, std::string>> sorted;
    for (const auto& [word, count] : blocks)
        if (count >= fewest_blocks)
            sorted.emplace_back(count, word);
    std::ranges::sort(sorted, [](const auto& left, const auto& right) {
        return left.first != right.first ? left.first > right.first : left.second < right.second;
    });
    std::vector<std::string> words;
    for (auto& [count, word] : sorted)
        words.push_back(std::move(word));
    return words;
}

} // namespace sparsight

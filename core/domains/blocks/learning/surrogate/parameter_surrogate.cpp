#include "domains/blocks/learning/surrogate/parameter_surrogate.h"

#include "domains/blocks/learning/networks/recurrent_levels.h"
#include "domains/blocks/learning/networks/token_sequence.h"
#include "domains/blocks/simulator/simulator_table.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/log.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <map>
#include <set>

namespace sparsight {
namespace {

constexpr std::string_view unknown_token = "unknown";

/// What one is about as large as the others by.
at::Tensor class_scales(std::size_t values_a_class) {
    constexpr float micro_ops = 4;
    constexpr float cycles = 5;
    constexpr float port_cycles = 2;
    std::vector<float> scales(values_a_class, port_cycles);
    scales[MicroOps] = micro_ops;
    std::fill(scales.begin() + Latency, scales.begin() + FirstPort, cycles);
    return at::tensor(scales);
}

at::Tensor processor_scales() {
    return at::tensor(std::vector<float>{4, 100});
}

} // namespace

ParameterSurrogate::ParameterSurrogate(SurrogateDescription description)
    : description_(std::move(description)) {
    for (const std::string& token : description_.tokens)
        tokens_.try_emplace(token, static_cast<std::int64_t>(tokens_.size()));
}

std::vector<NetworkParameter> ParameterSurrogate::parameters() const {
    const std::int64_t width = description_.width;
    const auto inputs = static_cast<std::int64_t>(description_.values_a_class + processor_parameters);
    std::vector<NetworkParameter> list;
    list.push_back({{"tokens.weight", {std::ssize(description_.tokens), width}}, Initial::Normal, 1});
    add_lstm(list, "token_lstm", width, width);
    add_lstm(list, "instruction_lstm", width, width + inputs);
    add_linear(list, "output", 1, width);
    return list;
}

SurrogateBlock ParameterSurrogate::encode(std::span<const Instruction> instructions) const {
    SurrogateBlock block;
    for (const Instruction& instruction : instructions) {
        std::vector<std::int64_t>& places = block.emplace_back();
        for (const std::string& token : token_sequence(instruction)) {
            const auto found = tokens_.find(token);
            places.push_back(found == tokens_.end() ? 0 : found->second);
        }
    }
    return block;
}

at::Tensor ParameterSurrogate::log_cycles(const NamedTensors& parameters,
                                          std::span<const SurrogateBlock* const> blocks,
                                          const at::Tensor& values, const at::Tensor& processor) const {
    SequenceLevels words;
    std::vector<std::size_t> ends;      // of each instruction among the words
    std::vector<std::int64_t> of_block; // of each instruction
    SequenceLevels instructions;        // none is like another, as parameters may differ
    std::vector<std::size_t> last;      // of each block
    std::vector<std::int64_t> rows;
    for (std::size_t block = 0; block < blocks.size(); ++block) {
        rows.clear();
        for (const std::vector<std::int64_t>& tokens : *blocks[block]) {
            rows.push_back(std::ssize(ends));
            ends.push_back(words.add(tokens));
            of_block.push_back(static_cast<std::int64_t>(block));
        }
        last.push_back(instructions.add(rows));
    }
    const at::Tensor& embeddings = parameters["tokens.weight"];
    const at::Tensor word_states = lstm_states(parameters, "token_lstm", embeddings, words.levels());
    const at::Tensor embedded = at::index_select(word_states, 0, index_tensor(words.steps(ends), embeddings));
    const at::Tensor inputs =
        at::cat({embedded, values / class_scales(description_.values_a_class),
                 at::index_select(processor / processor_scales(), 0, index_tensor(of_block, embeddings))},
                1);
    const at::Tensor states = lstm_states(parameters, "instruction_lstm", inputs, instructions.levels());
    const at::Tensor found = at::index_select(states, 0, index_tensor(instructions.steps(last), embeddings));
    return linear(parameters, "output", found).squeeze(1) + description_.mean_log;
}

std::vector<std::string> surrogate_tokens(std::span<const std::span<const Instruction>> blocks) {
    constexpr std::size_t fewest_blocks = 3;
    std::map<std::string, std::size_t> counts;
    for (const auto block : blocks) {
        std::set<std::string> words;
        for (const Instruction& each : block)
            for (std::string& token : token_sequence(each))
                words.insert(std::move(token));
        for (const std::string& word : words)
            ++counts[word];
    }
    std::vector<std::pair<std::size_t, std::string>> known;
    for (const auto& [word, count] : counts)
        if (count >= fewest_blocks)
            known.emplace_back(count, word);
    std::ranges::stable_sort(known, std::greater(), [](const auto& each) { return each.first; });
    std::vector<std::string> tokens{std::string(unknown_token)};
    for (auto& [count, word] : known)
        tokens.push_back(std::move(word));
    return tokens;
}

at::Tensor relative_error(const at::Tensor& log_cycles, const at::Tensor& measured) {
    constexpr double largest = 6; // of the logarithm: a first guess may be far off
    return at::abs(at::exp((log_cycles - at::log(measured)).clamp(-largest, largest)) - 1).mean();
}

} // namespace sparsight

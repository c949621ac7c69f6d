#include "domains/blocks/learning/networks/recurrent_levels.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addcmul.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <algorithm>

namespace sparsight {
namespace {

/// The rows of a memory that the steps of a level begin from.
at::Tensor read_memory(const at::Tensor& memory, const at::Tensor& from, std::int64_t predecessors) {
    const at::Tensor rows = at::index_select(memory, 0, from);
    return predecessors == 1 ? rows : at::amax(rows.view({-1, predecessors, memory.size(1)}), 1);
}

at::Tensor next_memory(const at::Tensor& memory, const at::Tensor& added,
                       const std::vector<std::int64_t>& kept, const at::Tensor& rows) {
    return kept.empty() ? added : at::index_select(at::cat({memory, added}), 0, rows);
}

/// Node numbers by level, in the order of the list.
std::vector<std::vector<std::size_t>> by_level(std::span<const GraphStep> nodes) {
    std::vector<std::vector<std::size_t>> levels;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        const std::size_t level = nodes[node].level;
        if (levels.size() <= level)
            levels.resize(level + 1);
        levels[level].push_back(node);
    }
    return levels;
}

/// The last level that reads the state of each node; 0 where none does.
std::vector<std::size_t> last_uses(std::span<const GraphStep> nodes) {
    std::vector<std::size_t> last(nodes.size(), 0);
    for (const GraphStep& node : nodes)
        for (const std::size_t predecessor : node.predecessors)
            last[predecessor] = std::max(last[predecessor], node.level);
    return last;
}

} // namespace

std::size_t SequenceLevels::add(std::span<const std::int64_t> inputs) {
    std::size_t node = 0;
    for (const std::int64_t input : inputs) {
        const auto [found, is_new] = children_.try_emplace(Key{node, input}, nodes_.size());
        if (is_new) {
            const std::size_t depth = nodes_[node].depth + 1;
            if (counts_.size() <= depth)
                counts_.push_back(0);
            nodes_.push_back({depth, counts_[depth]++, nodes_[node].row, input});
        }
        node = found->second;
    }
    return node;
}

RecurrentLevels SequenceLevels::levels() const {
    RecurrentLevels found;
    found.levels.resize(counts_.size() - 1);
    for (const Node& node : std::span(nodes_).subspan(1)) { // of a level in the order of their rows
        RecurrentLevels::Level& level = found.levels[node.depth - 1];
        level.inputs.push_back(node.input);
        level.from.push_back(node.parent);
    }
    return found;
}

std::vector<std::int64_t> SequenceLevels::steps(std::span<const std::size_t> added) const {
    std::vector<std::int64_t> first(counts_.size(), 0); // step of each depth
    for (std::size_t depth = 1; depth < counts_.size(); ++depth)
        first[depth] = first[depth - 1] + counts_[depth - 1];
    std::vector<std::int64_t> steps;
    steps.reserve(added.size());
    for (const std::size_t node : added)
        steps.push_back(first[nodes_[node].depth] + nodes_[node].row);
    return steps;
}

GraphLevels graph_levels(std::span<const GraphStep> nodes) {
    GraphLevels found{.levels = {}, .steps = std::vector<std::int64_t>(nodes.size())};
    const std::vector<std::size_t> last = last_uses(nodes);
    std::vector<std::int64_t> rows(nodes.size()); // in the memory
    std::vector<std::size_t> memory; // nodes; empty before the first level, whose memory is step 0
    std::int64_t steps = 0;
    const auto levels = by_level(nodes);
    for (std::size_t depth = 0; depth < levels.size(); ++depth) {
        RecurrentLevels::Level& level = found.levels.levels.emplace_back();
        for (const std::size_t node : levels[depth])
            level.predecessors = std::max(level.predecessors, std::ssize(nodes[node].predecessors));
        for (const std::size_t node : levels[depth]) {
            found.steps[node] = ++steps;
            level.inputs.push_back(nodes[node].input);
            const auto& predecessors = nodes[node].predecessors;
            for (std::size_t each = 0; each < static_cast<std::size_t>(level.predecessors); ++each)
                level.from.push_back(
                    predecessors.empty() ? 0 : rows[predecessors[std::min(each, predecessors.size() - 1)]]);
        }
        std::vector<std::size_t> next;
        const auto keep = [&](std::size_t node, std::int64_t row) {
            if (last[node] <= depth)
                return;
            rows[node] = std::ssize(next);
            next.push_back(node);
            level.kept.push_back(row);
        };
        for (std::size_t row = 0; row < memory.size(); ++row)
            keep(memory[row], static_cast<std::int64_t>(row));
        const std::int64_t before = depth == 0 ? 1 : std::ssize(memory);
        for (std::size_t row = 0; row < levels[depth].size(); ++row)
            keep(levels[depth][row], before + static_cast<std::int64_t>(row));
        if (std::ssize(next) == std::ssize(levels[depth]) && level.kept.front() == before)
            level.kept.clear(); // all of these steps, and no other
        memory = std::move(next);
    }
    return found;
}

void add_lstm(std::vector<NetworkParameter>& list, const std::string& name, std::int64_t width,
              std::int64_t input_width) {
    list.push_back({{name + ".input.weight", {4 * width, input_width}}, Initial::Uniform, width});
    list.push_back({{name + ".input.bias", {4 * width}}, Initial::Uniform, width});
    list.push_back({{name + ".state.weight", {4 * width, width}}, Initial::Uniform, width});
}

at::Tensor lstm_states(const NamedTensors& parameters, const std::string& name, const at::Tensor& inputs,
                       const RecurrentLevels& levels) {
    const at::Tensor weight = parameters[name + ".state.weight"].t();
    const std::int64_t width = weight.size(0);
    at::Tensor state = at::zeros({1, width}, inputs.options()); // the memory
    at::Tensor cell = state;
    std::vector<at::Tensor> states{state};
    if (levels.levels.empty())
        return state;

    // Every row of the input is read by many steps but multiplied once. Splitting has a gradient that joins
    // the parts once, where narrowing would fill a tensor of all steps for each level.
    std::vector<std::int64_t> all;
    std::vector<std::int64_t> counts;
    for (const RecurrentLevels::Level& level : levels.levels) {
        all.insert(all.end(), level.inputs.begin(), level.inputs.end());
        counts.push_back(std::ssize(level.inputs));
    }
    const std::vector<at::Tensor> read =
        at::index_select(linear(parameters, name + ".input", inputs), 0, index_tensor(all, inputs))
            .split_with_sizes(counts);
    for (std::size_t depth = 0; depth < levels.levels.size(); ++depth) {
        const RecurrentLevels::Level& level = levels.levels[depth];
        const at::Tensor from = index_tensor(level.from, inputs);
        const at::Tensor gates = at::addmm(read[depth], read_memory(state, from, level.predecessors), weight);
        const std::vector<at::Tensor> parts = gates.split_with_sizes({3 * width, width}, 1);
        const std::vector<at::Tensor> open = at::sigmoid(parts[0]).split(width, 1); // input, forget, output
        const at::Tensor new_cell =
            at::addcmul(open[0] * at::tanh(parts[1]), open[1], read_memory(cell, from, level.predecessors));
        states.push_back(open[2] * at::tanh(new_cell));
        const at::Tensor kept = index_tensor(level.kept, inputs);
        state = next_memory(state, states.back(), level.kept, kept);
        cell = next_memory(cell, new_cell, level.kept, kept);
    }
    return at::cat(states);
}

at::Tensor index_tensor(std::span<const std::int64_t> places, const at::Tensor& like) {
    return at::tensor(at::ArrayRef<std::int64_t>(places.data(), places.size()), at::kLong).to(like.device());
}

} // namespace sparsight

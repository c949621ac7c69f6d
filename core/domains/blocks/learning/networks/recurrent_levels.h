// An LSTM over many sequences or graphs at once. All steps whose predecessors are done form a level and are
// taken together, and steps that are alike are taken once.
#pragma once

#include "model/networks/encoder.h"

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace sparsight {

/// Steps of an LSTM, by level. Step 0 stands for the state before the first step, which is zero.
struct RecurrentLevels {
    struct Level {
        std::vector<std::int64_t> inputs; ///< one for each step: a row of the input
        /// `predecessors` for each step, as rows of the memory: the state of a step begins from the
        /// element-wise maximum of theirs. A step with fewer repeats one.
        std::vector<std::int64_t> from;
        std::int64_t predecessors = 1;
        /// What the next level's memory is: rows of this level's memory, behind which this level's steps
        /// stand. Empty: these steps alone. The first memory has step 0 alone.
        std::vector<std::int64_t> kept;
    };

    std::vector<Level> levels; ///< steps are numbered from 1 on in this order
};

/// The steps of sequences. Sequences that begin alike share steps, as their states are the same.
class SequenceLevels {
public:
    /// Returns the last step of the sequence, by a number that steps() turns into a step; of an empty
    /// sequence, 0.
    std::size_t add(std::span<const std::int64_t> inputs);

    [[nodiscard]] RecurrentLevels levels() const;
    /// What add() returned, as steps of levels().
    [[nodiscard]] std::vector<std::int64_t> steps(std::span<const std::size_t> added) const;

private:
    struct Node {
        std::size_t depth = 0;
        std::int64_t row = 0; ///< in its level
        std::int64_t parent = 0;
        std::int64_t input = 0;
    };
    struct Key {
        std::size_t node = 0;
        std::int64_t input = 0;

        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            return std::hash<std::uint64_t>()((key.node << 32U) ^ static_cast<std::uint64_t>(key.input));
        }
    };

    std::vector<Node> nodes_{Node()};
    std::vector<std::int64_t> counts_{1}; ///< nodes of each depth
    std::unordered_map<Key, std::size_t, KeyHash> children_;
};

/// A node of a graph without cycles.
struct GraphStep {
    std::int64_t input = 0;
    std::size_t level = 0; ///< 0 without predecessors, otherwise one more than the highest of theirs
    std::vector<std::size_t> predecessors{}; ///< places in the list of all nodes
};

struct GraphLevels {
    RecurrentLevels levels;
    std::vector<std::int64_t> steps; ///< of each node
};
/// Level by level, with the states that later levels need in the memory.
[[nodiscard]] GraphLevels graph_levels(std::span<const GraphStep> nodes);

/// The parameters NAME.input and NAME.state.
void add_lstm(std::vector<NetworkParameter>& list, const std::string& name, std::int64_t width,
              std::int64_t input_width);

/// [1 + steps, width]: the state after each step of an LSTM (Hochreiter and Schmidhuber, Neural Computation
/// 1997), step 0 included. `inputs`: [rows, input_width].
[[nodiscard]] at::Tensor lstm_states(const NamedTensors& parameters, const std::string& name,
                                     const at::Tensor& inputs, const RecurrentLevels& levels);

/// On the device of `like`.
[[nodiscard]] at::Tensor index_tensor(std::span<const std::int64_t> places, const at::Tensor& like);

} // namespace sparsight

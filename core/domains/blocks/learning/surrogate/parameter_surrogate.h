// A network that says what a simulator makes of a block and of parameters, and that can be differentiated by
// the parameters (Renda, Chen, Mendis, Carbin: DiffTune: optimizing CPU simulator parameters using learned
// differentiable surrogates, MICRO 2020, section 4).
#pragma once

#include "domains/blocks/code/instruction.h"
#include "model/networks/encoder.h"

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace sparsight {

struct SurrogateDescription {
    std::vector<std::string> tokens; ///< the first one stands for all that are not in the list
    int width = 64;                  ///< of embeddings and hidden states
    std::size_t values_a_class = 0;  ///< of the simulator's table
    double mean_log = 0;             ///< of ln(cycles), which is added to what the last layer says
};

/// The tokens of the instructions of a block.
using SurrogateBlock = std::vector<std::vector<std::int64_t>>;

/// Ithemal's network (ithemal_encoder.h) with sequences: the second LSTM reads the state of each instruction
/// with the parameters of its class and of the processor behind it.
class ParameterSurrogate {
public:
    explicit ParameterSurrogate(SurrogateDescription description);

    [[nodiscard]] std::vector<NetworkParameter> parameters() const;
    [[nodiscard]] SurrogateBlock encode(std::span<const Instruction> instructions) const;
    /// [blocks]: ln(cycles). `values`: [instructions of all blocks, values_a_class], `processor`: [blocks,
    /// processor_parameters]; both in the simulator's units.
    [[nodiscard]] at::Tensor log_cycles(const NamedTensors& parameters,
                                        std::span<const SurrogateBlock* const> blocks,
                                        const at::Tensor& values, const at::Tensor& processor) const;

private:
    SurrogateDescription description_;
    std::unordered_map<std::string, std::int64_t> tokens_;
};

/// The tokens of at least three of the blocks, the most frequent ones first, behind one for all others.
[[nodiscard]] std::vector<std::string> surrogate_tokens(std::span<const std::span<const Instruction>> blocks);

/// The mean of |cycles − measured| / measured, as DiffTune's loss.
[[nodiscard]] at::Tensor relative_error(const at::Tensor& log_cycles, const at::Tensor& measured);

} // namespace sparsight

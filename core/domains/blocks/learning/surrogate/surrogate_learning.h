// Learns the parameters of a simulator through a differentiable surrogate of it, in rounds: simulate blocks
// with random parameters, train the surrogate on these times, step the parameters towards measured times
// through the surrogate, and round them.
#pragma once

#include "domains/blocks/learning/block_payload.h"
#include "domains/blocks/learning/surrogate/parameter_surrogate.h"
#include "domains/blocks/simulator/table_sampling.h"
#include "domains/blocks/tuning/tuning_blocks.h"
#include "learning/training/learning_method.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct SurrogateOptions {
    /// Of the random parameters. Published: parameters are learned once, in the last round, and begin from
    /// random ones. AroundTable: in every round, and begin from the best ones so far.
    TableSampling sampling = TableSampling::AroundTable;
    int rounds = 8;
    std::size_t simulations = 10'000; ///< a round; 0: as many as blocks that it reads
    int passes = 3;                   ///< of a round's simulations through the surrogate
    std::size_t batch = 128;          ///< blocks a step
    double surrogate_rate = 0.001;    ///< of Adam
    double table_rate = 0.05;         ///< likewise, in the simulator's units
    int table_passes = 1;             ///< of the training blocks, when parameters are learned
    double reach = 2; ///< AroundTable: how far a parameter may go in a round, or a quarter of a larger one
    int width = 64;
    std::size_t most_instructions = 60; ///< of blocks that the surrogate reads
    std::uint64_t seed = 1;
};

/// What a round changes.
struct SurrogateState {
    NamedTensors network;
    AdamState adam;
    int rounds = 0; ///< that are done
};

/// What is told of a round.
struct SurrogateRound {
    double surrogate_error = 0; ///< mean relative error of the surrogate on simulations before it saw them
    double training_error = 0;  ///< of the parameters by the surrogate, in the last tenth of the steps
    std::optional<SimulatorTable> proposal{}; ///< absent in rounds that learn no parameters
};

class SurrogateLearning {
public:
    /// The simulator and the blocks must outlive it. Errors: those of decoding; no block that the surrogate
    /// can read (Input).
    [[nodiscard]] static Result<std::unique_ptr<SurrogateLearning>> make(const TuningBlocks& blocks,
                                                                         BlockSimulator& simulator,
                                                                         const DecodeBlocks& decode,
                                                                         const SurrogateOptions& options);
    ~SurrogateLearning();

    [[nodiscard]] const ParameterSurrogate& surrogate() const;
    [[nodiscard]] SurrogateState initial_state() const;
    /// Does one more round, from the table on. The state is as before where there is an error: stopped
    /// (Cancelled), those of the simulator and of LibTorch.
    [[nodiscard]] Result<SurrogateRound> run_round(SurrogateState& state, const SimulatorTable& table,
                                                   const std::stop_token& stop) const;

private:
    struct Inputs;
    explicit SurrogateLearning(std::unique_ptr<Inputs> inputs);
    std::unique_ptr<Inputs> inputs_;
};

} // namespace sparsight

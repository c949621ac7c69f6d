// LLVM's machine-code analyser as a cost model of blocks.
#pragma once

#include "domains/blocks/decoder/block_decoder.h"
#include "domains/blocks/models/block_model.h"
#include "domains/blocks/tables/microarchitecture.h"

#include <memory>
#include <string_view>

namespace sparsight {

/// The two figures of llvm-mca.
enum class McaFigure {
    ReciprocalThroughput, ///< "Block RThroughput": what width and units need, whatever waits for what
    TotalCycles,          ///< of 100 simulated iterations, a hundredth
};

class McaModel final : public BlockModel {
public:
    /// `machine` is a name of microarchitectures, short or LLVM's. Others are refused: LLVM 19 never ends
    /// with some instructions on some of its models (rdmsr on Sapphire Rapids). Errors (Input): such a name.
    /// The decoder must outlive the model.
    [[nodiscard]] static Result<std::unique_ptr<const McaModel>>
    make(const BlockDecoder& decoder, std::string_view machine, McaFigure figure);
    ~McaModel() override;

    /// Errors (Environment): the scheduling model does not know one of the instructions.
    [[nodiscard]] Result<std::vector<double>> cycles(std::span<const DecodedBlock> blocks) const override;

private:
    struct State;
    explicit McaModel(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace sparsight

// Changes to a block that keep it valid code: instructions are left out, replaced by common ones, or use
// other registers and addresses.
#pragma once

#include "base/error.h"
#include "base/random.h"
#include "domains/blocks/code/decoded_block.h"
#include "domains/blocks/code/dependencies.h"
#include "domains/blocks/decoder/block_decoder.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace sparsight {

struct BlockChange {
    std::vector<bool> is_left_out; ///< for each instruction
    std::vector<bool> is_replaced; ///< likewise: by another instruction that compilers emit often
    /// The later instruction gets other registers or another address in place of what it shares with the
    /// earlier one.
    std::vector<Dependency> broken;
};

class BlockEditor {
public:
    /// Errors: those of BlockDecoder::decode(). The decoder must outlive it.
    [[nodiscard]] static Result<BlockEditor> make(const BlockDecoder& decoder,
                                                  std::span<const std::uint8_t> code);
    ~BlockEditor();
    BlockEditor(BlockEditor&&) noexcept;
    BlockEditor& operator=(BlockEditor&&) noexcept;

    [[nodiscard]] const DecodedBlock& block() const;
    /// A register that the opcode fixes stays. New registers are those that the block does not use, while
    /// there are some. Instructions keep their order.
    [[nodiscard]] DecodedBlock changed(const BlockChange& change, Random& random) const;

private:
    struct State;
    explicit BlockEditor(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace sparsight

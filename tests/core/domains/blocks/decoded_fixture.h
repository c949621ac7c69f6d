// Blocks by their machine code, for tests of programs without LLVM: sparsight-cli decodes them.
#pragma once

#include "domains/blocks/code/decoder_process.h"
#include "domains/blocks/learning/block_payload.h"
#include "support/results.h"

#include <gtest/gtest.h>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight::testing {

class DecodedBlockTest : public ::testing::Test {
protected:
    [[nodiscard]] static DecodedBlock block(std::string_view hex) {
        static DecoderProcess decoder; // one process for all tests
        const std::vector<MachineCode> codes{must(parse_hex(hex))};
        return must(must(decoder.decode(codes)).at(0));
    }
    [[nodiscard]] static std::shared_ptr<const Payload> payload(DecodedBlock block) {
        return std::make_shared<const BlockPayload>(std::move(block),
                                                    std::make_shared<const MachineBounds>(MachineTables()));
    }
};

} // namespace sparsight::testing

// Blocks as people write them, for the tests of the domain.
#pragma once

#include "domains/blocks/code/decoded_block.h"
#include "domains/blocks/decoder/block_decoder.h"
#include "domains/blocks/exchange/block_table.h"
#include "domains/blocks/tables/throughput_table.h"

#include "support/test_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight::testing {

class BlockTest : public ::testing::Test {
protected:
    /// In Intel's syntax.
    [[nodiscard]] DecodedBlock block(std::string_view assembly) const {
        MachineCode code = decoder_.assemble(assembly, AssemblySyntax::Intel).value();
        auto instructions = decoder_.decode(code).value();
        return {std::move(code), std::move(instructions)};
    }
    [[nodiscard]] Instruction instruction(std::string_view assembly) const {
        return block(assembly).instructions.at(0);
    }

    /// Blocks of the measured ones, every `step`-th.
    static std::vector<MachineCode> measured_blocks(int step) {
        auto table = BlockTable::open(shared_path("blocks/blocks_train.csv.xz")).value();
        std::vector<MachineCode> blocks;
        for (int line = 0; !table.is_over(); ++line)
            if (auto row = table.next().value(); row && line % step == 0)
                blocks.push_back(std::move(row->code));
        return blocks;
    }

    BlockDecoder decoder_ = BlockDecoder::make().value();
};

/// Of the instructions that the tests have.
[[nodiscard]] inline ThroughputTable small_throughputs() {
    constexpr std::string_view text = "instruction,hsw_throughput_cycles\n"
                                      "\"MOV (R64, M64)\",0.5\n"
                                      "\"MOV (M64, R64)\",1\n"
                                      "\"MOV (M32, R32)\",1\n"
                                      "\"MOV_89 (R64, R64)\",0.25\n"
                                      "\"MOV (R32, I32)\",0.25\n"
                                      "\"MOV (R32, M32)\",0.5\n"
                                      "\"TEST (R64, R64)\",0.25\n"
                                      "\"TEST (R32, R32)\",0.25\n"
                                      "\"ADD (R64, I8)\",0.25\n"
                                      "\"ADD_01 (R64, R64)\",0.25\n"
                                      "\"SUB (R32, I8)\",0.25\n"
                                      "\"AND (R32, I8)\",0.25\n"
                                      "\"CMP (R32, I8)\",0.25\n"
                                      "\"CMP_39 (R64, R64)\",0.25\n"
                                      "\"XOR_31 (R32, R32)\",0.25\n"
                                      "\"OR_09 (R32, R32)\",0.25\n"
                                      "\"SHL (R64, I8)\",0.5\n"
                                      "\"SHR (R32, I8)\",0.5\n"
                                      "\"MOVZX (R32, M8)\",0.5\n"
                                      "LEA_B_D8 (R64),0.5\n"
                                      "DIV (R64),21\n";
    return ThroughputTable::read(CsvTable::of_text("table", text).value()).value();
}

} // namespace sparsight::testing

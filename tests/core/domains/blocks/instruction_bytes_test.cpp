// Decoded blocks on their way from one process to another.
#include "domains/blocks/code/instruction_bytes.h"

#include "block_fixture.h"
#include "domains/blocks/code/decoder_process.h"

namespace sparsight {
namespace {

using testing::BlockTest;
using ::testing::HasSubstr;
using testing::shared_path;
using ::testing::SizeIs;

class InstructionBytesTest : public BlockTest {};

TEST_F(InstructionBytesTest, ComeBackAsTheyWere) {
    const std::vector<Instruction> block =
        this->block(
                "again: lock add dword ptr fs:[rax + 4*rcx - 8], 7\npush rbx\nrep movsb\nvaddps ymm1, ymm2, "
                "ymmword ptr [rip + 64]\njne again")
            .instructions;
    std::string bytes;
    append(bytes, block);
    append(bytes, fail(Fault::Input, "byte 1 begins no instruction"));
    append(bytes, std::vector<Instruction>());
    const auto back = parse_decoded(bytes).value();
    ASSERT_THAT(back, SizeIs(3));
    EXPECT_EQ(back[0].value(), block);
    EXPECT_EQ(back[1].error().message, "byte 1 begins no instruction");
    EXPECT_TRUE(back[2].value().empty());
}

TEST_F(InstructionBytesTest, ThatEndTooEarlyAreAnError) {
    std::string bytes;
    append(bytes, block("add rax, qword ptr [rbx]").instructions);
    for (std::size_t size = 1; size < bytes.size(); ++size)
        EXPECT_FALSE(parse_decoded(bytes.substr(0, size)).has_value()) << size;
}

TEST_F(InstructionBytesTest, OfTheHelperAreThoseOfTheDecoder) {
    DecoderProcess helper;
    std::vector<MachineCode> codes{{0x48, 0x01, 0xd8}, {0x06}};
    if (std::filesystem::exists(shared_path("blocks/blocks_train.csv.xz")))
        for (MachineCode& code : measured_blocks(10))
            codes.push_back(std::move(code));
    const auto decoded = helper.decode(codes).value();
    ASSERT_THAT(decoded, SizeIs(codes.size()));
    EXPECT_THAT(decoded[1].error().message, HasSubstr("byte 1 begins no x86-64 instruction"));
    for (std::size_t at = 0; at < codes.size(); ++at) {
        if (at == 1)
            continue;
        ASSERT_TRUE(decoded[at].has_value()) << to_hex(codes[at]);
        EXPECT_EQ(decoded[at]->code, codes[at]);
        EXPECT_EQ(decoded[at]->instructions, decoder_.decode(codes[at]).value());
    }
    EXPECT_EQ(helper.decode({}).value().size(), 0);
}

} // namespace
} // namespace sparsight

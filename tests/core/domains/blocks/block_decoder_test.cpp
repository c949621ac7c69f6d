// Machine code to instructions, and text to machine code.
#include "block_fixture.h"

namespace sparsight {
namespace {

using testing::BlockTest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class BlockDecoderTest : public BlockTest {};

std::vector<std::string> implicit_names(const Instruction& instruction) {
    std::vector<std::string> names;
    for (const ImplicitRegister& implicit : instruction.implicit)
        names.push_back(implicit.reg.name);
    return names;
}

TEST_F(BlockDecoderTest, TellsOperandsInTheOrderOfTheText) {
    const Instruction add = instruction("add rax, qword ptr [rbx + 8*rcx - 16]");
    EXPECT_EQ(add.opcode, "ADD64rm");
    EXPECT_EQ(add.mnemonic, "add");
    ASSERT_THAT(add.operands, SizeIs(2));
    EXPECT_EQ(add.operands[0].reg, (Register{"rax", "rax", 64}));
    EXPECT_TRUE(add.operands[0].is_read && add.operands[0].is_written);
    const Operand& memory = add.operands[1];
    EXPECT_EQ(memory.kind, OperandKind::Memory);
    EXPECT_EQ(memory.bits, 64);
    EXPECT_TRUE(memory.is_read && !memory.is_written);
    EXPECT_EQ(memory.address.base->name, "rbx");
    EXPECT_EQ(memory.address.index->name, "rcx");
    EXPECT_EQ(memory.address.scale, 8);
    EXPECT_EQ(memory.address.displacement, -16);
    EXPECT_THAT(implicit_names(add), ElementsAre("eflags"));
}

TEST_F(BlockDecoderTest, KnowsPartsOfRegistersAndWhatTheTextDoesNotName) {
    const Instruction move = instruction("mov al, ah");
    EXPECT_EQ(move.operands[0].reg, (Register{"al", "rax", 8}));
    EXPECT_EQ(move.operands[1].reg, (Register{"ah", "rax", 8}));
    EXPECT_EQ(instruction("vaddps ymm1, ymm2, ymm3").operands[0].reg.whole, "zmm1");
    const Instruction push = instruction("push rbx");
    EXPECT_THAT(implicit_names(push), ElementsAre("rsp"));
    EXPECT_TRUE(push.writes_memory && !push.reads_memory);
    const Instruction shift = instruction("shl eax, cl");
    ASSERT_THAT(shift.operands, SizeIs(2)) << "cl stands in the text";
    EXPECT_EQ(shift.operands[1].reg.name, "cl");
    EXPECT_THAT(implicit_names(shift), ElementsAre("eflags"));
}

TEST_F(BlockDecoderTest, AnAddressAloneIsNeitherReadNorWritten) {
    const Instruction lea = instruction("lea rax, [rbx + 8]");
    ASSERT_THAT(lea.operands, SizeIs(2));
    EXPECT_EQ(lea.operands[1].kind, OperandKind::Memory);
    EXPECT_FALSE(lea.operands[1].is_read || lea.operands[1].is_written);
    EXPECT_FALSE(lea.reads_memory);
}

TEST_F(BlockDecoderTest, StoresAndReadsOfPushAndPopAreToldApart) {
    const Instruction push = instruction("push qword ptr [rax]");
    EXPECT_TRUE(push.operands[0].is_read && !push.operands[0].is_written);
    const Instruction pop = instruction("pop qword ptr [rax]");
    EXPECT_TRUE(!pop.operands[0].is_read && pop.operands[0].is_written);
    const Instruction add = instruction("add dword ptr [rax], 1");
    EXPECT_TRUE(add.operands[0].is_read && add.operands[0].is_written);
    EXPECT_EQ(add.operands[0].bits, 32);
}

TEST_F(BlockDecoderTest, APrefixIsPartOfItsInstruction) {
    const DecodedBlock locked = block("lock add dword ptr [rcx], eax\nlock cmpxchg qword ptr [rdi], rcx");
    ASSERT_THAT(locked.instructions, SizeIs(2));
    EXPECT_EQ(locked.instructions[0].text, "lock add dword ptr [rcx], eax");
    EXPECT_THAT(locked.instructions[0].prefixes, ElementsAre("lock"));
    EXPECT_EQ(locked.instructions[0].size, 3);
    EXPECT_EQ(locked.instructions[1].mnemonic, "cmpxchg");
}

TEST_F(BlockDecoderTest, NamesThePlaceOfWhatIsNoCode) {
    const auto wrong = decoder_.decode(parse_hex("4801d806ff").value());
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().fault, Fault::Input);
    EXPECT_EQ(wrong.error().message, "byte 4 begins no x86-64 instruction: 06ff");
    EXPECT_THAT(decoder_.decode(parse_hex("4801").value()).error().message, HasSubstr("byte 1"))
        << "cut short";
}

TEST_F(BlockDecoderTest, AssemblesBothSyntaxesWithLabelsAndComments) {
    const auto intel = decoder_.assemble("again: add rax, 1 # one more\n\n  cmp rax, rbx\n  jne again\n",
                                         AssemblySyntax::Intel);
    ASSERT_TRUE(intel) << intel.error().message;
    EXPECT_EQ(to_hex(*intel), "4883c0014839d875f7");
    EXPECT_EQ(
        decoder_.assemble("again: addq $1, %rax\ncmpq %rbx, %rax\njne again", AssemblySyntax::Att).value(),
        *intel);
}

TEST_F(BlockDecoderTest, SaysWhichLineIsNoAssembly) {
    const auto error = [&](std::string_view text) {
        return decoder_.assemble(text, AssemblySyntax::Intel).error().message;
    };
    EXPECT_THAT(error("add rax, 1\nadd foo"),
                HasSubstr("line 2: found \"add foo\", expected an instruction"));
    EXPECT_THAT(error("# nothing"), HasSubstr("found no instruction"));
    EXPECT_THAT(error("call printf"), HasSubstr("\"printf\", which only a linker knows"));
    EXPECT_THAT(error("nop\n{load} nop"),
                HasSubstr("line 2: found \"{load} nop\", expected an instruction that has"));
}

TEST_F(BlockDecoderTest, TakesTheOutputOfCompilersAndNoDirectiveThatDoesMore) {
    const auto of_compiler = decoder_.assemble(
        "  .text\n  .globl f\n  .p2align 4\nf:\n  .cfi_startproc\n  nop\n", AssemblySyntax::Att);
    ASSERT_TRUE(of_compiler) << of_compiler.error().message;
    EXPECT_EQ(to_hex(*of_compiler), "90");
    for (const char* const text : {".incbin \"/etc/hostname\"", "x : .include \"/etc/passwd\"",
                                   ".rept 1000000000", "nop\n.fill 5000000,1,0x90", ".bundle_lock",
                                   "a: b: .macro m", "nop; .space 100000000000", ".code32", ".org -1"}) {
        const auto refused = decoder_.assemble(text, AssemblySyntax::Intel);
        ASSERT_FALSE(refused) << text;
        EXPECT_THAT(refused.error().message, HasSubstr("found the directive")) << text;
    }
}

TEST_F(BlockDecoderTest, IsNotMisledByNamesAndPrefixes) {
    EXPECT_TRUE(instruction("popcnt rcx, qword ptr [rbx]").operands[1].is_read) << "it is no pop";
    EXPECT_THAT(implicit_names(instruction("rep stosq")), ::testing::Contains("rcx"));
    EXPECT_TRUE(instruction("lodsb").reads_memory);
    const MachineCode marked = parse_hex("c4e27150c2").value();
    EXPECT_EQ(decoder_.decode(marked).value()[0].mnemonic, "vpdpbusd") << "printed with {vex}";
    EXPECT_FALSE(decoder_.decode(parse_hex("66666666").value())) << "prefixes of nothing";
    EXPECT_FALSE(decoder_.decode(parse_hex("f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0480103").value()))
        << "too long";
    const auto many = decoder_.decode(MachineCode(BlockDecoder::most_instructions + 1, 0x90));
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().fault, Fault::Limit);
}

TEST_F(BlockDecoderTest, PrintsFormsThatAnAssemblerWouldNotChoose) {
    for (const auto& [hex, text] : {std::pair<const char*, const char*>("483bf1", "{load} cmp rsi, rcx\n"),
                                    {"c4417d59c0", "{vex3} vmulpd ymm8, ymm0, ymm8\n"},
                                    {"666666662e0f1f840000000000",
                                     "data16 data16 data16 data16 {disp32} nop dword ptr cs:[rax + rax]\n"},
                                    {"75f7", "jne .-7\n"}}) {
        const MachineCode code = parse_hex(hex).value();
        EXPECT_EQ(decoder_.print(code, AssemblySyntax::Intel).value(), text);
        EXPECT_EQ(to_hex(decoder_.assemble(text, AssemblySyntax::Intel).value()), hex);
    }
}

TEST_F(BlockDecoderTest, PrintsMeasuredBlocksSoThatTheyAssembleToTheSameBytes) {
    SPARSIGHT_NEEDS_SHARED("blocks/blocks_train.csv.xz");
    const auto blocks = measured_blocks(50);
    std::size_t same = 0;
    for (const MachineCode& code : blocks)
        for (const AssemblySyntax syntax : {AssemblySyntax::Intel, AssemblySyntax::Att}) {
            const auto again = decoder_.assemble(decoder_.print(code, syntax).value(), syntax);
            same += again && *again == code ? 1 : 0;
        }
    EXPECT_GE(same, 2 * blocks.size() * 999 / 1000) << "of " << 2 * blocks.size();
}

} // namespace
} // namespace sparsight

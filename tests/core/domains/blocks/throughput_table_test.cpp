// Tables of throughputs, and the names of forms in them.
#include "domains/blocks/tables/throughput_table.h"

#include "block_fixture.h"
#include "domains/blocks/tables/instruction_form.h"

namespace sparsight {
namespace {

using testing::BlockTest;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::shared_path;

class ThroughputTableTest : public BlockTest {
protected:
    [[nodiscard]] std::vector<std::string> forms(std::string_view assembly) const {
        const DecodedBlock one = block(assembly);
        return form_names(one.instructions[0], one.code);
    }
    static Error error_of(std::string_view text) {
        return ThroughputTable::read(CsvTable::of_text("t.csv", text).value()).error();
    }
};

TEST_F(ThroughputTableTest, NamesFormsAsUopsInfoDoes) {
    EXPECT_THAT(forms("add rax, qword ptr [rbx]"), Contains("ADD (R64, M64)"));
    EXPECT_THAT(forms("mov rax, rbx"), Contains("MOV_89 (R64, R64)"));
    EXPECT_THAT(forms("cmovne eax, dword ptr [rbx]"), Contains("CMOVNZ (R32, M32)"));
    EXPECT_THAT(forms("sete al"), Contains("SETZ (R8l)"));
    EXPECT_THAT(forms("lea rax, [rbx + 4*rcx + 8]"), Contains("LEA_B_IS_D8 (R64)"));
    EXPECT_THAT(forms("shr rax"), Contains("SHR (R64, 1)"));
    EXPECT_THAT(forms("shl eax, cl"), Contains("SHL (R32, CL)"));
    EXPECT_THAT(forms("add ecx, 8"), Contains("ADD (R32, I8)"));
    EXPECT_THAT(forms("movabs rax, 81985529216486895"), Contains("MOV (R64, I64)"));
    EXPECT_THAT(forms("vaddps ymm1, ymm2, ymmword ptr [rax]"), Contains("VADDPS (YMM, YMM, M256)"));
    EXPECT_THAT(forms("lock add dword ptr [rax], ecx"), Contains("ADD_LOCK (M32, R32)"));
    EXPECT_THAT(forms("rep movsb"), Contains("MOVSB_REPE"));
}

TEST_F(ThroughputTableTest, FindsAnInstructionUnderTheMostExactName) {
    const auto table = testing::small_throughputs();
    const DecodedBlock code = block("mov rax, qword ptr [rbx]\nvaddps xmm0, xmm1, xmm2");
    EXPECT_EQ(table.find(code.instructions[0], code.bytes_of(code.instructions[0])), 0.5);
    EXPECT_EQ(table.find(code.instructions[1], code.bytes_of(code.instructions[1])), std::nullopt);
}

TEST_F(ThroughputTableTest, SaysWhatIsWrongWithAFile) {
    EXPECT_THAT(error_of("form,throughput_cycles\n").text(),
                HasSubstr("t.csv:1: the column instruction is missing"));
    EXPECT_THAT(error_of("instruction,cycles\n").text(), HasSubstr("no column ends in throughput_cycles"));
    EXPECT_THAT(error_of("instruction,throughput_cycles\nNOP,fast\n").text(),
                HasSubstr("t.csv:2: column throughput_cycles: found \"fast\", expected a number above 0"));
    EXPECT_THAT(error_of("instruction,throughput_cycles\nNOP,1\nNOP,2\n").text(), HasSubstr("t.csv:3: "));
}

TEST_F(ThroughputTableTest, HasNearlyAllInstructionsOfMeasuredBlocks) {
    SPARSIGHT_NEEDS_SHARED("blocks/hsw_tp_table_comet.csv");
    const auto table =
        ThroughputTable::read(CsvTable::open(shared_path("blocks/hsw_tp_table_comet.csv")).value()).value();
    std::size_t all = 0;
    std::size_t known = 0;
    const auto blocks = measured_blocks(200);
    for (const MachineCode& code : blocks) {
        const auto instructions = decoder_.decode(code).value();
        for (const Instruction& each : instructions) {
            ++all;
            known += table.find(each, std::span(code).subspan(each.offset, each.size)) ? 1 : 0;
        }
    }
    EXPECT_GT(all, 1000U);
    EXPECT_GT(static_cast<double>(known) / static_cast<double>(all), 0.995);
}

} // namespace
} // namespace sparsight

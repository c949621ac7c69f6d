// Tables of OSACA: the names of their forms, their ports, and what they leave out.
#include "domains/blocks/tables/osaca_table.h"

#include "block_fixture.h"
#include "domains/blocks/models/bound_model.h"
#include "domains/blocks/models/prediction_errors.h"
#include "domains/blocks/tables/osaca_form.h"

namespace sparsight {
namespace {

using testing::BlockTest;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::shared_path;

constexpr std::string_view osaca_header =
    "uarch,mnemonic,operands_att_order,latency,throughput_cycles,uops,port_pressure\n";
/// Of an invented processor.
constexpr std::string_view small_osaca = "ivb,ADD,\"gpr, gpr\",1,0.5,1,1*p01\n"
                                         "ivb,ADD,\"gpr, mem\",9,1,5,1*p01+2*p23+1*p4\n"
                                         "ivb,SHL,\"imm, gpr\",1,1,1,1*p5\n"
                                         "ivb,SHL,\"imm, mem\",,1,5,1*p5+2*p23+1*p4\n"
                                         "ivb,IMUL,\"gpr, gpr\",4,2,2,2*p1\n"
                                         "ivb,IMUL,\"mem, gpr\",,2,3,2*p1+1*p23+1*p2D|3D\n"
                                         "ivb,MOV,\"gpr, gpr\",99,20,20,20*p5\n"
                                         "ivb,mov,\"gpr, gpr\",0,0,0,\n"
                                         "ivb,MOV,\"mem, gpr\",,0.5,1,1*p23+1*p2D|3D\n"
                                         "ivb,mov,\"mem, gpr\",4,0.5,2,3*p23\n"
                                         "ivb,MOV,\"gpr, mem\",3,1,2,1*p23+1*p4\n"
                                         "ivb,LEA,\"mem, gpr\",,1,1,1*p0\n"
                                         "ivb,VMOVUPS,\"mem, ymm\",,1,1,1*p23+2*p2D|3D\n"
                                         "ivb,DIVSD,\"xmm, xmm\",19,11,1,1*p0+11*p0DV\n"
                                         "ivb,PADDD,\"mm0, mm0\",2,0.5,1,1*p05\n"
                                         "snb,SUB,\"gpr, gpr\",1,0.5,1,1*p01\n";

Result<PortTable> osaca_of(std::string_view text, std::string_view uarch = "ivb") {
    const std::string all = std::string(osaca_header) + std::string(text);
    return PortTable::read(CsvTable::of_text("osaca.csv", all).value(), uarch);
}

class OsacaTableTest : public BlockTest {
protected:
    [[nodiscard]] std::vector<std::string> forms(std::string_view assembly) const {
        return osaca_form_names(instruction(assembly));
    }
    [[nodiscard]] const InstructionCost* find(std::string_view assembly) const {
        const DecodedBlock one = block(assembly);
        return table_.find(one.instructions[0], one.code);
    }
    [[nodiscard]] InstructionCost cost(std::string_view assembly) const {
        const InstructionCost* const known = find(assembly);
        EXPECT_NE(known, nullptr) << assembly;
        return known == nullptr ? InstructionCost() : *known;
    }

    PortTable table_ = osaca_of(small_osaca).value();
};

TEST_F(OsacaTableTest, NamesFormsInTheOrderOfAtt) {
    EXPECT_THAT(forms("add rax, qword ptr [rbx]"), Contains("ADD mem, gpr"));
    EXPECT_THAT(forms("add qword ptr [rbx + 8*rcx], 5"), Contains("ADD imm, indexed"));
    EXPECT_THAT(forms("cmovne eax, ebx"), Contains("CMOVNZ gpr, gpr"));
    EXPECT_THAT(forms("shr rax"), Contains("SHR imm, gpr")) << "the 1 that the text leaves out";
    EXPECT_THAT(forms("movabs rax, 81985529216486895"), Contains("MOV imm, gpr"));
    EXPECT_THAT(forms("vaddps ymm1, ymm2, ymmword ptr [rax]"), Contains("VADDPS mem, ymm, ymm"));
    EXPECT_THAT(forms("blendvps xmm1, xmm2, xmm0"), Contains("BLENDVPS xmm, xmm"));
    EXPECT_THAT(forms("div ecx"), Contains("DIV gpr32"));
    EXPECT_THAT(forms("lea rax, [rbx + 4*rcx + 8]"), ElementsAre("LEA slow"));
    EXPECT_THAT(forms("lea rax, [rbx + 8]"), ElementsAre("LEA mem, gpr"));
    EXPECT_EQ(osaca_form("paddd", "mem,mm0"), "PADDD mem, mm");
}

TEST_F(OsacaTableTest, ReadsPortsAndTheDividerOfPortZero) {
    EXPECT_EQ(parse_osaca_pressure("1*p0+11*p0DV"), (OsacaPressure{{{0b1, 1}}, 11}));
    EXPECT_EQ(parse_osaca_pressure("3*pDIV")->divider, 3);
    EXPECT_EQ(parse_osaca_pressure("1*p23+2*p2D|3D")->ports,
              (std::vector<PortUse>{{0b1100, 1}, {0b1100U << data_part, 2}}));
    EXPECT_THAT(parse_osaca_pressure("")->ports, IsEmpty());
    EXPECT_EQ(parse_osaca_pressure("p015"), std::nullopt);
    EXPECT_EQ(parse_osaca_pressure("1*pX"), std::nullopt);
    EXPECT_EQ(cost("divsd xmm0, xmm1").throughput, 11);
}

TEST_F(OsacaTableTest, FusesLoadsAndStoresAsIntelDoes) {
    EXPECT_EQ(cost("imul rax, qword ptr [rbx]").issued, 2) << "a load with the operation that needs it";
    EXPECT_EQ(cost("mov qword ptr [rbx], rax").issued, 1) << "the address of a store with its data";
    EXPECT_EQ(cost("add qword ptr [rbx], rax").issued, 2) << "both";
    EXPECT_EQ(cost("shl qword ptr [rbx], 3").issued, 3) << "a shift is not fused with its load";
}

TEST_F(OsacaTableTest, SplitsWhatIsFusedWhereTheAddressHasAnIndex) {
    const InstructionCost store = cost("mov qword ptr [rbx + 8*rcx], rax");
    EXPECT_EQ(store.decoded, 1);
    EXPECT_EQ(store.issued, 2);
    EXPECT_EQ(cost("add qword ptr [rbx + rcx], rax").issued, 4);
    EXPECT_EQ(cost("mov rax, qword ptr [rbx + rcx]").issued, 1) << "a load alone";
}

TEST_F(OsacaTableTest, KnowsLatenciesThatTheTableLeavesOut) {
    EXPECT_EQ(cost("imul rax, qword ptr [rbx]").latency, 4) << "from the form with a register";
    EXPECT_EQ(cost("imul rax, qword ptr [rbx]").longest_latency, 9) << "and the load";
    EXPECT_EQ(cost("mov rax, qword ptr [rbx]").longest_latency, 5);
    EXPECT_EQ(cost("mov rax, qword ptr [rbx]").ports.front().count, 1)
        << "the line in upper case, which was measured";
    EXPECT_EQ(cost("vmovups ymm0, ymmword ptr [rbx]").longest_latency, 7);
}

TEST_F(OsacaTableTest, EliminatesMovesOfWholeRegistersAlone) {
    EXPECT_THAT(cost("mov rax, rbx").ports, IsEmpty());
    EXPECT_EQ(cost("mov rax, rbx").issued, 1) << "the front end hands it on";
    EXPECT_EQ(cost("mov ax, bx").ports.size(), 1U);
}

TEST_F(OsacaTableTest, MakesFormsWithMemoryFromThoseWithRegisters) {
    const PortTable sandy_bridge = osaca_of(small_osaca, "snb").value();
    const DecodedBlock one = block("sub rax, qword ptr [rbx]\nsub qword ptr [rbx], rax");
    const auto* const load = sandy_bridge.find(one.instructions[0], one.code);
    const auto* const store = sandy_bridge.find(one.instructions[1], one.code);
    ASSERT_TRUE(load != nullptr && store != nullptr);
    EXPECT_EQ(load->issued, 1);
    EXPECT_EQ(load->ports.size(), 3U) << "the operation, the address, the data";
    EXPECT_EQ(store->issued, 2);
}

TEST_F(OsacaTableTest, HasFormsThatTablesLack) {
    EXPECT_EQ(cost("nop").issued, 1);
    EXPECT_EQ(cost("push rax").issued, 1);
    EXPECT_EQ(cost("lea rax, [rbx + rcx + 8]").latency, 3);
    EXPECT_EQ(cost("div ecx").throughput, 9);
    EXPECT_EQ(cost("div rcx").throughput, 21);
    EXPECT_EQ(find("fsin"), nullptr);
}

TEST_F(OsacaTableTest, ALoadOf32BytesTakesTheDataOfItsPortForTwoCycles) {
    const BoundModel model(osaca_of(small_osaca).value());
    const BlockBounds loads =
        model.bounds(block("vmovups ymm0, ymmword ptr [rdi]\nvmovups ymm1, ymmword ptr [rsi]"));
    EXPECT_EQ(loads.ports, 2);
    EXPECT_EQ(loads.bottleneck(), "ports 2 and 3");
}

TEST_F(OsacaTableTest, SaysWhatIsWrongWithAFile) {
    EXPECT_THAT(osaca_of(small_osaca, "hsw").error().text(),
                HasSubstr("no line is of the microarchitecture hsw"));
    EXPECT_THAT(osaca_of("ivb,NOP,,,,,p5\n").error().text(),
                HasSubstr("osaca.csv:2: column port_pressure: found \"p5\", expected ports such as "
                          "1*p015+1*p23+1*p2D|3D"));
    EXPECT_THAT(PortTable::read(CsvTable::of_text("t.csv", "uarch,mnemonic,port_pressure\n").value(), "ivb")
                    .error()
                    .text(),
                HasSubstr("t.csv:1: the column operands_att_order is missing"));
}

TEST_F(OsacaTableTest, IsNearMeasurementsOfIvyBridge) {
    SPARSIGHT_NEEDS_SHARED("blocks/osaca_tables.csv.xz");
    const BoundModel model(
        PortTable::read(CsvTable::open(shared_path("blocks/osaca_tables.csv.xz")).value(), "ivb").value());
    auto table = BlockTable::open(shared_path("blocks/blocks_train.csv.xz")).value();
    const auto column = static_cast<std::size_t>(std::ranges::find(table.machines(), std::string("ivb")) -
                                                 table.machines().begin());
    std::vector<double> predicted;
    std::vector<double> measured;
    std::size_t instructions = 0;
    std::size_t unknown = 0;
    for (int line = 0; !table.is_over(); ++line) {
        const auto row = table.next().value();
        if (!row || line % 40 != 0 || !row->cycles[column])
            continue;
        const DecodedBlock one{row->code, decoder_.decode(row->code).value()};
        const BlockBounds bounds = model.bounds(one);
        instructions += one.instructions.size();
        unknown += bounds.unknown.size();
        predicted.push_back(100 * bounds.cycles());
        measured.push_back(*row->cycles[column]);
    }
    const PredictionErrors errors = prediction_errors(predicted, measured).value();
    EXPECT_GT(errors.blocks, 1000U);
    EXPECT_LT(static_cast<double>(unknown), 0.005 * static_cast<double>(instructions));
    EXPECT_LT(errors.mean, 0.09) << "llvm-mca: 18 %";
    EXPECT_GT(*errors.kendall_tau, 0.90);
}

} // namespace
} // namespace sparsight

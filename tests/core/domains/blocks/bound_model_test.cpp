// The analytical bound, its parts, and the table that it is made of.
#include "domains/blocks/models/bound_model.h"

#include "block_fixture.h"
#include "domains/blocks/models/prediction_errors.h"
#include "domains/blocks/tables/machine_tables.h"

#include <array>

namespace sparsight {
namespace {

using testing::BlockTest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::shared_path;
using ::testing::UnorderedElementsAre;

constexpr std::string_view columns =
    "uarch,instruction,latency,throughput_cycles,uops_retired_issued,ports\n";
constexpr std::string_view small_ports =
    "haswell,\"IMUL (R64, R64)\",3,1.00 / 1.00,1 / 1,1*p1\n"
    "haswell,\"ADD_01 (R64, R64)\",1,0.25 / 0.25,1 / 1,1*p0156\n"
    "haswell,\"XOR_31 (R32, R32)\",[0;1],0.25 / 0.25,1 / 1,1*p0156\n"
    "haswell,\"MOV (R64, M64)\",[<=4;5],0.50 / 0.50,1 / 1,1*p23\n"
    "haswell,\"MOV (M64, R64)\",[<=4;<=9],1.00 / 1.00,1 / 2,1*p237+1*p4\n"
    "haswell,PUSH (R64),[<=4;<=10],1.00 / 1.00,1 / 2,1*p237+1*p4\n"
    "haswell,DIV (R64),[5.0;94],8.00 / 21.00,36 / 32,2*p0+8*p015+4*p0156\n"
    "skylake,\"IMUL (R64, R64)\",3,1.00 / 1.00,1 / 1,1*p1\n";

Result<PortTable> table_of(std::string_view lines) {
    const std::string text = std::string(columns) + std::string(lines);
    return PortTable::read(CsvTable::of_text("ports.csv", text).value(), "haswell");
}

class BoundModelTest : public BlockTest {
protected:
    [[nodiscard]] BlockBounds bounds(std::string_view assembly, const FrontEnd& front_end = {}) const {
        return BoundModel(table_of(small_ports).value(), front_end).bounds(block(assembly));
    }
};

TEST(PortPressure, IsThatOfTheBestAssignment) {
    const auto of = [](std::string_view text) {
        const auto uses = parse_ports(text).value();
        return port_pressure(uses);
    };
    EXPECT_EQ(of("1*p0156"), std::pair(0.25, 0b1100011U));
    EXPECT_EQ(of("2*p0+1*p01"), std::pair(2.0, 0b1U)) << "the third one goes to the other port";
    EXPECT_EQ(of("1*p0+2*p01"), std::pair(1.5, 0b11U));
    EXPECT_EQ(of("1*p0+1*p1+1*p23").first, 1.0);
    EXPECT_EQ(of("2*FP23"), std::pair(1.0, 0b110000000000U)) << "AMD's units of floating point";
    EXPECT_EQ(parse_ports("1*FPF"), std::nullopt);
    EXPECT_EQ(parse_ports("1*pX"), std::nullopt);
    EXPECT_EQ(parse_ports("p01"), std::nullopt);
    EXPECT_TRUE(parse_ports("")->empty()) << "of a no-op";
}

TEST(SlowestChain, IsTheCycleWithTheLargestMean) {
    // 0 to 1 and back takes 3 + 2 in one iteration, 2 to itself 4, and 1 to 2 and back 9 in two.
    const std::array<ChainEdge, 5> edges{
        {{0, 1, 3, false}, {1, 0, 2, true}, {2, 2, 4, true}, {1, 2, 4, true}, {2, 1, 5, true}}};
    const ChainBound bound = slowest_chain(edges, 3);
    EXPECT_DOUBLE_EQ(bound.cycles, 5);
    EXPECT_THAT(bound.chain, UnorderedElementsAre(0, 1));
    const std::array<ChainEdge, 1> one_way{{{0, 1, 3, false}}};
    EXPECT_EQ(slowest_chain(one_way, 2).cycles, 0) << "nothing comes back";
}

TEST(SlowestPath, IsThatOfOneIteration) {
    const std::array<ChainEdge, 4> edges{
        {{1, 2, 2, false}, {0, 1, 3, false}, {2, 0, 9, true}, {0, 2, 4, false}}};
    EXPECT_EQ(slowest_path(edges, 3).cycles, 5);
    EXPECT_THAT(slowest_path(edges, 3).chain, ElementsAre(0, 1, 2));
    EXPECT_EQ(slowest_path({}, 0).cycles, 0);
    EXPECT_THAT(slowest_path({}, 2).chain, IsEmpty()) << "nothing waits";
}

TEST(PortTable, ComesBackFromItsJson) {
    const PortTable table = table_of(small_ports).value();
    const PortTable back = parse_port_table(to_json(table)).value();
    EXPECT_EQ(back.costs(), table.costs());
    EXPECT_FALSE(table.costs().empty());
    EXPECT_FALSE(back.is_osaca());
    const auto wrong =
        parse_port_table(R"({"names": "osaca", "forms": {"ADD": [1, 1, 1, 1, 0, [[-1, 1]]]}})");
    ASSERT_FALSE(wrong.has_value());
    EXPECT_THAT(wrong.error().message, HasSubstr("for \"ADD\", expected numbers as in [1, 1"));
}

TEST_F(BoundModelTest, CountsWhatIsIssuedAndWhichPortsAreUsed) {
    const BlockBounds block = bounds("imul rax, rbx\nadd rcx, rdx\nmov rsi, qword ptr [rdi]");
    EXPECT_EQ(block.issued, 3);
    EXPECT_EQ(block.port_uses[1], 1.25);
    EXPECT_EQ(block.port_uses[2], 0.5);
    EXPECT_EQ(block.port_uses[4], 0);
}

TEST_F(BoundModelTest, IsTheLargestOfItsParts) {
    const BlockBounds product = bounds("imul rax, rbx");
    EXPECT_EQ(product.dependencies, 3);
    EXPECT_EQ(product.ports, 1);
    EXPECT_EQ(product.cycles(), 3);
    EXPECT_EQ(product.bottleneck(), "dependencies");
    EXPECT_THAT(product.chain, ElementsAre(0));

    const BlockBounds stores = bounds("mov qword ptr [rdi], rax\nmov qword ptr [rsi], rbx");
    EXPECT_EQ(stores.cycles(), 2);
    EXPECT_EQ(stores.bottleneck(), "port 4");

    const BlockBounds loads =
        bounds("mov rax, qword ptr [rdi]\nmov rbx, qword ptr [rsi]\nmov rcx, qword ptr [rdx]");
    EXPECT_EQ(loads.cycles(), 1.5);
    EXPECT_EQ(loads.bottleneck(), "ports 2 and 3");
}

TEST_F(BoundModelTest, KnowsWhatProcessorsKnow) {
    EXPECT_EQ(bounds("xor eax, eax").ports, 0) << "the front end handles a zero idiom";
    EXPECT_EQ(bounds("push rax\npush rbx").dependencies, 0) << "so does the stack engine rsp";
    EXPECT_EQ(bounds("mov rax, qword ptr [rax + 8]").dependencies, 4) << "a short address";
    EXPECT_EQ(bounds("mov rax, qword ptr [rax + 8*rcx]").dependencies, 5);
    EXPECT_EQ(bounds("mov rax, qword ptr [rbx + 8]\nadd rbx, rax").dependencies, 6)
        << "no load brought the address";
    EXPECT_EQ(bounds("mov qword ptr [rsp], rax\nmov rax, qword ptr [rsp]").dependencies, 5)
        << "a store is forwarded";
    EXPECT_EQ(bounds("div rcx").divider, 21) << "which is not pipelined";
}

TEST_F(BoundModelTest, TheFrontEndOfUnrolledCodeDecodes) {
    constexpr std::string_view three = "add rax, rbx\nadd rcx, rbx\ncmp rdx, rbx";
    EXPECT_EQ(bounds(three).front_end, 1) << "the compare is never the last of four";
    EXPECT_EQ(bounds(three, {.fetched_bytes = 0}).front_end, 0.75) << "of a loop nothing is decoded again";
    EXPECT_EQ(bounds(three, {.has_skylake_decoders = true}).front_end, 0.75);
    EXPECT_EQ(bounds("movabs rax, 81985529216486895\nmovabs rbx, 81985529216486895").fetch, 1.25);
}

TEST_F(BoundModelTest, NamesInstructionsThatTheTableLacks) {
    EXPECT_THAT(bounds("add rax, rbx\nvaddps ymm0, ymm1, ymm2").unknown, ElementsAre(1));
    EXPECT_THAT(table_of("skylake,NOP,,1,1,\n").error().text(),
                HasSubstr("no line is of the microarchitecture haswell"));
    EXPECT_THAT(table_of("haswell,NOP,,1,1,p1\n").error().text(),
                HasSubstr("ports.csv:2: column ports: found \"p1\", expected ports such as 1*p0156+1*p23"));
    EXPECT_THAT(table_of("haswell,NOP,,1,1,\nhaswell,NOP,,1,1,\n").error().text(),
                HasSubstr("ports.csv:3: "));
    EXPECT_THAT(
        PortTable::read(CsvTable::of_text("t.csv", "uarch,instruction\n").value(), "haswell").error().text(),
        HasSubstr("t.csv:1: the column latency is missing"));
}

TEST_F(BoundModelTest, IsNearMeasurementsOfTwoMachines) {
    SPARSIGHT_NEEDS_SHARED("blocks/uops_info_tables.csv.xz");
    for (const auto& [uarch, machine] :
         {std::pair<const char*, const char*>("haswell", "hsw"), {"skylake", "skl"}}) {
        SCOPED_TRACE(uarch);
        const BoundModel model(
            PortTable::read(CsvTable::open(shared_path("blocks/uops_info_tables.csv.xz")).value(), uarch)
                .value(),
            {.has_skylake_decoders = std::string_view(machine) == "skl"});
        auto table = BlockTable::open(shared_path("blocks/blocks_train.csv.xz")).value();
        const auto column = static_cast<std::size_t>(
            std::ranges::find(table.machines(), std::string(machine)) - table.machines().begin());
        std::vector<double> predicted;
        std::vector<double> measured;
        for (int line = 0; !table.is_over(); ++line) {
            const auto row = table.next().value();
            if (!row || line % 40 != 0 || !row->cycles[column])
                continue;
            const DecodedBlock one{row->code, decoder_.decode(row->code).value()};
            predicted.push_back(100 * model.bounds(one).cycles());
            measured.push_back(*row->cycles[column]);
        }
        const PredictionErrors errors = prediction_errors(predicted, measured).value();
        EXPECT_GT(errors.blocks, 1000U);
        EXPECT_LT(errors.mean, 0.095) << "llvm-mca: 18 and 24 %";
        EXPECT_GT(*errors.kendall_tau, 0.90);
    }
}

} // namespace
} // namespace sparsight

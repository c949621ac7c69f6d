// What is said of one block on one machine.
#include "domains/blocks/models/block_analysis.h"

#include "block_fixture.h"
#include "domains/blocks/analyser/scheduled_costs.h"

namespace sparsight {
namespace {

using testing::BlockTest;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class BlockAnalysisTest : public BlockTest {
protected:
    [[nodiscard]] BlockAnalysis analysis(std::string_view assembly, std::string_view machine = "hsw") const {
        const Microarchitecture known = find_microarchitecture(machine).value();
        const DecodedBlock one = block(assembly);
        return analyse_block(one, ScheduledCosts::make(decoder_, known).value().of(one), front_end_of(known));
    }
    [[nodiscard]] std::string sentence(std::string_view assembly) const {
        return what_binds(block(assembly), analysis(assembly));
    }
};

TEST_F(BlockAnalysisTest, SaysInOneSentenceWhatBinds) {
    EXPECT_EQ(sentence("imul rax, rbx\nadd rax, rcx"),
              "Latency: the chain of 2 instructions takes 4 cycles an iteration.");
    EXPECT_EQ(sentence("imul rax, rbx"), "Latency: the chain of 1 instruction takes 3 cycles an iteration.");
    EXPECT_EQ(sentence("imul rax, rbx, 3\nimul rcx, rbx, 3\nimul rdx, rbx, 3\nimul rsi, rbx, 3"),
              "Throughput: port 1 is busy in all 4 cycles of an iteration.");
    EXPECT_EQ(sentence("nop\nnop\nnop\nnop\nnop"),
              "Throughput: the front end needs 1.25 cycles for 5 micro-operations an iteration.");
}

TEST_F(BlockAnalysisTest, MarksTheChainFromOneIterationToTheNext) {
    const BlockAnalysis found = analysis("mov rdx, rcx\nimul rax, rbx\nadd rax, rcx");
    EXPECT_THAT(found.critical, ElementsAre(1, 2));
    EXPECT_FALSE(found.instructions[0].is_critical);
    EXPECT_TRUE(found.instructions[1].is_critical);
    std::vector<std::pair<std::size_t, std::size_t>> critical;
    double latency = 0;
    for (const AnalysedDependency& each : found.dependencies)
        if (each.is_critical) {
            critical.emplace_back(each.dependency.from, each.dependency.to);
            latency += each.latency;
        }
    EXPECT_THAT(critical, UnorderedElementsAre(std::pair(2, 1), std::pair(1, 2)));
    EXPECT_DOUBLE_EQ(latency, found.bounds.dependencies);
}

TEST_F(BlockAnalysisTest, MarksTheChainOfOneIterationWhereNothingIsHandedOn) {
    const BlockAnalysis found = analysis("xor eax, eax\nimul rcx, rbx, 3\nimul rdx, rcx, 3");
    EXPECT_EQ(found.bounds.dependencies, 0);
    EXPECT_THAT(found.critical, ElementsAre(1, 2));
}

TEST_F(BlockAnalysisTest, MarksWhatOnlyTheBusiestPortsCanDo) {
    const BlockAnalysis found = analysis("imul rax, rbx, 3\nimul rcx, rbx, 3\nadd rdx, rbx");
    EXPECT_EQ(found.bounds.busiest, 0b10U);
    EXPECT_TRUE(found.instructions[0].is_on_busiest_port);
    EXPECT_FALSE(found.instructions[2].is_on_busiest_port) << "three other ports add as well";
    EXPECT_DOUBLE_EQ(found.instructions[2].port_uses[0], 0.25);
}

TEST_F(BlockAnalysisTest, ListsTheLimitsWithTheLargestFirst) {
    const auto limits = cycle_limits(analysis("imul rax, rbx\nadd rax, rcx").bounds);
    ASSERT_GE(limits.size(), 2);
    EXPECT_EQ(limits.front().name, "Dependencies");
    EXPECT_DOUBLE_EQ(limits.front().cycles, 4);
    EXPECT_TRUE(std::ranges::is_sorted(limits, std::greater(), &CycleLimit::cycles));
    EXPECT_THAT(cycle_limits(BlockBounds()), IsEmpty());
}

TEST_F(BlockAnalysisTest, TakesCostsOfLlvmAsTablesWriteThem) {
    const auto costs = [&](std::string_view assembly) {
        const DecodedBlock one = block(assembly);
        return ScheduledCosts::make(decoder_, find_microarchitecture("hsw").value()).value().of(one);
    };
    const InstructionCost add = costs("add rax, qword ptr [rbx]").at(0).value();
    EXPECT_EQ(port_uses_text(add.ports), "p23 + p0156");
    EXPECT_EQ(add.issued, 1) << "a load and what works on it are fused";
    EXPECT_EQ(add.latency, 1) << "from its register";
    EXPECT_EQ(add.longest_latency, 6) << "from its address";
    EXPECT_EQ(costs("mov qword ptr [rbx], rax").at(0).value().issued, 1);
    EXPECT_GT(costs("div rcx").at(0).value().throughput, 5) << "the divider is not pipelined";
    EXPECT_EQ(costs("ret").at(0), std::nullopt) << "LLVM leaves it out";
    EXPECT_FALSE(ScheduledCosts::make(decoder_, find_microarchitecture("zen2").value()));
}

} // namespace
} // namespace sparsight

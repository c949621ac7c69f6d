#include "domains/blocks/explanation/block_loop_analyst.h"

#include "block_fixture.h"

#include <fstream>

namespace sparsight {
namespace {

using testing::BlockTest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

class LoopAnalystTest : public BlockTest {
protected:
    [[nodiscard]] LoopAnalysis analysis(std::string_view assembly) const {
        return analyst_->analyse(block(assembly).code, "hsw").value();
    }
    void read_tables() {
        std::ofstream(folder_ / "ports.csv")
            << "uarch,instruction,latency,throughput_cycles,uops_retired_issued,ports\n"
               "haswell,\"VADDSS (XMM, XMM, XMM)\",3,1.00 / 1.00,1 / 1,1*p1\n"
               "haswell,\"VADDSS (XMM, XMM, M32)\",[3;<=9],1.00 / 1.00,1 / 2,1*p1+1*p23\n"
               "haswell,\"VMOVSS (XMM, M32)\",[<=5;<=8],0.50 / 0.50,1 / 1,1*p23\n"
               "haswell,\"ADD (R64, I8)\",1,0.25 / 0.25,1 / 1,1*p0156\n";
        ASSERT_TRUE(analyst_->read_tables(folder_ / "ports.csv"));
    }

    TemporaryFolder folder_;
    std::unique_ptr<LoopAnalyst> analyst_ = make_block_loop_analyst().value();
};

TEST_F(LoopAnalystTest, FindsTheChainThatALoopWaitsFor) {
    read_tables();
    const LoopAnalysis sum = analysis("vaddss xmm0, xmm0, dword ptr [rax]\nadd rax, 4\n");
    ASSERT_TRUE(sum.bound);
    EXPECT_DOUBLE_EQ(sum.bound->dependencies, 3);
    EXPECT_DOUBLE_EQ(sum.bound->cycles, 3);
    EXPECT_THAT(sum.bound->chain, ElementsAre(0));
    EXPECT_EQ(sum.binds, "the chain of vaddss from one iteration to the next");
    EXPECT_NEAR(sum.simulated_cycles, 3, 0.1) << "LLVM's analyser says the same";
    ASSERT_EQ(sum.listing.size(), 2U);
    EXPECT_THAT(sum.listing[0], HasSubstr("vaddss"));
}

TEST_F(LoopAnalystTest, FindsThePortsThatALoopWaitsFor) {
    read_tables();
    const LoopAnalysis loads = analysis("vmovss xmm0, dword ptr [rax]\nvmovss xmm1, dword ptr [rbx]\n"
                                        "vmovss xmm2, dword ptr [rcx]\nadd rax, 4\n");
    ASSERT_TRUE(loads.bound);
    EXPECT_DOUBLE_EQ(loads.bound->ports, 1.5);
    EXPECT_EQ(loads.binds, "ports 2 and 3 (3 vmovss)");
}

TEST_F(LoopAnalystTest, KeepsMicroOperationsOfALoopThatIsNotDecodedAgain) {
    read_tables();
    // Nine bytes each: fetching them anew would take longer than issuing them.
    const LoopAnalysis loop = analysis("add qword ptr [rax + 1000000], 1\n");
    ASSERT_TRUE(loop.bound);
    EXPECT_EQ(loop.bound->unknown, 1U);
    EXPECT_DOUBLE_EQ(loop.bound->front_end, 0.25);
}

TEST_F(LoopAnalystTest, SimulatesWhereNoPortsAreKnown) {
    const LoopAnalysis sum = analysis("vaddss xmm0, xmm0, xmm1\n");
    EXPECT_FALSE(sum.bound);
    EXPECT_EQ(sum.no_bound, "no table of ports of Haswell is known");
    EXPECT_EQ(sum.binds, "waiting for results");
    EXPECT_NEAR(sum.simulated_cycles, 3, 0.1);
}

TEST_F(LoopAnalystTest, RefusesAnUnknownProcessorAndWhatIsNoCode) {
    EXPECT_EQ(analyst_->analyse(block("nop\n").code, "pentium").error().message,
              "there is no microarchitecture 'pentium'");
    const std::array<std::uint8_t, 1> no_code{0x06};
    EXPECT_FALSE(analyst_->analyse(no_code, "hsw"));
}

} // namespace
} // namespace sparsight

// What fetching, decoding and the stack engine need for a block.
#include "domains/blocks/models/front_end.h"

#include "block_fixture.h"

namespace sparsight {
namespace {

using testing::BlockTest;

class FrontEndTest : public BlockTest {
protected:
    [[nodiscard]] double groups(std::string_view assembly, const FrontEnd& front_end = {}) const {
        const DecodedBlock one = block(assembly);
        const std::vector<const InstructionCost*> costs(one.instructions.size(), nullptr);
        return decode_groups(one.instructions, costs, front_end);
    }
    [[nodiscard]] double fetch(std::string_view assembly) const { return fetch_cycles(block(assembly), {}); }
    [[nodiscard]] double updates(std::string_view assembly) const {
        return stack_updates(block(assembly).instructions);
    }
};

TEST_F(FrontEndTest, DecodesFourInstructionsAtOnce) {
    EXPECT_EQ(groups("mov eax, ebx\nmov ecx, ebx\nmov edx, ebx\nmov esi, ebx"), 1);
    EXPECT_EQ(groups("mov eax, ebx\nmov ecx, ebx\nmov edx, ebx"), 0.75);
}

TEST_F(FrontEndTest, LeavesWhatMayBeFusedWithABranchToTheNextGroupBeforeSkylake) {
    constexpr std::string_view additions = "add eax, ebx\nadd ecx, ebx\nadd edx, ebx\nadd esi, ebx";
    EXPECT_NEAR(groups(additions), 4.0 / 3, 0.01);
    EXPECT_EQ(groups(additions, {.has_skylake_decoders = true}), 1);
}

TEST_F(FrontEndTest, APopOfR12IsTheOnlyOneOfItsGroupBeforeSkylake) {
    constexpr std::string_view pops = "pop r12\npop r13\npop r14";
    EXPECT_EQ(groups(pops), 2);
    EXPECT_EQ(groups(pops, {.has_skylake_decoders = true}), 1);
}

TEST_F(FrontEndTest, CutsFiveInstructionsOfALineInACycle) {
    EXPECT_EQ(fetch("inc eax\ninc ecx\ninc edx\ninc ebx\ninc esi\ninc edi\ninc ebp\ninc eax"), 2)
        << "eight in 16 bytes";
    EXPECT_EQ(fetch("movabs rax, 81985529216486895\nmovabs rbx, 81985529216486895"), 1.25) << "20 bytes";
}

TEST_F(FrontEndTest, StumblesOverPrefixesThatChangeALength) {
    EXPECT_EQ(fetch("and ax, 4095") - fetch("and eax, 4095"), 3 - 1.0 / 16);
    EXPECT_LT(fetch("shr ax, 3"), 1) << "a shift has 8 bits with any prefix";
}

TEST_F(FrontEndTest, BringsTheStackPointerUpToDateBehindPushesAndPops) {
    EXPECT_EQ(updates("pop rbx\npop rbp\nadd rsp, 8"), 1);
    EXPECT_EQ(updates("push rbx\nmov rax, qword ptr [rsp + 8]\nmov rcx, qword ptr [rsp]"), 1);
    EXPECT_EQ(updates("add rsp, 8\npop rbx"), 1) << "in the next iteration";
    EXPECT_EQ(updates("push rbx\npop rbx"), 0);
    EXPECT_EQ(updates("add rsp, 8\nmov rax, qword ptr [rsp]"), 0);
}

} // namespace
} // namespace sparsight

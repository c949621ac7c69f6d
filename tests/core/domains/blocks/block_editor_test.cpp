// Changed blocks stay code, and change as asked.
#include "domains/blocks/decoder/block_editor.h"

#include "block_fixture.h"

#include <fmt/format.h>

namespace sparsight {
namespace {

using testing::BlockTest;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class BlockEditorTest : public BlockTest {
protected:
    [[nodiscard]] BlockEditor editor(std::string_view assembly) const {
        return BlockEditor::make(decoder_, decoder_.assemble(assembly, AssemblySyntax::Intel).value())
            .value();
    }
    static BlockChange no_change(const BlockEditor& editor) {
        const std::size_t count = editor.block().instructions.size();
        return {std::vector<bool>(count), std::vector<bool>(count), {}};
    }
    Random random_{1};
};

TEST_F(BlockEditorTest, LeavesABlockAsItIsWhereNothingIsAsked) {
    const BlockEditor same = editor("lock add dword ptr [rcx], eax\nmov al, ah\nvaddps ymm0, ymm1, ymm2");
    EXPECT_EQ(same.changed(no_change(same), random_), same.block());
}

TEST_F(BlockEditorTest, LeavesInstructionsOutAndReplacesThem) {
    const BlockEditor three = editor("mov rax, rbx\ndiv rcx\nadd rax, 1");
    BlockChange change = no_change(three);
    change.is_left_out[1] = true;
    change.is_replaced[2] = true;
    const DecodedBlock changed = three.changed(change, random_);
    ASSERT_THAT(changed.instructions, SizeIs(2));
    EXPECT_EQ(changed.instructions[0].text, "mov rax, rbx");
    EXPECT_EQ(decoder_.decode(changed.code).value(), changed.instructions) << "its bytes are code";
}

TEST_F(BlockEditorTest, BreaksOneDependencyByAnotherRegisterOrAddress) {
    for (const char* const text :
         {"mov rax, rbx\nmov rcx, rax", "mov rcx, rax\nmov rax, rbx", "mov rax, rbx\nadd eax, 1",
          "vaddps ymm0, ymm1, ymm2\nvmulps ymm3, ymm0, ymm0",
          "mov qword ptr [rsp], rax\nmov rcx, qword ptr [rsp]",
          "mov rax, rbx\nmov rcx, qword ptr [rdx + 8*rax]"}) {
        SCOPED_TRACE(text);
        const BlockEditor two = editor(text);
        BlockChange change = no_change(two);
        change.broken = dependencies_of(two.block().instructions, {.only_named = true});
        ASSERT_FALSE(change.broken.empty());
        const DecodedBlock changed = two.changed(change, random_);
        EXPECT_THAT(dependencies_of(changed.instructions, {.only_named = true}), IsEmpty());
        ASSERT_THAT(changed.instructions, SizeIs(2));
        EXPECT_EQ(changed.instructions[1].opcode, two.block().instructions[1].opcode);
    }
}

TEST_F(BlockEditorTest, AlwaysMakesCodeOfMeasuredBlocks) {
    SPARSIGHT_NEEDS_SHARED("blocks/blocks_train.csv.xz");
    for (const MachineCode& code : measured_blocks(500)) {
        const auto any = BlockEditor::make(decoder_, code).value();
        BlockChange change = no_change(any);
        for (std::size_t at = 0; at < change.is_left_out.size(); ++at) {
            change.is_left_out[at] = random_.chance(0.3);
            change.is_replaced[at] = random_.chance(0.3);
        }
        change.broken = dependencies_of(any.block().instructions, {.only_named = true});
        const DecodedBlock changed = any.changed(change, random_);
        const auto again = decoder_.decode(changed.code).value();
        EXPECT_EQ(again, changed.instructions) << to_hex(code);
    }
}

} // namespace
} // namespace sparsight

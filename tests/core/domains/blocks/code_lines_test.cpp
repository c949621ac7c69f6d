// Where instructions stand in the text of a block.
#include "domains/blocks/code/code_lines.h"

#include "block_fixture.h"

namespace sparsight {
namespace {

using testing::BlockTest;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CodeLinesTest : public BlockTest {
protected:
    [[nodiscard]] std::vector<std::size_t> lines(std::string_view assembly) const {
        return lines_of(block(assembly).instructions, assembly);
    }
};

TEST_F(CodeLinesTest, PassOverCommentsLabelsAndBlankLines) {
    EXPECT_THAT(lines("# a comment\nagain: add rax, 1\n\n  nop # nothing; at all\n.Lhere:\njne again"),
                ElementsAre(1, 3, 5));
    EXPECT_THAT(lines("nop; nop\nnop"), ElementsAre(0, 0, 1));
    EXPECT_THAT(lines("mov rax, qword ptr fs:[rbx]"), ElementsAre(0)) << "a segment is no label";
}

TEST_F(CodeLinesTest, FollowTheBytesOfDigits) {
    const DecodedBlock two = block("mov rax, qword ptr [rbx]\nadd rax, 1");
    EXPECT_THAT(lines_of(two.instructions, "488b03\n48 83 c0 01"), ElementsAre(0, 1));
    EXPECT_THAT(lines_of(two.instructions, "\n48\n8b034883c001\n"), ElementsAre(1, 2));
}

TEST_F(CodeLinesTest, AreNotToldWhereTheyCantBeTold) {
    EXPECT_THAT(lines(".byte 0x90\nnop"), IsEmpty());
    EXPECT_THAT(lines("lock\nadd dword ptr [rax], 1"), IsEmpty());
}

} // namespace
} // namespace sparsight

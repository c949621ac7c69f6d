// Errors of a cost model by classes of instructions and by applications.
#include "domains/blocks/models/error_groups.h"

#include "block_fixture.h"

namespace sparsight {
namespace {

using testing::BlockTest;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using C = InstructionClass;

class InstructionClassesTest : public BlockTest {
protected:
    [[nodiscard]] std::vector<C> classes(std::string_view assembly) const {
        return classes_of(block(assembly).instructions);
    }
};

TEST_F(InstructionClassesTest, AreWhatAnInstructionDoes) {
    EXPECT_THAT(classes("mov rax, qword ptr [rbx]"), ElementsAre(C::Load));
    EXPECT_THAT(classes("mov qword ptr [rbx], rax"), ElementsAre(C::Store));
    EXPECT_THAT(classes("mov rax, rbx"), ElementsAre(C::Move));
    EXPECT_THAT(classes("add qword ptr [rbx], 1"), ElementsAre(C::Load, C::Store, C::Arithmetic));
    EXPECT_THAT(classes("imul rax, rbx"), ElementsAre(C::Multiplication));
    EXPECT_THAT(classes("vsqrtpd ymm0, ymm1"), ElementsAre(C::Division));
    EXPECT_THAT(classes("vfmadd231sd xmm0, xmm1, xmm2"), ElementsAre(C::VectorArithmetic));
    EXPECT_THAT(classes("push rax"), ElementsAre(C::Stack));
    EXPECT_THAT(classes("popcnt rax, rbx"), ElementsAre(C::Arithmetic));
    EXPECT_THAT(classes("ret"), ElementsAre(C::Branch));
}

TEST_F(InstructionClassesTest, OfABlockAreThoseOfItsInstructionsOnce) {
    EXPECT_THAT(classes("add rax, 1\nsub rbx, 1\nmov rcx, qword ptr [rdx]"),
                ElementsAre(C::Load, C::Arithmetic));
}

TEST(ErrorGroups, CountABlockInEveryGroupOfIt) {
    const std::vector<PredictedCase> cases{{.predicted = 2,
                                            .measured = 4,
                                            .classes = {C::Load, C::Division},
                                            .applications = {"gzip", "ffmpeg"}},
                                           {.predicted = 5, .measured = 4, .classes = {C::Load}}};
    const ErrorGroups groups = error_groups(cases);
    ASSERT_EQ(groups.all.size(), 1);
    EXPECT_EQ(groups.all.front().errors.blocks, 2);
    EXPECT_DOUBLE_EQ(groups.all.front().errors.mean, 0.375);
    EXPECT_DOUBLE_EQ(groups.all.front().bias, -0.125);
    ASSERT_EQ(groups.by_class.size(), 2);
    EXPECT_EQ(groups.by_class[0].name, "division or root") << "the largest error first";
    EXPECT_DOUBLE_EQ(groups.by_class[0].errors.mean, 0.5);
    EXPECT_EQ(groups.by_class[1].errors.blocks, 2);
    EXPECT_EQ(groups.by_application.size(), 2);
    EXPECT_THAT(error_groups({}).all, IsEmpty());
}

TEST(ErrorGroups, ReadApplicationsAsTablesWriteThem) {
    EXPECT_THAT(applications_of("ffmpeg;openblas"), ElementsAre("ffmpeg", "openblas"));
    EXPECT_THAT(applications_of("; unlisted;"), ElementsAre("unlisted"));
    EXPECT_THAT(applications_of(""), IsEmpty());
}

} // namespace
} // namespace sparsight

// The lesson on basic blocks, walked through from the Help menu. What it says is read from the window.
#include "app/gui/shell/lesson_walk.h"
#include "block_window_fixture.h"

namespace sparsight::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class BlockLessonsTest : public LessonWalk<BlockWindowTest> {};

TEST_F(BlockLessonsTest, FourSumsTakeAsLongAsOneAndTheDividerBindsDivisions) {
    const std::vector<Lesson> all = lessons_of(QStringLiteral("blocks"));
    ASSERT_EQ(all.size(), 1U);
    constexpr QSize small(960, 540); // 1920 × 1080 at 200 %
    window().resize(small);
    std::size_t looked = 0;
    walk(all.front(), [&](std::size_t step) {
        ++looked;
        EXPECT_EQ(window().size(), small) << step;
        EXPECT_EQ(program_->session().domain().name(), "blocks");
        if (step == 1 || step == 5) {
            EXPECT_EQ(headline(), "Latency: the chain of 1 instruction takes 5 cycles an iteration.");
        }
        if (step == 3) {
            for (const double uses : page().reading()->machines[1].analysis.bounds.port_uses)
                EXPECT_LE(uses, 2) << "in five cycles";
        }
        if (step == 6) {
            EXPECT_EQ(headline(), "Throughput: the divider is busy for 14 cycles an iteration.");
        }
    });
    EXPECT_EQ(looked, all.front().steps.size());
}

} // namespace
} // namespace sparsight::testing

#include "gui/page/short_form.h"

#include "schedule/text.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

std::string short_of(Operator op, const char* text) {
    const auto schedule = parse_schedule(op, text);
    EXPECT_TRUE(schedule.has_value()) << text;
    return short_form(*schedule).toStdString();
}

TEST(ShortForm, NamesTheLoopsThatThereAreTheFormatsAndTheChunk) {
    EXPECT_EQ(short_of(Operator::SpMM, "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"), "i k j · UC · 32");
    EXPECT_EQ(short_of(Operator::SpMM, "4 1 256 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 2 8"),
              "i k i4 j j256 · UUC · 8");
    EXPECT_EQ(short_of(Operator::SpMV, "1 16 i1 i0 k1 k0 1 1 0 0 i1 2 1"), "i k k16 · UCC · 1");
}

TEST(ShortForm, MarksAParallelLoopThatIsNotTheOutermost) {
    EXPECT_EQ(short_of(Operator::SpMM, "1 1 1 k1 k0 i1 i0 j1 j0 1 1 0 1 i1 2 32"), "k ∥i j · UC · 32");
}

TEST(ShortForm, IsTheSameForSchedulesThatMeanTheSame) {
    EXPECT_EQ(short_of(Operator::SpMM, "1 1 1 i1 k1 i0 k0 j1 j0 1 0 0 0 i1 2 32"),
              short_of(Operator::SpMM, "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32"));
}

} // namespace
} // namespace sparsight

#include "domains/sparse/schedule/encoding.h"

#include "core/domains/sparse/schedule/print_schedule.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/text.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;

SuperSchedule parsed(Operator op, std::string_view text) {
    return parse_schedule(op, text).value();
}

TEST(Encoding, HasACategoryForEachDecision) {
    const auto encoding = encode(parsed(Operator::SDDMM, "2048 8 128 j1 j0 k1 i1 i0 k0 0 1 0 1 j1 48 16"));
    EXPECT_THAT(encoding.splits, ElementsAre(11, 3, 7)); // i, j, k
    EXPECT_THAT(encoding.formats, ElementsAre(0, 1, 0, 1));
    EXPECT_EQ(encoding.parallel, 2); // i1 i0 j1
    EXPECT_EQ(encoding.chunk, 4);
}

TEST(Encoding, HoldsTheLoopOrderAsAPermutationMatrixOfLoopsByDepth) {
    const auto encoding = encode(parsed(Operator::SpMV, "4 2 k1 i1 k0 i0 1 0 1 0 i1 48 64"));
    EXPECT_THAT(encoding.order, ElementsAre(0, 1, 0, 0,   // i1 stands at depth 1
                                            0, 0, 0, 1,   // i0
                                            1, 0, 0, 0,   // k1
                                            0, 0, 1, 0)); // k0
    EXPECT_EQ(encode(fixed_csr(Operator::SpMM, 1)).order.size(), 36U);
    EXPECT_EQ(encode(fixed_csr(Operator::SDDMM, 1)).order.size(), 36U);
}

TEST(Encoding, IsTheSameForSchedulesThatMeanTheSame) {
    EXPECT_EQ(encode(parsed(Operator::SpMM, "4 1 2 i1 k1 j1 i0 k0 j0 1 1 0 0 i1 48 32")),
              encode(parsed(Operator::SpMM, "4 1 2 k0 i1 k1 j1 i0 j0 1 1 0 1 i1 48 32")));
}

TEST(Encoding, SharesTheCategoryOfTheNextSmallerPowerOfTwo) {
    const auto encoding = encode(parsed(Operator::SpMV, "7 1000 i1 k1 i0 k0 0 0 1 1 i1 48 48"));
    EXPECT_THAT(encoding.splits, ElementsAre(2, 9));
    EXPECT_EQ(encoding.chunk, 5);
    EXPECT_EQ(to_text(decode(encoding, 48).value()), "4 512 i1 k1 i0 k0 0 0 1 1 i1 48 32");
}

TEST(Encoding, DecodesToTheCanonicalScheduleItWasMadeFrom) {
    Random random(7);
    for (const Operator op : all_operators)
        for (const auto& original : sample_uniform(op, extents(op, 100'000, 5, 256), 2000, 48, random))
            ASSERT_EQ(decode(encode(original), 48).value(), original) << to_text(original);
}

TEST(Encoding, ReachesTheLargestCategories) {
    const auto encoding = encode(parsed(Operator::SpMV, "1073741824 1 i1 k1 i0 k0 0 0 1 1 i1 48 1048576"));
    EXPECT_EQ(encoding.splits[0], split_categories - 1);
    EXPECT_EQ(encoding.chunk, chunk_categories - 1);
    EXPECT_TRUE(decode(encoding, 48));
}

struct EncodingDefect {
    std::function<void(ScheduleEncoding&)> introduce;
    std::string_view reason;
};

TEST(Encoding, RefusesToDecodeWhatIsNoEncoding) {
    const std::vector<EncodingDefect> defects{
        {[](ScheduleEncoding& e) { e.splits.pop_back(); },
         "1 splits and 16 numbers of the loop order, where spmv has 2 and 16"},
        {[](ScheduleEncoding& e) { e.order.resize(36); },
         "2 splits and 36 numbers of the loop order, where spmv has 2 and 16"},
        {[](ScheduleEncoding& e) { e.splits[0] = 31; }, "the category of a split is 31, expected 0 to 30"},
        {[](ScheduleEncoding& e) { e.formats[0] = 2; },
         "the category of a level format is 2, expected 0 to 1"},
        {[](ScheduleEncoding& e) { e.parallel = -1; },
         "the category of the parallel loop is -1, expected 0 to 3"},
        {[](ScheduleEncoding& e) { e.parallel = 2; }, "spmv cannot run in parallel over k1, expected i1"},
        {[](ScheduleEncoding& e) { e.chunk = 21; }, "the category of the chunk is 21, expected 0 to 20"},
        {[](ScheduleEncoding& e) { e.order[1] = 1; },
         "2 loops stand at depth 2 of the loop order, expected one"},
        {[](ScheduleEncoding& e) { e.order[0] = 0; },
         "0 loops stand at depth 1 of the loop order, expected one"},
        {[](ScheduleEncoding& e) { e.order[0] = 0.5F; },
         "the matrix of the loop order holds 0.5, expected 0 or 1"},
        {[](ScheduleEncoding& e) {
             std::swap_ranges(e.order.begin(), e.order.begin() + 4, e.order.begin() + 4);
         },
         "i0 stands before i1: the inner part of a split index must run inside its outer part"},
    };
    for (const EncodingDefect& defect : defects) {
        ScheduleEncoding encoding = encode(parsed(Operator::SpMV, "4 2 i1 i0 k1 k0 1 0 1 0 i1 48 64"));
        ASSERT_TRUE(decode(encoding, 48));
        defect.introduce(encoding);
        const auto decoded = decode(encoding, 48);
        ASSERT_FALSE(decoded) << defect.reason;
        EXPECT_EQ(decoded.error().message, defect.reason);
    }
}

} // namespace
} // namespace sparsight

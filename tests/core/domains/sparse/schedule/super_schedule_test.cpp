#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/search_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "support/spmm_schedule.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <unordered_set>

namespace sparsight {
namespace {

SuperSchedule schedule(Operator op, std::string_view text) {
    return parse_schedule(op, text).value();
}

std::string canonical_text(Operator op, std::string_view text) {
    return to_text(canonical(schedule(op, text)));
}

TEST(SuperSchedule, LoopsAreNamedByIndexAndPart) {
    EXPECT_EQ(name(LoopIndex{Index::I, Part::Outer}), "i1");
    EXPECT_EQ(name(LoopIndex{Index::K, Part::Inner}), "k0");
}

TEST(SuperSchedule, HasNoInnerLoopWhereTheIndexIsNotSplit) {
    const SuperSchedule spmm = schedule(Operator::SpMM, "4 1 2 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 32");
    EXPECT_TRUE(spmm.has({Index::I, Part::Inner}));
    EXPECT_FALSE(spmm.has({Index::K, Part::Inner}));
    EXPECT_TRUE(spmm.has({Index::K, Part::Outer}));
}

TEST(Canonical, PutsTheInnerLoopOfAnUnsplitIndexDirectlyInsideItsOuterLoopAndUncompressed) {
    EXPECT_EQ(canonical_text(Operator::SpMM, "4 1 2 k0 i1 k1 j1 i0 j0 1 1 0 0 i1 48 32"),
              "4 1 2 i1 k1 k0 j1 i0 j0 1 1 0 1 i1 48 32");
    EXPECT_EQ(canonical_text(Operator::SpMV, "1 1 k1 i1 i0 k0 1 0 0 0 i1 48 32"),
              "1 1 k1 k0 i1 i0 1 1 0 1 i1 48 32");
    EXPECT_EQ(canonical_text(Operator::SDDMM, "2 1 1 i1 j1 k1 i0 j0 k0 1 0 0 0 j1 48 32"),
              "2 1 1 i1 j1 j0 k1 k0 i0 1 0 0 1 j1 48 32");
}

TEST(Canonical, LeavesAScheduleAloneThatSplitsEveryIndex) {
    const std::string text = "4 2 8 i1 k1 j1 i0 k0 j0 0 0 0 0 i1 48 32";
    EXPECT_EQ(canonical_text(Operator::SpMM, text), text);
}

TEST(Canonical, IsEqualExactlyWhereOnlyAnUnsplitIndexsInnerNameDiffers) {
    const auto base = schedule(Operator::SpMM, "4 1 2 i1 k1 k0 j1 i0 j0 1 1 0 1 i1 48 32");
    const auto same = schedule(Operator::SpMM, "4 1 2 i1 k1 j1 i0 k0 j0 1 1 0 0 i1 48 32");
    const auto other = schedule(Operator::SpMM, "4 1 2 i1 j1 k1 i0 k0 j0 1 1 0 0 i1 48 32");
    EXPECT_NE(base, same);
    EXPECT_EQ(canonical(base), canonical(same));
    EXPECT_NE(canonical(base), canonical(other));
}

TEST(Canonical, ForgetsWhatStandsBehindTheLoopsOfAnOperatorThatHasFewer) {
    SuperSchedule left = fixed_csr(Operator::SpMV, 4);
    const SuperSchedule right = left;
    left.order.push_back({Index::J, Part::Inner});
    EXPECT_EQ(canonical(left), canonical(right));
}

TEST(FixedCsr, IsWacosBaseline) {
    EXPECT_EQ(to_text(fixed_csr(Operator::SpMM, 48)), "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32");
    EXPECT_EQ(to_text(fixed_csr(Operator::SpMV, 2)), "1 1 i1 i0 k1 k0 1 1 0 1 i1 2 32");
    EXPECT_EQ(to_text(fixed_csr(Operator::SDDMM, 2)), "1 1 1 i1 i0 j1 j0 k1 k0 1 1 0 1 i1 2 32");
}

TEST(FixedCsr, IsCanonical) {
    for (const Operator op : all_operators)
        EXPECT_EQ(canonical(fixed_csr(op, 8)), fixed_csr(op, 8));
}

SuperSchedule split_everywhere(Operator op) {
    SuperSchedule schedule = fixed_csr(op, 8);
    for (const Index index : indices(op))
        schedule.splits[static_cast<std::size_t>(index)] = 4;
    return schedule;
}

LoopIndex outer(Index index) {
    return {index, Part::Outer};
}

LoopIndex inner(Index index) {
    return {index, Part::Inner};
}

TEST(Validity, AcceptsFixedCsrOfEveryOperator) {
    for (const Operator op : all_operators)
        EXPECT_TRUE(check(fixed_csr(op, 1)));
}

TEST(Validity, AcceptsSplitsOfAnySize) {
    SuperSchedule schedule = fixed_csr(Operator::SpMV, 1);
    for (const std::int64_t split :
         {std::int64_t{2}, std::int64_t{3}, std::int64_t{1'000'003}, maximum_split}) {
        schedule.splits[0] = split;
        EXPECT_TRUE(check(schedule)) << split;
    }
}

TEST(Validity, LetsTheNameOfAnUnsplitIndexsInnerLoopStandAnywhere) {
    SuperSchedule schedule = fixed_csr(Operator::SpMV, 1);
    schedule.order = {inner(Index::K), inner(Index::I), outer(Index::K), outer(Index::I)};
    EXPECT_TRUE(check(schedule));
}

TEST(Validity, AllowsParallelLoopsThatNeverWriteTheSameOutputTwice) {
    const auto accepts = [](Operator op, LoopIndex parallel) {
        SuperSchedule schedule = split_everywhere(op);
        schedule.parallel = parallel;
        return check(schedule).has_value();
    };
    for (const Operator op : all_operators)
        for (const LoopIndex loop : loop_names(op)) {
            const bool expected =
                loop == outer(Index::I) || (op == Operator::SDDMM && loop == outer(Index::J));
            EXPECT_EQ(accepts(op, loop), expected) << name(op) << " over " << name(loop);
        }
}

struct Defect {
    std::string_view what;
    Operator op;
    std::function<void(SuperSchedule&)> introduce;
    std::string_view reason;
};

TEST(Validity, SaysWhyAScheduleIsNotValid) {
    const std::vector<Defect> defects{
        {"split of zero", Operator::SpMM, [](SuperSchedule& s) { s.splits[0] = 0; },
         "the split of i is 0, expected 1 to 1073741824"},
        {"split too large", Operator::SpMV, [](SuperSchedule& s) { s.splits[2] = maximum_split + 1; },
         "the split of k is 1073741825, expected 1 to 1073741824"},
        {"split of an index that is not there", Operator::SpMV, [](SuperSchedule& s) { s.splits[1] = 2; },
         "spmv has no index j, but its split is 2 instead of 1"},
        {"loop that is not there", Operator::SpMV, [](SuperSchedule& s) { s.order[3] = outer(Index::J); },
         "the loop order names j1, which spmv does not have; expected each of i1 i0 k1 k0 once"},
        {"loop twice", Operator::SDDMM, [](SuperSchedule& s) { s.order[3] = s.order[2]; },
         "the loop order names j1 more than once; expected each of i1 i0 j1 j0 k1 k0 once"},
        {"inner part outside", Operator::SpMM, [](SuperSchedule& s) { std::swap(s.order[0], s.order[1]); },
         "i0 stands before i1: the inner part of a split index must run inside its outer part"},
        {"parallel reduction", Operator::SpMM, [](SuperSchedule& s) { s.parallel = outer(Index::K); },
         "spmm cannot run in parallel over k1, expected i1"},
        {"parallel inner loop", Operator::SDDMM, [](SuperSchedule& s) { s.parallel = inner(Index::J); },
         "sddmm cannot run in parallel over j0, expected i1 or j1"},
        {"no threads", Operator::SpMM, [](SuperSchedule& s) { s.threads = 0; },
         "the number of threads is 0, expected 1 to 1024"},
        {"no chunk", Operator::SpMM, [](SuperSchedule& s) { s.chunk = 0; },
         "the chunk is 0, expected 1 to 1048576"},
    };
    for (const Defect& defect : defects) {
        SuperSchedule schedule = split_everywhere(defect.op);
        ASSERT_TRUE(check(schedule)) << defect.what;
        defect.introduce(schedule);
        const Result<void> result = check(schedule);
        ASSERT_FALSE(result) << defect.what;
        EXPECT_EQ(result.error().fault, Fault::Input) << defect.what;
        EXPECT_EQ(result.error().message, defect.reason);
    }
}

TEST(Hash, LetsCanonicalSchedulesBeMembersOfASet) {
    SuperSchedule written = fixed_csr(Operator::SpMM, 4);
    std::swap(written.order[1], written.order[3]);
    std::unordered_set<SuperSchedule> set{canonical(fixed_csr(Operator::SpMM, 4))};
    EXPECT_TRUE(set.contains(canonical(written)));
    EXPECT_FALSE(set.contains(written));
    EXPECT_FALSE(set.contains(fixed_csr(Operator::SpMM, 8)));
}

TEST(Hash, TellsSchedulesApartThatDifferInOneMember) {
    const SuperSchedule start = fixed_csr(Operator::SDDMM, 4);
    std::vector<SuperSchedule> schedules(8, start);
    schedules[1].op = Operator::SpMM;
    schedules[2].splits[2] = 2;
    std::swap(schedules[3].order[4], schedules[3].order[5]);
    schedules[4].formats[3] = LevelFormat::Compressed;
    schedules[5].parallel = {Index::J, Part::Outer};
    schedules[6].threads = 5;
    schedules[7].chunk = 33;
    std::set<std::uint64_t> hashes;
    for (const SuperSchedule& schedule : schedules)
        hashes.insert(hash_value(schedule));
    EXPECT_EQ(hashes.size(), schedules.size());
}

TEST(Hash, DoesNotCollideAmongManySchedules) {
    Random random(1);
    std::set<std::uint64_t> hashes;
    const auto schedules =
        sample_uniform(Operator::SpMM, extents(Operator::SpMM, 4096, 8192, 256), 20000, 48, random);
    for (const SuperSchedule& schedule : schedules)
        hashes.insert(hash_value(schedule));
    EXPECT_EQ(hashes.size(), schedules.size());
}

TEST(Ordering, SortsSchedulesIntoASet) {
    const std::set<SuperSchedule> set{fixed_csr(Operator::SpMM, 4), fixed_csr(Operator::SpMV, 4),
                                      fixed_csr(Operator::SpMM, 4)};
    EXPECT_EQ(set.size(), 2U);
}

SuperSchedule csr() {
    return canonical(fixed_csr(Operator::SpMM, 2));
}

TEST(DecisionDistance, IsZeroOfTheSameAndTheSameBothWays) {
    Random random(1);
    const auto schedules =
        sample_uniform(Operator::SpMM, extents(Operator::SpMM, 500, 500, 64), 30, 2, random);
    for (const SuperSchedule& one : schedules)
        for (const SuperSchedule& other : schedules) {
            EXPECT_EQ(decision_distance(one, other), decision_distance(other, one));
            EXPECT_EQ(decision_distance(one, other) == 0, one == other);
        }
}

TEST(DecisionDistance, CountsAChunkOrSplitByItsFactorUpToAWholeDecision) {
    SuperSchedule other = csr();
    other.chunk = csr().chunk * 2;
    EXPECT_EQ(decision_distance(csr(), other), 0.25);
    other.chunk = csr().chunk * 16;
    EXPECT_EQ(decision_distance(csr(), other), 1);
    other.chunk = 1;
    EXPECT_EQ(decision_distance(csr(), other), 1) << "32 times apart is no more than another one";
}

TEST(DecisionDistance, CountsLoopsThatStandInAnotherOrderUpToTwoPairs) {
    const auto in_order = [](const char* loops) {
        return *parse_schedule(Operator::SpMM, std::string("1 1 1 ") + loops + " 1 0 0 1 i1 2 32");
    };
    const SuperSchedule ikj = in_order("i1 i0 k1 k0 j1 j0");
    EXPECT_EQ(decision_distance(ikj, in_order("i1 i0 j1 j0 k1 k0")), 1);
    EXPECT_EQ(decision_distance(ikj, in_order("j1 j0 i1 i0 k1 k0")), 2);
    EXPECT_EQ(decision_distance(ikj, in_order("j1 j0 k1 k0 i1 i0")), 2) << "three pairs count as two";
}

TEST(DecisionDistance, OfANeighbourIsLessThanThatOfAStranger) {
    const Extents extents = sparsight::extents(Operator::SpMM, 500, 500, 64);
    Random random(2);
    double near = 0;
    double far = 0;
    for (const SuperSchedule& each : sample_uniform(Operator::SpMM, extents, 20, 2, random)) {
        const auto around = neighbours(each, extents);
        near += decision_distance(each, random.pick(std::span(around)));
        far += decision_distance(each, sample_uniform(Operator::SpMM, extents, 1, 2, random).front());
    }
    EXPECT_LT(near, far / 2);
}

} // namespace
} // namespace sparsight

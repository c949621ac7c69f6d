#include "schedule/validity.h"

#include "core/schedule/print_schedule.h"

#include <functional>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

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

} // namespace
} // namespace sparsight

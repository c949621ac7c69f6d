#include "collection/rematch.h"

#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/generators/generator.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

class RematchTest : public ::testing::Test {
protected:
    static SuperSchedule schedule(const char* text) { return *parse_schedule(Operator::SpMM, text); }

    const CsrPattern pattern_ =
        *generate_matrix("uniform", {{"rows", 200}, {"cols", 150}, {"density", 0.05}}, 1);
    const SuperSchedule csr_ = fixed_csr(Operator::SpMM, 2);
    const SuperSchedule blocked_ = schedule("4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 2 8");
    /// One uncompressed level above the other: hopeless, and refused where little memory may be taken.
    const SuperSchedule dense_ = schedule("1 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 2 8");
    RematchSettings settings_{.dense = 16, .threads = 2, .turns = 3};
};

TEST_F(RematchTest, EveryScheduleHasItsTurnInEveryTurn) {
    std::vector<std::uint64_t> told;
    const auto times =
        measure_in_turns(pattern_, std::vector{csr_, blocked_}, settings_, {}, [&](const Progress& progress) {
            EXPECT_EQ(progress.total, 6U);
            told.push_back(progress.done);
        });
    ASSERT_TRUE(times.has_value()) << times.error().text();
    EXPECT_EQ(told, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}));
    ASSERT_EQ(times->size(), 2U);
    EXPECT_EQ((*times)[0].schedule, csr_);
    for (const RematchTime& time : *times) {
        EXPECT_EQ(time.turns_ms.size(), 3U);
        EXPECT_GT(std::ranges::min(time.turns_ms), 0);
        EXPECT_EQ(time.error, "");
    }
}

TEST_F(RematchTest, ThreadsAreThoseThatAreAskedFor) {
    settings_.threads = 1;
    settings_.turns = 1;
    const auto times = measure_in_turns(pattern_, std::vector{csr_}, settings_);
    ASSERT_TRUE(times.has_value()) << times.error().text();
    EXPECT_EQ(times->front().schedule, fixed_csr(Operator::SpMM, 1));
}

TEST_F(RematchTest, WhatCantBeMeasuredHasNoTurnsButTheReason) {
    settings_.limits.max_bytes = 20'000; // CSR's are not limited
    settings_.turns = 2;
    const auto times = measure_in_turns(pattern_, std::vector{dense_, csr_}, settings_);
    ASSERT_TRUE(times.has_value()) << times.error().text();
    ASSERT_EQ(times->size(), 2U);
    EXPECT_EQ(times->front().schedule, dense_);
    EXPECT_FALSE(times->front().has_time());
    EXPECT_THAT(times->front().error, ::testing::StartsWith("too large: "));
    EXPECT_EQ(times->back().turns_ms.size(), 2U);
}

TEST_F(RematchTest, StoppedInATurnItComparesNothing) {
    std::stop_source stop;
    const auto times = measure_in_turns(pattern_, std::vector{csr_, blocked_}, settings_, stop.get_token(),
                                        [&](const Progress& progress) {
                                            if (progress.done == 3)
                                                stop.request_stop();
                                        });
    ASSERT_FALSE(times.has_value());
    EXPECT_EQ(times.error().fault, Fault::Cancelled);
}

TEST_F(RematchTest, OperatorsAreNotComparedWithEachOther) {
    const auto times = measure_in_turns(pattern_, std::vector{csr_, fixed_csr(Operator::SpMV, 2)}, settings_);
    ASSERT_FALSE(times.has_value());
    EXPECT_EQ(times.error().fault, Fault::Input);
    EXPECT_TRUE(measure_in_turns(pattern_, {}, settings_)->empty());
}

} // namespace
} // namespace sparsight

#include "collection/rematch.h"

#include "domains/sparse/clock/sparse_measuring.h"
#include "domains/sparse/schedule/sparse_setting.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "store/workspace.h"
#include "support/test_files.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

class RematchTest : public ::testing::Test {
protected:
    RematchTest() {
        const auto pattern =
            generate_matrix("uniform", {{"rows", 200}, {"cols", 150}, {"density", 0.05}}, 1);
        EXPECT_TRUE(add_matrix(workspace_, {"a", "generated", {}}, *pattern).has_value());
    }

    [[nodiscard]] WrittenConfiguration schedule(const char* text) const {
        return *matrices_->written(conditions_.setting, text, conditions_.threads);
    }
    Result<std::vector<ConfigurationTurns>> measure(const std::vector<WrittenConfiguration>& configurations,
                                                    int turns, const std::stop_token& stop = {},
                                                    const ProgressSink& progress = {}) {
        const auto session = matrices_->begin(conditions_);
        if (!session)
            return std::unexpected(session.error());
        const auto measurer = (*session)->open(workspace_, **find_workload(workspace_, sparse_domain, "a"));
        if (!measurer)
            return std::unexpected(measurer.error());
        return measure_in_turns(**measurer, configurations, turns, stop, progress);
    }

    const testing::TemporaryFolder folder_;
    Workspace workspace_ = *Workspace::create(folder_ / "w.sparsight", "test");
    const std::unique_ptr<const MeasuringDomain> matrices_ = make_sparse_measuring();
    MeasuringConditions conditions_{.setting = setting_of(Operator::SpMM, 16), .threads = 2};
    const WrittenConfiguration csr_ = written(fixed_csr(Operator::SpMM, 2));
    const WrittenConfiguration blocked_ = schedule("4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 2 8");
    /// One uncompressed level above the other: hopeless, and refused where little memory may be taken.
    const WrittenConfiguration dense_ = schedule("1 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 2 8");
};

TEST_F(RematchTest, EveryConfigurationHasItsTurnInEveryTurn) {
    std::vector<std::uint64_t> told;
    const auto times = measure({csr_, blocked_}, 3, {}, [&](const Progress& progress) {
        EXPECT_EQ(progress.total, 6U);
        told.push_back(progress.done);
    });
    ASSERT_TRUE(times.has_value()) << times.error().text();
    EXPECT_EQ(told, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}));
    ASSERT_EQ(times->size(), 2U);
    EXPECT_EQ((*times)[0].configuration, csr_);
    for (const ConfigurationTurns& time : *times) {
        EXPECT_EQ(time.turns_ms.size(), 3U);
        EXPECT_GT(std::ranges::min(time.turns_ms), 0);
        EXPECT_EQ(time.error, "");
    }
}

TEST_F(RematchTest, ThreadsAreThoseThatAreAskedFor) {
    conditions_.threads = 1;
    const auto times = measure({schedule(csr_.text.c_str())}, 1);
    ASSERT_TRUE(times.has_value()) << times.error().text();
    EXPECT_EQ(times->front().configuration, written(fixed_csr(Operator::SpMM, 1)));
}

TEST_F(RematchTest, WhatCantBeMeasuredHasNoTurnsButTheReason) {
    conditions_.most_bytes = 20'000; // CSR's are not limited
    const auto times = measure({dense_, csr_}, 2);
    ASSERT_TRUE(times.has_value()) << times.error().text();
    ASSERT_EQ(times->size(), 2U);
    EXPECT_EQ(times->front().configuration, dense_);
    EXPECT_TRUE(times->front().turns_ms.empty());
    EXPECT_THAT(times->front().error, ::testing::StartsWith("too large: "));
    EXPECT_EQ(times->back().turns_ms.size(), 2U);
}

TEST_F(RematchTest, StoppedInATurnItComparesNothing) {
    std::stop_source stop;
    const auto times = measure({csr_, blocked_}, 3, stop.get_token(), [&](const Progress& progress) {
        if (progress.done == 3)
            stop.request_stop();
    });
    ASSERT_FALSE(times.has_value());
    EXPECT_EQ(times.error().fault, Fault::Cancelled);
}

TEST_F(RematchTest, NeedsATurn) {
    const auto times = measure({csr_}, 0);
    ASSERT_FALSE(times.has_value());
    EXPECT_EQ(times.error().fault, Fault::Input);
    EXPECT_TRUE(measure({}, 3)->empty());
}

TEST_F(RematchTest, OperatorsAreNotComparedWithEachOther) {
    const auto other = matrices_->written(conditions_.setting, to_text(fixed_csr(Operator::SpMV, 2)), 2);
    ASSERT_FALSE(other.has_value());
    EXPECT_EQ(other.error().fault, Fault::Input);
}

} // namespace
} // namespace sparsight

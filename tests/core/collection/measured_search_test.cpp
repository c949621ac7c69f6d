// Measuring in rounds: the search by measured time, and rematches of chosen schedules.
#include "collection/collection_plan.h"
#include "collection/collector.h"
#include "domains/sparse/clock/schedule_measuring.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "store/workspace.h"
#include "support/test_files.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <memory>

namespace sparsight {
namespace {

const Extents large_square = extents(Operator::SpMM, 4000, 4000, 256);

/// Fastest with rows in blocks of 16, columns in blocks of 4 with a dense inner level, and chunks of 64: a
/// landscape with one summit that neighbouring decisions climb.
double imagined_ms(const SuperSchedule& schedule) {
    const auto distance = [](std::int64_t value, double best) {
        return std::abs(std::log2(static_cast<double>(value)) - best);
    };
    double ms = 1 + distance(schedule.split(Index::I), 4) + distance(schedule.split(Index::K), 2) +
                distance(schedule.chunk, 6);
    if (schedule.formats[3] != LevelFormat::Uncompressed)
        ms += 2;
    return ms;
}

double imagined_ms(const Configuration& configuration) {
    return imagined_ms(schedule_of(configuration, 2));
}

MeasuredSearch search_of(Operator op, const Extents& extents, std::uint64_t seed) {
    return {std::make_shared<ScheduleSpace>(op, extents),
            [op, extents](Random& random) -> std::optional<Configuration> {
                const Sampler sampler = random.chance(0.5) ? Sampler::Waco : Sampler::Uniform;
                return configuration_of(draw_schedules(sampler, op, extents, 1, 2, random).front());
            },
            Random(seed)};
}

double best_of_search(int count, std::uint64_t seed) {
    MeasuredSearch search = search_of(Operator::SpMM, large_square, seed);
    double best = std::numeric_limits<double>::infinity();
    for (int measured = 0; measured < count; ++measured) {
        const auto configuration = search.next();
        if (!configuration)
            break;
        best = std::min(best, imagined_ms(*configuration));
        search.know(*configuration, imagined_ms(*configuration));
    }
    return best;
}

TEST(MeasuredSearch, BeginsWithTheBaseline) {
    const MeasuredSearch search = search_of(Operator::SpMM, large_square, 1);
    EXPECT_EQ(search.next(), configuration_of(fixed_csr(Operator::SpMM, 2)));
}

TEST(MeasuredSearch, ProposesValidConfigurationsOnce) {
    for (const Operator op : all_operators) {
        MeasuredSearch search = search_of(op, extents(op, 900, 700, 64), 5);
        for (std::size_t measured = 0; measured < 200; ++measured) {
            EXPECT_EQ(search.known_count(), measured) << "proposed one twice";
            const auto configuration = search.next();
            ASSERT_TRUE(configuration.has_value());
            EXPECT_TRUE(check(schedule_of(*configuration, 3)).has_value());
            search.know(*configuration, static_cast<double>(measured % 7) + 1);
        }
    }
}

TEST(MeasuredSearch, ClimbsWhereRandomConfigurationsDoNotArrive) {
    Random random(9);
    double best_at_random = std::numeric_limits<double>::infinity();
    for (const SuperSchedule& schedule : sample_uniform(Operator::SpMM, large_square, 400, 2, random))
        best_at_random = std::min(best_at_random, imagined_ms(schedule));
    for (const std::uint64_t seed : {1, 2, 3})
        EXPECT_LT(best_of_search(400, seed), best_at_random) << "seed " << seed;
}

TEST(MeasuredSearch, GoesOnAsItWouldHaveGoneOn) {
    MeasuredSearch one = search_of(Operator::SpMM, large_square, 7);
    std::vector<Configuration> measured;
    for (int step = 0; step < 60; ++step) {
        measured.push_back(*one.next());
        one.know(measured.back(), imagined_ms(measured.back()));
    }
    MeasuredSearch resumed = search_of(Operator::SpMM, large_square, 7);
    for (const Configuration& configuration : measured)
        resumed.know(configuration, imagined_ms(configuration));
    EXPECT_EQ(resumed.next(), one.next());
}

TEST(MeasuredSearch, EndsWhereNothingNewIsToBeFound) {
    MeasuredSearch search = search_of(Operator::SpMV, extents(Operator::SpMV, 2, 2, 1), 1);
    while (const auto configuration = search.next()) {
        search.know(*configuration,
                    is_fixed_csr(schedule_of(*configuration, 1)) ? std::optional(1.0) : std::nullopt);
        ASSERT_LT(search.known_count(), 100'000U);
    }
    EXPECT_GT(search.known_count(), 20U);
}

class RematchTest : public ::testing::Test {
protected:
    RematchTest() {
        const auto pattern = generate_matrix("uniform", {{"rows", 200}, {"cols", 150}, {"density", 0.05}}, 1);
        EXPECT_TRUE(add_matrix(workspace_, {"a", "generated", {}}, *pattern).has_value());
    }

    [[nodiscard]] WrittenConfiguration schedule(const char* text) const {
        return *matrices_->written(conditions_.setting, text, conditions_.threads);
    }
    Result<std::vector<ConfigurationTurns>> measure(const std::vector<WrittenConfiguration>& configurations,
                                                    int turns, const std::stop_token& stop = {},
                                                    const ProgressSink& progress = {},
                                                    const WantsTurn& wants_turn = {}) {
        const auto session = matrices_->begin(conditions_);
        if (!session)
            return std::unexpected(session.error());
        const auto measurer = (*session)->open(workspace_, **find_workload(workspace_, sparse_domain, "a"));
        if (!measurer)
            return std::unexpected(measurer.error());
        return measure_in_turns(**measurer, configurations, turns, stop, progress, wants_turn);
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

TEST_F(RematchTest, GoesOnWhileMoreTurnsAreWantedAndEndsAtFifteen) {
    std::uint64_t total = 0;
    const auto progress = [&](const Progress& state) { total = state.total; };
    const auto ten =
        measure({csr_, blocked_}, 5, {}, progress,
                [](std::span<const ConfigurationTurns> times) { return times.front().turns_ms.size() < 7; });
    ASSERT_TRUE(ten.has_value());
    EXPECT_EQ(ten->front().configuration, csr_) << "the order of the arguments, whatever the last turn";
    EXPECT_EQ(ten->front().turns_ms.size(), 10U) << "five more at a time";
    EXPECT_EQ(ten->back().turns_ms.size(), 10U);
    EXPECT_EQ(total, 20U);
    const auto all = measure({csr_}, 5, {}, {}, [](std::span<const ConfigurationTurns>) { return true; });
    ASSERT_TRUE(all.has_value());
    EXPECT_EQ(all->front().turns_ms.size(), static_cast<std::size_t>(most_rematch_turns));
}

TEST_F(RematchTest, StoppedInAFurtherTurnItKeepsTheWholeOnes) {
    std::stop_source stop;
    const auto times = measure(
        {csr_, blocked_}, 2, stop.get_token(),
        [&](const Progress& progress) {
            if (progress.done == 4)
                stop.request_stop();
        },
        [](std::span<const ConfigurationTurns>) { return true; });
    ASSERT_TRUE(times.has_value());
    EXPECT_EQ(times->front().turns_ms.size(), 2U);
    EXPECT_EQ(times->back().turns_ms.size(), 2U);
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

#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_choice.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

const Extents square = extents(Operator::SpMM, 1000, 1000, 256);

TEST(ScheduleChoice, PutsFixedCsrFirstAndOnce) {
    const auto schedules =
        schedules_for(ListedSchedules{{fixed_csr(Operator::SpMM, 48), fixed_csr(Operator::SpMM, 48)}},
                      Operator::SpMM, "a", square, 2);
    EXPECT_EQ(schedules, std::vector{fixed_csr(Operator::SpMM, 2)});
}

TEST(ScheduleChoice, ReplacesTheThreadsOfTheMachineThatTheListWasMadeFor) {
    const auto listed = *parse_schedule(Operator::SpMM, "4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8");
    const auto schedules = schedules_for(ListedSchedules{{listed}}, Operator::SpMM, "a", square, 2);
    ASSERT_EQ(schedules.size(), 2U);
    EXPECT_EQ(schedules[1].threads, 2);
}

TEST(ScheduleChoice, DropsSchedulesThatMeanTheSame) {
    const auto one = *parse_schedule(Operator::SpMM, "1 4 16 i1 i0 k1 j1 k0 j0 1 1 0 1 i1 48 8");
    const auto same = *parse_schedule(Operator::SpMM, "1 4 16 i1 k1 j1 k0 i0 j0 1 0 0 1 i1 48 8");
    EXPECT_EQ(schedules_for(ListedSchedules{{one, same}}, Operator::SpMM, "a", square, 2).size(), 2U);
}

TEST(ScheduleChoice, GivesEachMatrixItsOwnListAndTheOthersFixedCsrAlone) {
    const SuperSchedule own = *parse_schedule(Operator::SpMM, "4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8");
    const SchedulesByMatrix chosen{{{"a", {own}}}};
    const auto schedules = schedules_for(chosen, Operator::SpMM, "a", square, 2);
    ASSERT_EQ(schedules.size(), 2U);
    EXPECT_EQ(schedules[0], fixed_csr(Operator::SpMM, 2));
    EXPECT_EQ(schedules[1].threads, 2);
    EXPECT_EQ(schedules_for(chosen, Operator::SpMM, "b", square, 2).size(), 1U);
}

TEST(ScheduleChoice, DrawsTheSameForTheSameMatrixAndSeedAndOtherwiseDifferent) {
    const auto draw = [&](std::uint64_t seed, const char* matrix) {
        return schedules_for(SampledSchedules{Sampler::Waco, 100, seed}, Operator::SpMM, matrix, square, 2);
    };
    EXPECT_EQ(draw(1, "a").size(), 101U);
    EXPECT_EQ(draw(1, "a"), draw(1, "a"));
    EXPECT_NE(draw(1, "a"), draw(2, "a"));
    EXPECT_NE(draw(1, "a"), draw(1, "b"));
}

TEST(SamplerNames, RoundTrip) {
    EXPECT_EQ(parse_sampler("waco"), Sampler::Waco);
    EXPECT_EQ(parse_sampler("uniform"), Sampler::Uniform);
    EXPECT_EQ(parse_sampler("random"), std::nullopt);
}

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

double best_of_search(int count, std::uint64_t seed) {
    MeasuredSearch search(Operator::SpMM, large_square, 2, Random(seed));
    double best = INFINITY;
    for (int measured = 0; measured < count; ++measured) {
        const auto schedule = search.next();
        if (!schedule)
            break;
        best = std::min(best, imagined_ms(*schedule));
        search.know(*schedule, imagined_ms(*schedule));
    }
    return best;
}

TEST(MeasuredSearch, BeginsWithFixedCsr) {
    const MeasuredSearch search(Operator::SpMM, large_square, 2, Random(1));
    EXPECT_EQ(search.next(), canonical(fixed_csr(Operator::SpMM, 2)));
}

TEST(MeasuredSearch, ProposesValidSchedulesOnce) {
    for (const Operator op : all_operators) {
        MeasuredSearch search(op, extents(op, 900, 700, 64), 3, Random(5));
        for (std::size_t measured = 0; measured < 200; ++measured) {
            EXPECT_EQ(search.known_count(), measured) << "proposed one twice";
            const auto schedule = search.next();
            ASSERT_TRUE(schedule.has_value());
            EXPECT_TRUE(check(*schedule).has_value());
            EXPECT_EQ(schedule->threads, 3);
            search.know(*schedule, static_cast<double>(measured % 7) + 1);
        }
    }
}

TEST(MeasuredSearch, ClimbsWhereRandomSchedulesDoNotArrive) {
    Random random(9);
    double best_at_random = INFINITY;
    for (const SuperSchedule& schedule : sample_uniform(Operator::SpMM, large_square, 400, 2, random))
        best_at_random = std::min(best_at_random, imagined_ms(schedule));
    for (const std::uint64_t seed : {1, 2, 3})
        EXPECT_LT(best_of_search(400, seed), best_at_random) << "seed " << seed;
}

TEST(MeasuredSearch, GoesOnAsItWouldHaveGoneOn) {
    MeasuredSearch one(Operator::SpMM, large_square, 2, Random(7));
    std::vector<SuperSchedule> measured;
    for (int step = 0; step < 60; ++step) {
        measured.push_back(*one.next());
        one.know(measured.back(), imagined_ms(measured.back()));
    }
    MeasuredSearch resumed(Operator::SpMM, large_square, 2, Random(7));
    for (const SuperSchedule& schedule : measured)
        resumed.know(schedule, imagined_ms(schedule));
    EXPECT_EQ(resumed.next(), one.next());
}

TEST(MeasuredSearch, EndsWhereNothingNewIsToBeFound) {
    MeasuredSearch search(Operator::SpMV, extents(Operator::SpMV, 2, 2, 1), 1, Random(1));
    while (const auto schedule = search.next()) {
        search.know(*schedule, is_fixed_csr(*schedule) ? std::optional(1.0) : std::nullopt);
        ASSERT_LT(search.known_count(), 100'000U);
    }
    EXPECT_GT(search.known_count(), 20U);
}

} // namespace
} // namespace sparsight

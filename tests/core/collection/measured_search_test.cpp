#include "collection/measured_search.h"

#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_choice.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <algorithm>
#include <cmath>
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

} // namespace
} // namespace sparsight

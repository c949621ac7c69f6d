// Schedules as configurations of a space, and the lists of schedules that users choose.
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/search_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "support/spmm_schedule.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unordered_set>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr int threads = 8;

Extents extents_of(Operator op) {
    return extents(op, 5000, 3000, 256);
}

/// Of both generators, as they write them.
std::vector<SuperSchedule> some_schedules(Operator op) {
    Random random(3);
    std::vector<SuperSchedule> schedules =
        sample_waco(op, extents_of(op), 300, threads, random, FreeSplits::UpToDimension);
    const auto uniform = sample_uniform(op, extents_of(op), 300, threads, random);
    schedules.insert(schedules.end(), uniform.begin(), uniform.end());
    schedules.push_back(fixed_csr(op, threads));
    return schedules;
}

TEST(ScheduleConfiguration, IsUnpackedAsTheCanonicalScheduleThatWasPacked) {
    for (const Operator op : all_operators)
        for (const SuperSchedule& schedule : some_schedules(op)) {
            const Configuration packed = configuration_of(schedule);
            EXPECT_LE(packed.bytes().size(), Configuration::most_in_place);
            EXPECT_EQ(schedule_of(packed, threads), canonical(schedule));
            EXPECT_EQ(schedule_of(packed, 3).threads, 3);
        }
}

TEST(ScheduleConfiguration, IsTheSameHoweverTheScheduleIsWrittenAndWithAnyThreads) {
    SuperSchedule schedule = fixed_csr(Operator::SpMM, 4);
    std::swap(schedule.order[1], schedule.order[5]); // inner loops of indices that are not split
    ASSERT_NE(schedule, fixed_csr(Operator::SpMM, 4));
    EXPECT_EQ(configuration_of(schedule), configuration_of(fixed_csr(Operator::SpMM, 48)));
}

TEST(ScheduleConfiguration, KeepsTheLargestNumbers) {
    SuperSchedule schedule = fixed_csr(Operator::SDDMM, 1);
    schedule.splits.fill(maximum_split);
    schedule.chunk = maximum_chunk;
    ASSERT_TRUE(check(schedule));
    EXPECT_EQ(schedule_of(configuration_of(schedule), 1), canonical(schedule));
}

TEST(ScheduleConfiguration, ComparesAsTheScheduleDoes) {
    std::vector<SuperSchedule> schedules;
    for (const Operator op : all_operators)
        for (SuperSchedule schedule : some_schedules(op)) {
            schedule.threads = threads;
            schedules.push_back(canonical(schedule));
            schedule.chunk *= 300; // beyond one byte
            schedules.push_back(canonical(schedule));
        }
    Random random(5);
    for (int pair = 0; pair < 20'000; ++pair) {
        const SuperSchedule& one = random.pick(std::span<const SuperSchedule>(schedules));
        SuperSchedule other = random.pick(std::span<const SuperSchedule>(schedules));
        if (pair % 2 == 0) { // alike up to the last members
            other = one;
            other.chunk = 1 + static_cast<int>(random.below(1000));
        }
        EXPECT_EQ(configuration_of(one) <=> configuration_of(other), one <=> other);
    }
}

class SpaceOfSchedules : public ::testing::TestWithParam<Operator> {
protected:
    Operator op = GetParam();
    Extents reach = extents_of(op);
    ScheduleSpace space{op, reach};
};
INSTANTIATE_TEST_SUITE_P(Operators, SpaceOfSchedules, ::testing::ValuesIn(all_operators),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(SpaceOfSchedules, HasFixedCsrAsItsBaseline) {
    EXPECT_TRUE(is_fixed_csr(schedule_of(space.baseline().value(), threads)));
    EXPECT_TRUE(space.check(*space.baseline()));
}

TEST_P(SpaceOfSchedules, DrawsWhatTheUniformSamplerDraws) {
    Random one(7);
    Random other(7);
    EXPECT_EQ(schedules_of(space.sample(200, one), threads), sample_uniform(op, reach, 200, threads, other));
    EXPECT_EQ(one(), other()) << "the same numbers were drawn";
    EXPECT_THAT(space.sample(0, one), SizeIs(0));
}

TEST_P(SpaceOfSchedules, GivesFewerWhereThereAreNoMore) {
    const ScheduleSpace tiny(op, extents(op, 1, 1, 1));
    Random random(1);
    const auto all = tiny.sample(100'000, random);
    EXPECT_EQ(all.size(), SearchSpace(op, extents(op, 1, 1, 1), 1).size());
    EXPECT_THAT(std::unordered_set(all.begin(), all.end()), SizeIs(all.size()));
}

TEST_P(SpaceOfSchedules, HasOnlyValidNeighboursAndDrawsOneOfThem) {
    Random random(9);
    Configuration here = *space.baseline();
    for (int step = 0; step < 500; ++step) {
        const auto near = configurations_of(neighbours(schedule_of(here, threads), reach));
        Random same = random;
        const auto next = space.neighbour(here, random);
        ASSERT_TRUE(next);
        EXPECT_EQ(*next, same.pick(std::span(near)));
        EXPECT_NE(*next, here);
        EXPECT_TRUE(space.check(*next));
        here = *next;
    }
}

TEST_P(SpaceOfSchedules, MixesAsSchedulesAreMixed) {
    Random random(11);
    const auto parents = space.sample(200, random);
    int mixed = 0;
    for (std::size_t at = 0; at + 1 < parents.size(); ++at) {
        Random same = random;
        const auto child = space.mixture(parents[at], parents[at + 1], random);
        const auto expected =
            mixture(schedule_of(parents[at], threads), schedule_of(parents[at + 1], threads), same);
        ASSERT_EQ(child.has_value(), expected.has_value());
        EXPECT_EQ(random(), same()) << "what does not go together was drawn, too";
        if (!child)
            continue;
        EXPECT_EQ(schedule_of(*child, threads), *expected);
        EXPECT_TRUE(space.check(*child));
        ++mixed;
    }
    EXPECT_GT(mixed, 20);
}

TEST_P(SpaceOfSchedules, MeasuresHowFarDecisionsAreApart) {
    Random random(13);
    const auto some = space.sample(20, random);
    const std::vector<double> distances = space.distances(some);
    ASSERT_THAT(distances, SizeIs(some.size() * some.size()));
    for (std::size_t row = 0; row < some.size(); ++row)
        for (std::size_t col = 0; col < some.size(); ++col) {
            EXPECT_EQ(distances[row * some.size() + col], distances[col * some.size() + row]);
            EXPECT_DOUBLE_EQ(
                distances[row * some.size() + col],
                decision_distance(schedule_of(some[row], threads), schedule_of(some[col], threads)));
        }
    EXPECT_TRUE(space.distances({}).empty());
}

TEST_P(SpaceOfSchedules, RefusesWhatIsNoneOfItsSchedulesWithTheReason) {
    const auto error_of = [&](const Configuration& configuration) {
        const Result<void> checked = space.check(configuration);
        return checked ? std::string() : checked.error().message;
    };
    const Operator another = op == Operator::SpMM ? Operator::SpMV : Operator::SpMM;
    EXPECT_THAT(error_of(configuration_of(fixed_csr(another, 1))),
                HasSubstr(std::string("a schedule of ") + std::string(name(another))));
    SuperSchedule invalid = fixed_csr(op, 1);
    invalid.chunk = 0;
    EXPECT_THAT(error_of(configuration_of(invalid)), HasSubstr("chunk"));
    EXPECT_THAT(error_of(Configuration()), HasSubstr("no schedule"));
    const Configuration baseline = *space.baseline();
    const std::vector<std::byte> bytes(baseline.bytes().begin(), baseline.bytes().end());
    std::size_t refused = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::vector<std::byte> spoiled = bytes;
        spoiled[at] = std::byte{0xff};
        const Configuration other(spoiled);
        if (!space.check(other))
            ++refused;
        else // another split or chunk
            EXPECT_EQ(configuration_of(schedule_of(other, 1)), other) << "byte " << at;
    }
    EXPECT_GT(refused, bytes.size() / 2);
}

const Extents large_extents = extents(Operator::SpMM, 1000, 1000, 256);

TEST(ScheduleChoice, PutsFixedCsrFirstAndOnce) {
    const auto schedules =
        schedules_for(ListedSchedules{{fixed_csr(Operator::SpMM, 48), fixed_csr(Operator::SpMM, 48)}},
                      Operator::SpMM, "a", large_extents, 2);
    EXPECT_EQ(schedules, std::vector{fixed_csr(Operator::SpMM, 2)});
}

TEST(ScheduleChoice, ReplacesTheThreadsOfTheMachineThatTheListWasMadeFor) {
    const auto listed = *parse_schedule(Operator::SpMM, "4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8");
    const auto schedules = schedules_for(ListedSchedules{{listed}}, Operator::SpMM, "a", large_extents, 2);
    ASSERT_EQ(schedules.size(), 2U);
    EXPECT_EQ(schedules[1].threads, 2);
}

TEST(ScheduleChoice, DropsSchedulesThatMeanTheSame) {
    const auto one = *parse_schedule(Operator::SpMM, "1 4 16 i1 i0 k1 j1 k0 j0 1 1 0 1 i1 48 8");
    const auto same = *parse_schedule(Operator::SpMM, "1 4 16 i1 k1 j1 k0 i0 j0 1 0 0 1 i1 48 8");
    EXPECT_EQ(schedules_for(ListedSchedules{{one, same}}, Operator::SpMM, "a", large_extents, 2).size(), 2U);
}

TEST(ScheduleChoice, DrawsTheSameForTheSameMatrixAndSeedAndOtherwiseDifferent) {
    const auto draw = [&](std::uint64_t seed, const char* matrix) {
        return schedules_for(SampledSchedules{Sampler::Waco, 100, seed}, Operator::SpMM, matrix,
                             large_extents, 2);
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

} // namespace
} // namespace sparsight

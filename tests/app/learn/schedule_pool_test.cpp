#include "learn/schedule_pool.h"

#include "core/store/store_fixture.h"
#include "schedule/hash.h"
#include "schedule/sampler.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unordered_set>

namespace sparsight::testing {

using ::testing::Contains;

/// Two machines, on which some matrices took times that are in the order of their schedules.
class SchedulePool : public StoreTest {
protected:
    static constexpr int threads = 2;

    SchedulePool()
        : workspace_(create())
        , here_(must(recorded_machine(workspace_, "here")))
        , there_(must(recorded_machine(workspace_, "there"))) {}

    static Extents size() { return extents(Operator::SpMM, 200, 200, 32); }

    /// The fastest first.
    std::vector<SuperSchedule> measure(MachineId machine, const std::string& matrix, int count,
                                       std::uint64_t seed) {
        Random random(seed);
        auto schedules = sample_uniform(Operator::SpMM, size(), count, threads, random);
        must(in_one_transaction(workspace_, [&]() -> Result<void> {
            auto known = must(find_matrix(workspace_, matrix));
            const MatrixId id =
                known ? known->id : must(add_matrix(workspace_, {matrix, "test", {}}, pattern()));
            for (std::size_t place = 0; place < schedules.size(); ++place)
                must(record_measurement(workspace_, {id, machine, 32, "waco"}, schedules[place],
                                        measured(1 + static_cast<double>(place))));
            return {};
        }));
        return schedules;
    }
    std::vector<SuperSchedule> pool(std::size_t largest, const std::set<MatrixId>& without = {}) {
        const auto pools = must(SchedulePools::read(
            workspace_,
            {.op = Operator::SpMM, .dense = 32, .threads = threads, .machine = here_, .largest = largest}));
        return pools.pool_for(size(), without);
    }

    Workspace workspace_;
    MachineId here_;
    MachineId there_;

private:
    static CsrPattern pattern() {
        CsrPattern pattern{200, 200, std::vector<std::int64_t>(201, 0), {}, {}};
        return pattern;
    }
};

TEST_F(SchedulePool, TakesTurnsAmongTheMatricesOfTheMachineFirst) {
    const auto elsewhere = measure(there_, "a", 40, 1);
    const auto one = measure(here_, "b", 40, 2);
    const auto two = measure(here_, "c", 40, 3);
    const auto taken = pool(20'000);
    const auto expected = [](const SuperSchedule& schedule) { return canonical(schedule); };
    ASSERT_GT(taken.size(), 100U);
    EXPECT_EQ(taken[0], canonical(fixed_csr(Operator::SpMM, threads)));
    EXPECT_EQ(taken[1], expected(one[0]));
    EXPECT_EQ(taken[2], expected(two[0]));
    EXPECT_EQ(taken[3], expected(one[1]));
    EXPECT_EQ(taken[4], expected(two[1]));
    const auto place = [&](const SuperSchedule& schedule) {
        return std::ranges::find(taken, expected(schedule)) - taken.begin();
    };
    EXPECT_GT(place(elsewhere[0]), place(one[39])) << "what other machines know comes behind";
    EXPECT_LT(place(elsewhere[0]), std::ssize(taken));
    std::unordered_set<SuperSchedule> different(taken.begin(), taken.end());
    EXPECT_EQ(different.size(), taken.size()) << "each meaning once";
}

TEST_F(SchedulePool, IsNoLargerThanItMayBeAndHalfOfItWasCollected) {
    std::unordered_set<SuperSchedule> collected;
    for (int matrix = 0; matrix < 60; ++matrix)
        for (const SuperSchedule& schedule :
             measure(here_, fmt::format("m{}", matrix), 60, 10 + static_cast<std::uint64_t>(matrix)))
            collected.insert(canonical(schedule));
    constexpr std::size_t largest = 2400;
    const auto taken = pool(largest);
    EXPECT_EQ(taken.size(), largest);
    const auto known = std::ranges::count_if(
        taken, [&](const SuperSchedule& schedule) { return collected.contains(schedule); });
    EXPECT_GE(known, static_cast<std::ptrdiff_t>(largest / 2 - 1));
    for (std::size_t place = 1; place < largest / 2; ++place)
        EXPECT_TRUE(collected.contains(taken[place])) << place << ": neighbours come behind";
}

TEST_F(SchedulePool, KnowsNothingOfTheSearchedMatrix) {
    const auto own = measure(here_, "searched", 30, 1);
    measure(here_, "other", 30, 2);
    const auto searched = must(find_matrix(workspace_, "searched"))->id;
    EXPECT_THAT(pool(20'000), Contains(canonical(own[0])));
    const auto taken = pool(20'000, {searched});
    std::size_t known = 0;
    for (const SuperSchedule& schedule : own)
        known += std::ranges::count(taken, canonical(schedule)) > 0 ? 1U : 0U;
    EXPECT_LT(known, own.size() / 3) << "some are found by chance";
}

} // namespace sparsight::testing

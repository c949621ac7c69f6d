#include "schedule/hash.h"

#include "core/schedule/print_schedule.h"
#include "schedule/sampler.h"

#include <gtest/gtest.h>
#include <set>
#include <unordered_set>

namespace sparsight {
namespace {

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

} // namespace
} // namespace sparsight

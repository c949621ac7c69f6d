#include "machine/what_if/schedule_set.h"

#include "machine/machine_family.h"
#include "machine/machine_presets.h"
#include "machine/what_if/ranking.h"
#include "matrix/generators/generator.h"

#include <gmock/gmock.h>
#include <set>

namespace sparsight {
namespace {

using ::testing::Each;
using ::testing::Field;
using ::testing::SizeIs;

CsrPattern blocks() {
    return *generate_matrix("block-diagonal", {{"size", 600}}, 1);
}

TEST(ScheduleSet, BeginsWithFixedCsrAndTheKnownOnesEachMeaningOnce) {
    const CsrPattern pattern = blocks();
    SuperSchedule known = fixed_csr(Operator::SpMM, 8);
    known.chunk = 7;
    const auto set = schedule_set(ProfiledPattern(pattern),
                                  {Operator::SpMM, 64, {known, fixed_csr(Operator::SpMM, 4), known}, 20, 1});
    ASSERT_TRUE(set) << set.error().text();
    ASSERT_THAT(set->schedules, SizeIs(20));
    EXPECT_THAT(set->profiles, SizeIs(20));
    EXPECT_TRUE(is_fixed_csr(set->schedules[0]));
    EXPECT_EQ(set->schedules[1].chunk, 7);
    EXPECT_EQ(std::set(set->schedules.begin(), set->schedules.end()).size(), 20);
    EXPECT_THAT(set->schedules, Each(Field(&SuperSchedule::threads, all_threads)))
        << "a machine with more cores must be able to use them";
}

TEST(ScheduleSet, IsTheKnownOnesAloneWhereNoOthersAreAskedFor) {
    const CsrPattern pattern = blocks();
    SuperSchedule known = fixed_csr(Operator::SpMV, 8);
    known.chunk = 7;
    const auto set = schedule_set(ProfiledPattern(pattern), {Operator::SpMV, 1, {known}, 0, 1});
    ASSERT_TRUE(set);
    EXPECT_THAT(set->schedules, SizeIs(2));
}

TEST(ScheduleSet, HasSeveralThatWinOnSomeMachine) {
    const CsrPattern pattern = blocks();
    const auto set = schedule_set(ProfiledPattern(pattern), {.op = Operator::SpMM, .count = 12});
    ASSERT_TRUE(set);
    std::set<std::size_t> winners;
    for (const MachineDescription& machine : sample_machines(5, 60)) {
        const auto times = simulate(resolve_parameters(machine).values, set->profiles);
        winners.insert(*rank(times).winner());
    }
    EXPECT_GE(winners.size(), 4);
}

TEST(ScheduleSet, IsTheSameForTheSameSeedWhateverTheThreads) {
    const CsrPattern pattern = blocks();
    const ScheduleSetRequest request{.op = Operator::SDDMM, .dense = 32, .count = 10, .seed = 3};
    const auto one = schedule_set(ProfiledPattern(pattern), request);
    const auto three = schedule_set(ProfiledPattern(pattern), request, {.threads = 3});
    ASSERT_TRUE(one && three);
    EXPECT_EQ(one->schedules, three->schedules);
    for (std::size_t i = 0; i < one->profiles.size(); ++i)
        EXPECT_EQ(one->profiles[i].storage.bytes, three->profiles[i].storage.bytes);
}

TEST(ScheduleSet, EndsWithAnErrorWhenItIsStopped) {
    const CsrPattern pattern = blocks();
    std::stop_source stop;
    stop.request_stop();
    const auto set = schedule_set(ProfiledPattern(pattern), {}, {.stop = stop.get_token()});
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().fault, Fault::Cancelled);
}

TEST(ProfileAll, TellsWhichScheduleIsInvalid) {
    const CsrPattern pattern = blocks();
    SuperSchedule broken = fixed_csr(Operator::SpMM, 4);
    broken.chunk = 0;
    const std::vector<SuperSchedule> schedules{fixed_csr(Operator::SpMM, 4), broken};
    const auto profiles = profile_all(ProfiledPattern(pattern), schedules, 64, {.threads = 2});
    ASSERT_FALSE(profiles);
    EXPECT_EQ(profiles.error().fault, Fault::Input);
    EXPECT_THAT(profiles.error().message, ::testing::HasSubstr("chunk"));
}

TEST(ProfileAll, SaysHowFarItIs) {
    const CsrPattern pattern = blocks();
    const std::vector<SuperSchedule> schedules(3, fixed_csr(Operator::SpMM, 4));
    std::vector<std::uint64_t> done;
    ASSERT_TRUE(
        profile_all(ProfiledPattern(pattern), schedules, 64, {.progress = [&](const Progress& progress) {
                        EXPECT_EQ(progress.total, 3);
                        done.push_back(progress.done);
                    }}));
    EXPECT_THAT(done, ::testing::ElementsAre(1, 2, 3));
}

} // namespace
} // namespace sparsight

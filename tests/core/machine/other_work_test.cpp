#include "core/machine/fake_system.h"
#include "machine/other_work.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

constexpr Seconds tick(0.01);

TEST(OtherWork, ReadsWhatTheProcessorsOfThisProcessDid) {
    const testing::FakeSystem system;
    system.write("proc/stat", "cpu  999 0 0 999 0 0 0 0 0 0\n"
                              "cpu0 100 20 30 800 40 1 2 7 50 0\n"
                              "cpu1 0 0 0 1000 0 0 0 0 0 0\n"
                              "cpu10 500 0 0 500 0 0 0 0 0 0\n"
                              "intr 1 2 3");
    const SystemFiles files(system.root());
    const auto first = processor_time(files, {0}, tick);
    ASSERT_TRUE(first.has_value());
    EXPECT_NEAR(first->busy.count(), 1.6, 1e-9) << "all but idle and waiting for a disk; stolen time counts";
    EXPECT_NEAR(first->total.count(), 10, 1e-9) << "guests are part of user time";
    EXPECT_NEAR(processor_time(files, {0, 1}, tick)->total.count(), 20, 1e-9);
    EXPECT_NEAR(processor_time(files, {1}, tick)->busy.count(), 0, 1e-9) << "cpu10 is another";
    EXPECT_FALSE(processor_time(files, {0, 2}, tick).has_value());
    EXPECT_FALSE(processor_time(SystemFiles("/nowhere"), {0}, tick).has_value());
}

TEST(OtherWork, IsWhatNeitherWasIdleNorOurs) {
    const ProcessorTime before{Seconds(5), Seconds(20)};
    const ProcessorTime after{Seconds(11), Seconds(28)};
    EXPECT_DOUBLE_EQ(share_of_others(before, after, Seconds(2)).value_or(-1), 0.5);
    EXPECT_DOUBLE_EQ(share_of_others(before, after, Seconds(6.01)).value_or(-1), 0);
    EXPECT_FALSE(share_of_others(before, before, Seconds(0)).has_value());
}

} // namespace
} // namespace sparsight

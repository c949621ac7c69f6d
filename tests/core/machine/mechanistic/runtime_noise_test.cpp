#include "machine/mechanistic/runtime_noise.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace sparsight {
namespace {

std::vector<double> drawn(double sigma, int count) {
    Random random(3);
    std::vector<double> times;
    for (int n = 0; n < count; ++n)
        times.push_back(measured_with_noise(2.0, sigma, random));
    std::ranges::sort(times);
    return times;
}

TEST(RuntimeNoise, OfNothingIsTheTimeItself) {
    for (const double time : drawn(0, 100))
        EXPECT_EQ(time, 2.0);
}

TEST(RuntimeNoise, LeavesTheMedianNearTheTimeAndHasALongTailAbove) {
    const std::vector<double> times = drawn(0.1, 20'001);
    EXPECT_NEAR(times[10'000], 2.0, 0.05);
    const double below = 2.0 / times[200];    // a hundredth below
    const double above = times[19'800] / 2.0; // and above
    EXPECT_LT(below, 1.4);
    EXPECT_GT(above, 1.8);
    EXPECT_GT(times.front(), 0);
}

} // namespace
} // namespace sparsight

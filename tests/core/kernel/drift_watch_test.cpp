#include "kernel_cases.h"

#include "kernel/drift_watch.h"

#include <gtest/gtest.h>
#include <memory>

namespace sparsight {
namespace {

double drift(std::initializer_list<double> milliseconds) {
    std::vector<Milliseconds> times;
    for (const double time : milliseconds)
        times.emplace_back(time);
    return relative_drift(times);
}

TEST(RelativeDrift, IsTwiceTheSpreadAsAShareOfTheMedian) {
    EXPECT_DOUBLE_EQ(drift({}), 0);
    EXPECT_DOUBLE_EQ(drift({3}), 0) << "one time says nothing about drift";
    EXPECT_DOUBLE_EQ(drift({12, 9, 10}),
                     2 * spread_of({Milliseconds(12), Milliseconds(9), Milliseconds(10)}).count() / 10);
    EXPECT_DOUBLE_EQ(drift({0, 0, 0}), 0);
}

TEST(RelativeDrift, IsNotMovedByASingleDisturbedLook) {
    EXPECT_DOUBLE_EQ(drift({10, 10, 50, 11, 10}), 0);
    EXPECT_GT(drift({10, 20, 20, 11, 20, 10, 12}), 0.3) << "a slow phase is no single look";
}

class Watching : public ::testing::Test {
protected:
    Workload workload_ = [] {
        Random random(5);
        return *Workload::make(testing::random_pattern(300, 200, 0.05, random), Operator::SDDMM, 32, 2);
    }();
    KernelCompiler compiler_ = *KernelCompiler::make();
    Team team_{2};
    std::shared_ptr<double> now_ = std::make_shared<double>(0);
    double run_time_ = 1;

    /// Each question is one run later.
    DriftWatch watch() {
        return *DriftWatch::make(workload_, compiler_, team_, [this] {
            *now_ += run_time_;
            return Milliseconds(*now_);
        });
    }
};

TEST_F(Watching, SeesNoDriftWhereThereIsNone) {
    EXPECT_DOUBLE_EQ(watch().relative(), 0);
}

TEST_F(Watching, SeesAComputerThatBecameSlower) {
    DriftWatch watch = this->watch();
    run_time_ = 1.5;
    for (int look = 0; look < 3; ++look) {
        *now_ += 1000;
        ASSERT_TRUE(watch.look().has_value());
    }
    EXPECT_GT(watch.relative(), 0.3) << "three times 1 and three times 1.5";
}

TEST_F(Watching, DoesNotLookMoreOftenThanItsShareOfTheTime) {
    DriftWatch watch = this->watch();
    run_time_ = 1.5;
    for (int look = 0; look < 3; ++look)
        ASSERT_TRUE(watch.look().has_value());
    EXPECT_DOUBLE_EQ(watch.relative(), 0) << "it has just looked";
}

} // namespace
} // namespace sparsight

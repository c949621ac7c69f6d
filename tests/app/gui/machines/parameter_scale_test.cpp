#include "gui/page/parameter_scale.h"
#include "gui/page/parameter_words.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace sparsight {
namespace {

TEST(ParameterScale, ReachesBothEndsOfEveryRangeAndRises) {
    for (const ParameterInfo& info : all_parameters()) {
        const ParameterScale scale(info);
        EXPECT_EQ(scale.value_at(0), info.lowest) << info.key;
        EXPECT_EQ(scale.value_at(scale.last_stop()), info.highest) << info.key;
        EXPECT_GT(scale.last_stop(), 14) << info.key;
        for (int stop = 1; stop <= scale.last_stop(); ++stop)
            ASSERT_GT(scale.value_at(stop), scale.value_at(stop - 1)) << info.key << stop;
    }
}

TEST(ParameterScale, FindsTheNearestStop) {
    for (const ParameterInfo& info : all_parameters()) {
        const ParameterScale scale(info);
        for (int stop = 0; stop <= scale.last_stop(); ++stop) {
            EXPECT_EQ(scale.stop_of(scale.value_at(stop)), stop) << info.key;
            EXPECT_EQ(scale.stop_of(scale.value_at(stop) * 1.0001), stop) << info.key;
        }
        EXPECT_EQ(scale.stop_of(2 * info.highest), scale.last_stop()) << info.key;
        EXPECT_EQ(scale.stop_of(info.lowest - 1), 0) << info.key;
    }
}

TEST(ParameterScale, GoesByFactorsInNumbersThatPeopleRead) {
    const ParameterScale latency(parameter_info(MachineParameter::MemoryLatency)); // 5 to 5000 ns
    EXPECT_NEAR(latency.value_at(latency.last_stop() / 3), 50, 2);
    EXPECT_NEAR(latency.value_at(2 * latency.last_stop() / 3), 500, 20);
    constexpr double kib = 1024;
    const ParameterScale cache(parameter_info(MachineParameter::L2Bytes), kib);
    const double shown = cache.value_at(cache.last_stop() / 2) / kib;
    EXPECT_NEAR(shown * 10, std::round(shown * 10), 1e-6);
}

TEST(ParameterScale, StopsAtEverySmallCount) {
    const ParameterScale cores(parameter_info(MachineParameter::Cores));
    for (int stop = 0; stop < 32; ++stop)
        EXPECT_EQ(cores.value_at(stop), stop + 1);
    const ParameterScale registers(parameter_info(MachineParameter::Accumulators));
    EXPECT_EQ(registers.value_at(0), 0);
    EXPECT_EQ(registers.value_at(1), 1);
}

TEST(ParameterWords, NameEveryParameterByAWordOfItsOwn) {
    std::set<QString> names;
    for (const ParameterInfo& info : all_parameters()) {
        const ParameterWords words = parameter_words(info.parameter);
        EXPECT_TRUE(names.insert(words.name).second) << info.key;
        EXPECT_GT(words.factor, 0) << info.key;
        EXPECT_EQ(words.unit.isEmpty(), info.unit.empty() && words.unit != QStringLiteral("×")) << info.key;
    }
}

TEST(ParameterWords, WriteAValueWithTheUnitThatIsRead) {
    EXPECT_EQ(parameter_text(MachineParameter::Cores, 64), QStringLiteral("64"));
    EXPECT_EQ(parameter_text(MachineParameter::L2Bytes, 512 << 10), QStringLiteral("512 KiB"));
    EXPECT_EQ(parameter_text(MachineParameter::ClockRate, 3.7), QStringLiteral("3.70 GHz"));
}

} // namespace
} // namespace sparsight

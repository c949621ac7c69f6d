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
        EXPECT_EQ(scale.value_at(ParameterScale::last_stop), info.highest) << info.key;
        for (int stop = 1; stop <= ParameterScale::last_stop; ++stop)
            ASSERT_GE(scale.value_at(stop), scale.value_at(stop - 1)) << info.key << stop;
    }
}

TEST(ParameterScale, FindsTheStopOfAValueAgain) {
    for (const ParameterInfo& info : all_parameters()) {
        const ParameterScale scale(info);
        for (int stop = 0; stop <= ParameterScale::last_stop; ++stop) {
            const double value = scale.value_at(stop);
            EXPECT_NEAR(scale.value_at(scale.stop_of(value)), value, 0.02 * value) << info.key << stop;
        }
    }
}

TEST(ParameterScale, GoesByFactorsInNumbersThatPeopleRead) {
    const ParameterScale latency(parameter_info(MachineParameter::MemoryLatency)); // 5 to 5000 ns
    EXPECT_EQ(latency.value_at(ParameterScale::last_stop / 3), 49.7);
    const ParameterScale cores(parameter_info(MachineParameter::Cores));
    EXPECT_EQ(cores.value_at(ParameterScale::last_stop / 2), 32);
    constexpr double kib = 1024;
    const ParameterScale cache(parameter_info(MachineParameter::L2Bytes), kib);
    const double shown = cache.value_at(ParameterScale::last_stop / 2) / kib;
    EXPECT_EQ(shown, std::round(shown * 10) / 10);
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

#include "machine/what_if/parameter_range.h"

#include "machine/machine_presets.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using P = MachineParameter;

TEST(UsualRange, OfEveryParameterIsWithinWhatItAccepts) {
    for (const ParameterInfo& info : all_parameters()) {
        const ParameterRange range = usual_range(info.parameter);
        EXPECT_GT(range.lowest, 0) << info.key;
        EXPECT_GE(range.lowest, std::min(info.lowest, range.lowest)) << info.key;
        EXPECT_LT(range.lowest, range.highest) << info.key;
        EXPECT_LE(range.highest, info.highest) << info.key;
    }
}

TEST(UsualRange, HoldsEveryValueOfEveryPreset) {
    for (const MachinePreset& preset : machine_presets()) {
        const MachineParameters machine = resolve_parameters(preset.machine).values;
        for (const ParameterInfo& info : all_parameters()) {
            const double value = machine[info.parameter];
            const ParameterRange range = usual_range(info.parameter, value);
            if (value > 0) {
                EXPECT_LE(range.lowest, value) << info.key << " of " << preset.key;
                EXPECT_GE(range.highest, value) << info.key << " of " << preset.key;
            }
        }
    }
}

TEST(UsualRange, IsWidenedByAValueOutsideOfIt) {
    EXPECT_EQ(usual_range(P::Cores), (ParameterRange{1, 128}));
    EXPECT_EQ(usual_range(P::Cores, 512), (ParameterRange{1, 512}));
    EXPECT_EQ(usual_range(P::SocketBandwidth, 2), (ParameterRange{2, 400}));
    EXPECT_EQ(usual_range(P::L3Bytes, 0), usual_range(P::L3Bytes)) << "no cache has no place on a log scale";
}

TEST(StepsOver, AreTheSameFactorApartAndHaveBothEnds) {
    EXPECT_THAT(steps_over(P::SocketBandwidth, {5, 80}, 5), ElementsAre(5, 10, 20, 40, 80));
}

TEST(StepsOver, CountInWholeNumbersWithoutRepeatingOne) {
    EXPECT_THAT(steps_over(P::Cores, {1, 4}, 9), ElementsAre(1, 2, 3, 4));
}

TEST(StepsOver, LanesArePowersOfTwo) {
    EXPECT_THAT(steps_over(P::Lanes, {1, 16}, 32), ElementsAre(1, 2, 4, 8, 16));
}

} // namespace
} // namespace sparsight

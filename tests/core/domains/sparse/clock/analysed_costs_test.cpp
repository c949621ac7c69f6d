#include "domains/sparse/clock/analysed_costs.h"

#include "domains/sparse/clock/instruction_cost.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/simulator/mechanistic_simulator.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "machine/machine_presets.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using P = MachineParameter;

bool has_x86() {
    return !analysed_processors("x86_64").empty();
}

TEST(AnalysedCosts, ReplaceWhatTheHeaderSaysAndNothingElse) {
    if (!has_x86())
        GTEST_SKIP() << "LLVM was built without x86_64";
    const MachineDescription before = find_machine_preset("epyc-7543")->machine;
    MachineDescription after = before;
    const auto set = set_analysed_costs(after, "znver3");
    ASSERT_TRUE(set) << set.error().message;
    EXPECT_EQ(*set, "znver3");
    const MachineParameters was = resolve_parameters(before).values;
    const MachineParameters is = resolve_parameters(after).values;
    for (const ParameterInfo& info : all_parameters()) {
        if (std::ranges::count(analysed_parameters(), info.parameter) == 0) {
            EXPECT_EQ(is[info.parameter], was[info.parameter]) << info.key;
        }
    }
    EXPECT_EQ(after.coefficients.size(), before.coefficients.size() + analysed_parameters().size());
}

TEST(AnalysedCosts, AreOfTheSizeOfTheTypicalOnes) {
    if (!has_x86())
        GTEST_SKIP() << "LLVM was built without x86_64";
    for (const char* cpu : {"haswell", "skylake-avx512", "znver3"}) {
        const auto costs = analysed_costs(cpu);
        ASSERT_TRUE(costs) << costs.error().message;
        for (const auto& [parameter, cycles] : costs->cycles) {
            EXPECT_GT(cycles, 0) << cpu << " " << parameter_info(parameter).key;
            EXPECT_LT(cycles, 5 * parameter_info(parameter).typical)
                << cpu << " " << parameter_info(parameter).key;
        }
        EXPECT_GT(costs->cycles.at(P::UpdatedVector), costs->cycles.at(P::TiledVector))
            << cpu << ": it loads and stores C";
    }
}

TEST(AnalysedCosts, OlderProcessorsTakeLongerForTheSameSchedule) {
    if (!has_x86())
        GTEST_SKIP() << "LLVM was built without x86_64";
    const auto old = analysed_costs("x86-64");
    const auto young = analysed_costs("znver3");
    ASSERT_TRUE(old && young);
    // A vector of SSE2 holds half of one of AVX2 and needs two instructions for what the other does in one.
    EXPECT_GT(2 * old->cycles.at(P::TiledVector), 1.5 * young->cycles.at(P::TiledVector));
}

TEST(AnalysedCosts, NameTheProcessorOfThisComputer) {
    const auto native = analysed_costs("native");
    if (!native)
        GTEST_SKIP() << native.error().message;
    EXPECT_NE(native->cpu, "native");
    EXPECT_EQ(analysed_costs(native->cpu)->cycles, native->cycles);
}

TEST(AnalysedCosts, RefuseAMachineWithOtherVectors) {
    if (!has_x86())
        GTEST_SKIP() << "LLVM was built without x86_64";
    MachineDescription machine = find_machine_preset("epyc-7543")->machine;
    const auto refused = set_analysed_costs(machine, "skylake-avx512");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, ::testing::HasSubstr("16"));
    EXPECT_EQ(machine, find_machine_preset("epyc-7543")->machine);
}

} // namespace
} // namespace sparsight

#include "app/cli/cli_fixture.h"

namespace sparsight::testing {

using ::testing::HasSubstr;

class MachineCode : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        if (run({"machine", "code", "--cpu", "znver3", "--costs"}).exit_code != 0)
            GTEST_SKIP() << "LLVM was built without x86_64";
    }

    static constexpr const char* csr = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32";
};

TEST_F(MachineCode, ShowsWhatEachLoopCostsOnTheProcessor) {
    const Json shown = answer({"machine", "code", csr, "--cpu", "znver3", "--dense", "64"});
    EXPECT_EQ(keys(shown),
              (Words{"cpu", "architecture", "lanes", "schedule", "operator", "extents", "loops"}));
    EXPECT_EQ(shown["cpu"], "znver3");
    EXPECT_EQ(shown["lanes"], 8);
    EXPECT_EQ(shown["extents"]["j"], 64);
    ASSERT_EQ(shown["loops"].size(), 2);
    EXPECT_EQ(keys(shown["loops"][0]), (Words{"loop", "depth", "innermost", "instructions", "cycles",
                                              "multiply_adds", "vector_bits", "bottleneck"}));
    EXPECT_EQ(shown["loops"][1]["multiply_adds"], 64);
    EXPECT_EQ(shown["loops"][1]["vector_bits"], 256);
    const Outcome text = run({"machine", "code", csr, "--cpu", "znver3", "--dense", "64"});
    EXPECT_THAT(text.out, HasSubstr("256 bits"));
    EXPECT_EQ(text.err, "");
}

TEST_F(MachineCode, PrintsTheAssemblyAsJsonToo) {
    const Json shown = answer({"machine", "code", csr, "--cpu", "znver3", "--assembly"});
    EXPECT_EQ(keys(shown), (Words{"cpu", "architecture", "assembly"}));
    EXPECT_EQ(run({"machine", "code", csr, "--cpu", "znver3", "--assembly"}).out, shown["assembly"]);
    EXPECT_EQ(run({"machine", "code", "--costs", "--assembly"}).exit_code, 2) << "one or the other";
}

TEST_F(MachineCode, RefusesAnUnknownProcessorAndNamesTheOthers) {
    const Outcome refused = run({"machine", "code", csr, "--cpu", "pentium-9"});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("pentium-9"));
    EXPECT_THAT(refused.err, HasSubstr("skylake-avx512"));
}

TEST_F(MachineCode, IsWhatASimulationTakesForAMachineOfItsOwn) {
    ASSERT_EQ(run({"new"}).exit_code, 0);
    ASSERT_EQ(run({"simulate", "uniform", "--param", "rows=64", "--param", "cols=64"}).exit_code, 0);
    const Json simulated =
        answer({"simulate-runtimes", "epyc-7543", "--schedules", "2", "--instruction-costs", "znver3"});
    EXPECT_EQ(simulated[0]["machine"], "EPYC 7543 (simulated, code of znver3)");
    const Json costs = answer({"machine", "code", "--costs", "--cpu", "znver3"})["costs"];
    const Json machine = answer({"machine", "show", "EPYC 7543 (simulated, code of znver3)"});
    for (const Json& parameter : machine["parameters"])
        if (costs.contains(parameter["key"])) {
            EXPECT_DOUBLE_EQ(parameter["value"].get<double>(), costs[parameter["key"]].get<double>());
        }
    EXPECT_EQ(run({"simulate-runtimes", "epyc-7543", "--instruction-costs", "skylake-avx512"}).exit_code, 1)
        << "its vectors are longer";
    EXPECT_EQ(run({"simulate-runtimes", "--sampled", "--instruction-costs", "znver3"}).exit_code, 2)
        << "those machines have costs of their own";
}

} // namespace sparsight::testing

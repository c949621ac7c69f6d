// What instructions of a kernel cost, counted by hand and as LLVM analyses them.
#include "domains/sparse/clock/analysed_costs.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "machine/machine_presets.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <sstream>
#include <string>
#include <vector>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

constexpr const char* no_x86 = "LLVM was built without x86_64";
constexpr const char* no_arm = "LLVM was built without aarch64";

bool has(const char* architecture) {
    return !analysed_processors(architecture).empty();
}

std::vector<InstructionCost> costs(const char* cpu, const SuperSchedule& schedule, std::int64_t dense,
                                   std::int64_t rows = 4096, const MeanFill& fill = {}) {
    const auto analyser = CodeAnalyser::make(cpu);
    if (!analyser)
        throw std::runtime_error(analyser.error().message);
    const auto costs =
        analyser->analyse(lower(schedule, extents(schedule.op, rows, rows, dense), analyser->target(), fill));
    if (!costs)
        throw std::runtime_error(costs.error().message);
    return *costs;
}

InstructionCost innermost(const std::vector<InstructionCost>& costs) {
    return *std::ranges::max_element(costs, {}, &InstructionCost::multiply_adds);
}

double cycles_a_float(const InstructionCost& cost) {
    return cost.cycles / cost.multiply_adds;
}

/// k i j with C in memory: nothing waits for what was added before.
SuperSchedule by_columns() {
    return *parse_schedule(Operator::SpMM, "1 1 1 k1 k0 i1 i0 j1 j0 0 1 1 1 i1 1 32");
}

TEST(InstructionCost, AVectorisedLoopOver16FloatsCostsLessAFloatWithAvx512ThanWithSse2) {
    if (!has("x86_64"))
        GTEST_SKIP() << no_x86;
    const InstructionCost wide = innermost(costs("skylake-avx512", by_columns(), 16));
    const InstructionCost narrow = innermost(costs("x86-64", by_columns(), 16)); // which is SSE2
    EXPECT_EQ(wide.multiply_adds, 16);
    EXPECT_EQ(narrow.multiply_adds, 16);
    EXPECT_EQ(wide.vector_bits, 512);
    EXPECT_EQ(narrow.vector_bits, 128);
    EXPECT_LT(cycles_a_float(wide), 0.7 * cycles_a_float(narrow));
}

TEST(InstructionCost, OneVectorOfSumsWaitsForItselfHoweverLongItIs) {
    if (!has("x86_64"))
        GTEST_SKIP() << no_x86;
    const InstructionCost wide = innermost(costs("skylake-avx512", fixed_csr(Operator::SpMM, 1), 16));
    EXPECT_NEAR(wide.cycles, 4, 0.5) << "the latency of a fused multiply-add";
    EXPECT_EQ(wide.bottleneck, "waiting for results");
}

TEST(InstructionCost, KnowsLoopsByTheNamesOfTheSchedule) {
    if (!has("x86_64"))
        GTEST_SKIP() << no_x86;
    const auto loops = costs("znver3", fixed_csr(Operator::SpMM, 1), 64);
    ASSERT_EQ(loops.size(), 2U);
    EXPECT_EQ(loops[0].loop, "i");
    EXPECT_EQ(loops[0].depth, 0);
    EXPECT_FALSE(loops[0].innermost);
    EXPECT_EQ(loops[0].multiply_adds, 0);
    EXPECT_EQ(loops[1].loop, "k");
    EXPECT_EQ(loops[1].depth, 1);
    EXPECT_TRUE(loops[1].innermost);
    EXPECT_EQ(loops[1].multiply_adds, 64) << "j is unrolled";
    EXPECT_EQ(loops[1].vector_bits, 256);
}

TEST(InstructionCost, SeesEveryLoopOfASplitNestOnce) {
    if (!has("x86_64"))
        GTEST_SKIP() << no_x86;
    const auto schedule = parse_schedule(Operator::SpMM, "16 16 32 i1 k1 j1 i0 k0 j0 1 0 0 1 i1 2 4");
    ASSERT_TRUE(schedule) << schedule.error().message;
    std::vector<std::string> names;
    for (const InstructionCost& loop : costs("znver3", *schedule, 64))
        names.push_back(loop.loop);
    EXPECT_THAT(names, ::testing::UnorderedElementsAre("i1", "k1", "j1", "i0", "k0"));
}

TEST(InstructionCost, ALoopTakesLongerTheMoreItComputes) {
    if (!has("x86_64"))
        GTEST_SKIP() << no_x86;
    double before = 0;
    for (const std::int64_t dense : {8, 32, 64}) {
        const InstructionCost cost = innermost(costs("haswell", by_columns(), dense));
        EXPECT_GT(cost.cycles, 1.3 * before) << dense;
        before = cost.cycles;
    }
    EXPECT_LT(before, 64) << "vectors of eight take less than a cycle a float";
}

TEST(InstructionCost, ALoopThatAddsIntoOneNumberWaitsForIt) {
    if (!has("x86_64"))
        GTEST_SKIP() << no_x86;
    const MeanFill short_rows{4096, 3};
    const InstructionCost dot =
        innermost(costs("skylake-avx512", fixed_csr(Operator::SpMV, 1), 1, 4096, short_rows));
    EXPECT_EQ(dot.multiply_adds, 1);
    EXPECT_EQ(dot.vector_bits, 0);
    EXPECT_EQ(dot.bottleneck, "waiting for results");
    EXPECT_NEAR(dot.cycles, 4, 0.5) << "the latency of a fused multiply-add";
}

TEST(InstructionCost, LongRowsAreAddedIntoFourNumbersInTurn) {
    if (!has("x86_64"))
        GTEST_SKIP() << no_x86;
    const InstructionCost dot = innermost(costs("skylake-avx512", fixed_csr(Operator::SpMV, 1), 1));
    EXPECT_EQ(dot.multiply_adds, 4);
    EXPECT_LT(dot.cycles / 4, 2);
}

/// The lines of the loop that hold an instruction: neither labels nor comments nor directives.
int instruction_lines(const std::string& assembly) {
    int count = 0;
    std::istringstream lines(assembly);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find_first_not_of(" \t");
        count += first != std::string::npos && line[0] == '\t' && line[first] != '.' && line[first] != '#';
    }
    return count;
}

void expect_to_be_the_hot_loop_of(const SuperSchedule& schedule, std::int64_t dense, const char* loop) {
    const auto analyser = CodeAnalyser::make("skylake-avx512");
    ASSERT_TRUE(analyser) << analyser.error().message;
    const auto code =
        analyser->analyse_code(lower(schedule, extents(schedule.op, 4096, 4096, dense), analyser->target()));
    ASSERT_TRUE(code) << code.error().message;
    const InstructionCost* const hot = hot_loop(code->loops);
    ASSERT_NE(hot, nullptr);
    EXPECT_EQ(hot->loop, loop);
    EXPECT_TRUE(hot->innermost);
    EXPECT_THAT(code->assembly, HasSubstr(hot->assembly));
    EXPECT_LT(hot->assembly.size(), code->assembly.size() / 2) << "not the whole function";
    EXPECT_EQ(instruction_lines(hot->assembly), hot->instructions);
    EXPECT_THAT(hot->assembly, HasSubstr("vfmadd"));
    const std::string label = hot->assembly.substr(0, hot->assembly.find(':'));
    EXPECT_THAT(label, ::testing::StartsWith(".LBB"));
    const std::size_t last_line = hot->assembly.rfind('\n', hot->assembly.size() - 2);
    EXPECT_THAT(hot->assembly.substr(last_line + 1), HasSubstr(label)) << "it branches back";
}

TEST(InstructionCost, FindsTheHotLoopOfFixedCsrInTheAssembly) {
    if (!has("x86_64"))
        GTEST_SKIP() << no_x86;
    expect_to_be_the_hot_loop_of(fixed_csr(Operator::SpMM, 1), 64, "k");
    expect_to_be_the_hot_loop_of(fixed_csr(Operator::SpMV, 1), 1, "k");
}

TEST(InstructionCost, FindsTheHotLoopOfABlockedScheduleInTheAssembly) {
    if (!has("x86_64"))
        GTEST_SKIP() << no_x86;
    const auto blocks = parse_schedule(Operator::SpMM, "4 1 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 1 8");
    ASSERT_TRUE(blocks) << blocks.error().message;
    expect_to_be_the_hot_loop_of(*blocks, 64, "k");
}

TEST(InstructionCost, HasNoHotLoopWhereNoLoopComputes) {
    EXPECT_EQ(hot_loop({}), nullptr);
    const std::vector<InstructionCost> counting(2);
    EXPECT_EQ(hot_loop(counting), nullptr);
}

TEST(InstructionCost, AnalysesCodeForAnotherArchitecture) {
    if (!has("aarch64"))
        GTEST_SKIP() << no_arm;
    const auto analyser = CodeAnalyser::make("neoverse-n1");
    ASSERT_TRUE(analyser) << analyser.error().message;
    EXPECT_EQ(analyser->architecture(), "aarch64");
    EXPECT_EQ(analyser->target().lanes, 4);
    const auto loops = costs("neoverse-n1", fixed_csr(Operator::SpMM, 1), 16);
    ASSERT_EQ(loops.size(), 2U);
    EXPECT_EQ(loops[1].multiply_adds, 16);
    EXPECT_EQ(loops[1].vector_bits, 128);
    EXPECT_GE(loops[1].cycles, 2) << "four multiply-adds on two units";
    EXPECT_LT(loops[1].cycles, 16);
}

TEST(InstructionCost, RefusesAnUnknownProcessorAndNamesThoseThatThereAre) {
    const auto unknown = CodeAnalyser::make("pentium-9");
    ASSERT_FALSE(unknown);
    if (has("x86_64")) {
        EXPECT_EQ(unknown.error().fault, Fault::Input);
        EXPECT_THAT(unknown.error().message, HasSubstr("znver3"));
        EXPECT_THAT(unknown.error().message, HasSubstr("skylake-avx512"));
    }
    if (has("aarch64")) {
        EXPECT_THAT(unknown.error().message, HasSubstr("neoverse-n1"));
    }
    EXPECT_THAT(unknown.error().message, HasSubstr("pentium-9"));
}

TEST(InstructionCost, RefusesProcessorsOf32Bits) {
    if (!has("x86_64"))
        GTEST_SKIP() << no_x86;
    EXPECT_FALSE(CodeAnalyser::make("i486"));
    EXPECT_EQ(std::ranges::count(analysed_processors("x86_64"), "i486"), 0);
}

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

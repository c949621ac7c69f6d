// What each line of a loop nest costs: counted by hand on small nests, and never more or less than the whole.
#include "base/random.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/simulator/line_costs.h"
#include "domains/sparse/tensor/generators/generator.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using P = MachineParameter;

MachineParameters one_core() {
    MachineDescription machine;
    machine.cores = machine.threads = 1;
    return resolve_parameters(machine).values;
}

MachineParameters many_cores() {
    MachineDescription machine;
    machine.cores = machine.threads = 16;
    return resolve_parameters(machine).values;
}

LineCosts costs_of(const SuperSchedule& schedule, const CsrPattern& pattern, std::int64_t dense,
                   const MachineParameters& machine) {
    const auto profile = ProfiledPattern(pattern).profile(schedule, dense);
    EXPECT_TRUE(profile);
    return line_costs(schedule, extents(schedule.op, pattern.rows, pattern.cols, dense), *profile, machine);
}

std::vector<CostedLine> with_role(const LineCosts& costs, LineRole role) {
    std::vector<CostedLine> found;
    std::ranges::copy_if(costs.lines, std::back_inserter(found),
                         [&](const CostedLine& costed) { return costed.line.role == role; });
    return found;
}

double count(const CostedLine& line, P kind) {
    const auto found = std::ranges::find(line.instructions, kind, &LineInstructions::cycles);
    return found == line.instructions.end() ? 0 : found->count;
}

/// Rows of 2, 2, 0 and 1 entries.
CsrPattern five_entries() {
    CsrPattern pattern;
    pattern.rows = 4;
    pattern.cols = 3;
    pattern.row_pointers = {0, 2, 4, 4, 5};
    pattern.column_ids = {0, 2, 1, 2, 0};
    return pattern;
}

CsrPattern large_matrix() {
    return *generate_matrix("uniform", {{"rows", 3000}, {"cols", 3000}, {"density", 0.004}}, 3);
}

TEST(LineCosts, CountFixedCsrByHand) {
    const LineCosts costs = costs_of(fixed_csr(Operator::SpMV, 1), five_entries(), 1, one_core());
    const auto loops = with_role(costs, LineRole::Loop);
    ASSERT_EQ(loops.size(), 2U);
    EXPECT_THAT(loops[0].line.text, ::testing::HasSubstr("for (int64_t i = 0; i < 4; ++i)"));
    EXPECT_EQ(loops[0].runs, 4);
    EXPECT_EQ(count(loops[0], P::DenseStart), 1);
    EXPECT_EQ(count(loops[0], P::DenseIteration), 4);
    EXPECT_EQ(loops[1].runs, 5);
    EXPECT_EQ(count(loops[1], P::CompressedStart), 4) << "once for each row";
    EXPECT_EQ(count(loops[1], P::MispredictedExit), 2) << "no entry after two, one entry after none";
    EXPECT_EQ(count(loops[1], P::CompressedIteration), 0) << "they read crd, which stands below";
    const auto coordinate = with_role(costs, LineRole::Coordinate);
    ASSERT_EQ(coordinate.size(), 1U);
    EXPECT_EQ(count(coordinate[0], P::CompressedIteration), 5);
    const auto update = with_role(costs, LineRole::Update);
    ASSERT_EQ(update.size(), 1U);
    EXPECT_EQ(count(update[0], P::TiledScalar), 5);
    EXPECT_EQ(update[0].cycles, 5 * one_core()[P::TiledScalar]);
    const auto store = with_role(costs, LineRole::Store);
    ASSERT_EQ(store.size(), 1U);
    EXPECT_EQ(count(store[0], P::TileVector), 4);
}

TEST(LineCosts, AreTheLinesOfThePrintedNest) {
    const SuperSchedule schedule = fixed_csr(Operator::SpMM, 4);
    const LineCosts costs = costs_of(schedule, five_entries(), 64, one_core());
    std::string code;
    for (const CostedLine& costed : costs.lines)
        code += costed.line.text + "\n";
    EXPECT_EQ(code, print_c(lower(schedule, extents(Operator::SpMM, 4, 3, 64), kernel_target(one_core()))));
}

/// Of every term: nothing is lost, and nothing is there twice.
TEST(LineCosts, AddUpToTheSimulatedTime) {
    const CsrPattern pattern = large_matrix();
    const ProfiledPattern profiled(pattern);
    MachineParameters tacos = many_cores(); // updates C in memory, and unrolls short loops
    tacos[P::Accumulators] = 0;
    tacos[P::UnrolledExtent] = 16;
    MachineParameters without_third_cache = many_cores();
    without_third_cache[P::L3Bytes] = 0;
    Random random(5);
    for (const Operator op : all_operators) {
        const std::int64_t dense = op == Operator::SpMV ? 1 : 96;
        const Extents sizes = extents(op, pattern.rows, pattern.cols, dense);
        for (const SuperSchedule& schedule : sample_waco(op, sizes, 25, 16, random))
            for (const MachineParameters& machine : {one_core(), many_cores(), tacos, without_third_cache}) {
                const auto profile = profiled.profile(schedule, dense);
                ASSERT_TRUE(profile);
                const LineCosts costs = line_costs(schedule, sizes, *profile, machine);
                const SimulatedTime time = simulate(machine, *profile);
                for (const TimeTerm term : all_time_terms()) {
                    double sum = 0;
                    for (const CostedLine& costed : costs.lines) {
                        EXPECT_GE(costed.time[term], -1e-12);
                        sum += costed.time[term];
                    }
                    EXPECT_NEAR(sum, time[term], 1e-9 * time.total()) << name(term) << to_text(schedule);
                }
                EXPECT_EQ(costs.total.parts, time.parts);
            }
    }
}

TEST(LineCosts, PutTrafficAtTheLineThatLoads) {
    const CsrPattern pattern = large_matrix();
    MachineParameters machine = one_core();
    machine[P::L1Bytes] = machine[P::L2Bytes] = 256; // nothing stays in a cache
    machine[P::L3Bytes] = 0;
    const LineCosts costs = costs_of(fixed_csr(Operator::SpMV, 1), pattern, 1, machine);
    const CostedLine rows = with_role(costs, LineRole::Loop)[1];
    const CostedLine coordinate = with_role(costs, LineRole::Coordinate)[0];
    const CostedLine update = with_role(costs, LineRole::Update)[0];
    const auto nnz = static_cast<double>(pattern.nnz());
    EXPECT_NEAR(coordinate.memory_bytes, 4 * nnz, 0.01 * nnz) << "crd";
    EXPECT_NEAR(rows.memory_bytes, 4 * static_cast<double>(pattern.rows + 1), 50) << "pos";
    EXPECT_GT(update.memory_bytes, 4 * nnz) << "the values, and B besides";
    EXPECT_EQ(with_role(costs, LineRole::Loop)[0].memory_bytes, 0) << "the rows are only counted";
    EXPECT_GT(with_role(costs, LineRole::Store)[0].memory_bytes, 0) << "C";
    EXPECT_GT(update.time[TimeTerm::MemoryTraffic], coordinate.time[TimeTerm::MemoryTraffic]);
    EXPECT_EQ(coordinate.l3_bytes, 0) << "there is no L3";
}

TEST(LineCosts, PutWhatThreadsCostAtTheParallelLoop) {
    const LineCosts costs = costs_of(fixed_csr(Operator::SpMM, 16), large_matrix(), 32, many_cores());
    const auto parallel = with_role(costs, LineRole::Parallel);
    ASSERT_EQ(parallel.size(), 1U);
    for (const TimeTerm term : {TimeTerm::Imbalance, TimeTerm::Regions, TimeTerm::Chunks}) {
        EXPECT_EQ(parallel[0].time[term], costs.total[term]);
        EXPECT_GT(parallel[0].time[term], 0) << name(term);
    }
    EXPECT_EQ(parallel[0].time[TimeTerm::Compute], 0);
}

/// 4000 rows in blocks of 3: 1333 whole ones and one row that is left.
TEST(LineCosts, DivideABranchBetweenWholeBlocksAndTheLastOne) {
    CsrPattern pattern;
    pattern.rows = pattern.cols = 4000;
    for (std::int32_t row = 0; row < 4000; ++row) {
        pattern.column_ids.push_back(row);
        pattern.row_pointers.push_back(pattern.nnz());
    }
    const auto schedule = parse_schedule(Operator::SpMV, "3 1 i1 k1 k0 i0 1 1 0 1 i1 1 8");
    ASSERT_TRUE(schedule);
    const LineCosts costs = costs_of(*schedule, pattern, 1, one_core());
    const auto updates = with_role(costs, LineRole::Update);
    ASSERT_EQ(updates.size(), 2U);
    EXPECT_NEAR(updates[1].cycles / updates[0].cycles, 1.0 / (3 * 1333), 1e-9);
    EXPECT_NEAR(updates[0].runs / updates[1].runs, 3 * 1333, 1e-6);
}

TEST(LineCosts, ChargeTheClearingOfCWhereTheNestClearsIt) {
    const auto by_columns = parse_schedule(Operator::SpMV, "1 1 k1 k0 i1 i0 0 1 1 1 i1 1 32");
    ASSERT_TRUE(by_columns);
    MachineParameters machine = one_core();
    machine[P::L1Bytes] = machine[P::L2Bytes] = 256;
    machine[P::L3Bytes] = 0;
    const CsrPattern pattern = large_matrix();
    const LineCosts costs = costs_of(*by_columns, pattern, 1, machine);
    const auto clear = with_role(costs, LineRole::Clear);
    ASSERT_EQ(clear.size(), 1U);
    EXPECT_NEAR(clear[0].memory_bytes, 4.0 * 3000, 10);
    EXPECT_GT(clear[0].time[TimeTerm::MemoryTraffic], 0);
}

} // namespace
} // namespace sparsight

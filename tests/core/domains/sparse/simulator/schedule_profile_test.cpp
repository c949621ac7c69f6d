#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/simulator/schedule_profile.h"
#include "domains/sparse/tensor/generators/generator.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <ranges>
#include <set>
#include <vector>

namespace sparsight {
namespace {

TEST(ChunkBalance, EqualChunksThatDivideEvenlyLeaveNobodyWaiting) {
    const std::vector<double> work(64, 3.0);
    const ChunkBalance balance(work);
    for (const double cores : {1.0, 2.0, 4.0, 8.0, 32.0})
        EXPECT_NEAR(balance.excess(cores), 0, 1e-12) << cores;
}

TEST(ChunkBalance, OneLargeChunkKeepsTheOthersWaiting) {
    std::vector<double> work(10, 1.0);
    work.back() = 90; // 99 in all, and it comes last
    const ChunkBalance balance(work);
    EXPECT_NEAR(balance.excess(2), (90 + 4) / (99.0 / 2) - 1, 1e-12); // 9 small ones on two cores: 5 and 4
}

TEST(ChunkBalance, FewerChunksThanCoresLeaveCoresIdle) {
    const ChunkBalance balance(std::vector<double>(4, 1.0));
    EXPECT_NEAR(balance.excess(16), 3, 1e-12);
    EXPECT_NEAR(balance.excess(128), 31, 1e-12);
}

TEST(ChunkBalance, NumbersOfCoresInBetweenLieInBetween) {
    const ChunkBalance balance(std::vector<double>(8, 1.0));
    EXPECT_NEAR(balance.excess(10), (0 + 0.5) / 2, 1e-12); // 8 cores: 0, 12 cores: 12/8 - 1
}

TEST(ChunkBalance, ManyChunksInGroupsAreAsEvenAsTheyAre) {
    const ChunkBalance balance(std::vector<double>(1'000'000, 1.0));
    EXPECT_LT(balance.excess(128), 0.03);
}

CsrPattern five_by_four() {
    CsrPattern pattern;
    pattern.rows = 5;
    pattern.cols = 4;
    pattern.row_pointers = {0, 2, 2, 3, 3, 7};
    pattern.column_ids = {0, 1, 3, 0, 1, 2, 3};
    return pattern;
}

TEST(ChunkWork, IsIterationsAndEntriesOfEveryChunk) {
    const CsrPattern pattern = five_by_four();
    const CoordinateParts entries{IdPart::Whole, IdPart::Whole};
    // Blocks of 2 rows, 1 block a chunk: rows 0–1, 2–3, 4.
    EXPECT_THAT(chunk_work(pattern, {{true, 2}, 2, 10, entries, 1}), testing::ElementsAre(12, 11, 14));
    // 2 blocks a chunk.
    EXPECT_THAT(chunk_work(pattern, {{true, 4}, 2, 10, entries, 1}), testing::ElementsAre(23, 14));
    // By columns, blocks of 2.
    EXPECT_THAT(chunk_work(pattern, {{false, 2}, 2, 10, entries, 1}), testing::ElementsAre(14, 13));
}

TEST(ChunkWork, IsThatOfWholeBlocksWhereBlocksAreStored) {
    const CsrPattern pattern = five_by_four();
    const CoordinateParts blocks{IdPart::Outer, IdPart::Outer, 2, 2};
    // Blocks of 2 × 2 that hold an entry: one, one and two, with 4 positions each.
    EXPECT_THAT(chunk_work(pattern, {{true, 2}, 2, 0, blocks, 4}), testing::ElementsAre(4, 4, 8));
    EXPECT_THAT(chunk_work(pattern, {{false, 2}, 2, 0, blocks, 4}), testing::ElementsAre(8, 8));
    // Below the last compressed level each iteration walks as much.
    EXPECT_THAT(chunk_work(pattern, {{true, 2}, 2, 3, blocks, 0}), testing::ElementsAre(3, 3, 3));
}

constexpr std::int64_t dense = 256;

CsrPattern scattered() {
    return *generate_matrix("uniform", {{"rows", 512}, {"cols", 512}, {"density", 0.01}}, 7);
}

SuperSchedule parsed(Operator op, std::string_view text) {
    auto schedule = parse_schedule(op, text);
    EXPECT_TRUE(schedule) << schedule.error().text();
    return *schedule;
}

class AProfile : public testing::Test {
protected:
    ScheduleProfile of(Operator op, std::string_view text) const {
        auto profile = profiled_.profile(parsed(op, text), dense);
        EXPECT_TRUE(profile);
        return *profile;
    }
    ScheduleProfile of_csr(Operator op) const { return *profiled_.profile(fixed_csr(op, 4), dense); }

    CsrPattern pattern_ = scattered();
    ProfiledPattern profiled_{pattern_};
    double nnz_ = static_cast<double>(pattern_.nnz());
};

TEST_F(AProfile, OfFixedCsrCountsRowsEntriesAndTheirDenseRows) {
    const ScheduleProfile profile = of_csr(Operator::SpMM);
    EXPECT_THAT(profile.loops.iterations, testing::ElementsAre(512, nnz_, nnz_ * dense));
    EXPECT_EQ(profile.loops.fill_in, 0);
    EXPECT_EQ(profile.regions, 1);
    EXPECT_EQ(profile.chunks, 512 / 32);
    EXPECT_EQ(profile.output_bytes, 4.0 * 512 * dense);
}

TEST_F(AProfile, TellsHowManyLoopsRunUnlikeTheTimeBefore) {
    const KernelTarget target{16, 0, 0};
    double unlike = 0; // rows that are not as long as the one before
    for (std::size_t row = 1; row + 1 < pattern_.row_pointers.size(); ++row)
        unlike += pattern_.row_pointers[row + 1] - pattern_.row_pointers[row] !=
                          pattern_.row_pointers[row] - pattern_.row_pointers[row - 1]
                      ? 1
                      : 0;
    EXPECT_DOUBLE_EQ(count_instructions(of_csr(Operator::SpMV).loops, target).mispredicted_exits, unlike);
    const ScheduleProfile all_dense = of(Operator::SpMV, "1 1 i1 i0 k1 k0 1 1 1 1 i1 4 1");
    EXPECT_EQ(count_instructions(all_dense.loops, target).mispredicted_exits, 0);
    // j1 outside k: each row is gone through 16 times, and is as long each time.
    const ScheduleProfile again = of(Operator::SpMM, "1 1 16 i1 j1 i0 k1 k0 j0 1 1 0 1 i1 4 32");
    const InstructionCounts counted = count_instructions(again.loops, target);
    EXPECT_DOUBLE_EQ(counted.mispredicted_exits, unlike);
    EXPECT_EQ(counted.compressed_starts, 512 * 16);
}

TEST_F(AProfile, OfBlocksKnowsWhichShareOfTheWorkIsFillIn) {
    const ScheduleProfile profile = of(Operator::SpMV, "4 4 i1 k1 i0 k0 1 1 0 1 i1 4 8");
    const double blocks = static_cast<double>(count_distinct(pattern_, {IdPart::Outer, IdPart::Outer, 4, 4}));
    EXPECT_EQ(profile.loops.iterations.back(), blocks * 16);
    EXPECT_DOUBLE_EQ(profile.loops.fill_in, 1 - nnz_ / (blocks * 16));
}

TEST_F(AProfile, OpensARegionForEveryIterationOutsideTheParallelLoop) {
    const ScheduleProfile profile = of(Operator::SpMV, "4 64 k1 i1 i0 k0 0 1 1 0 i1 4 8");
    EXPECT_EQ(profile.regions, 512 / 64);
}

TEST_F(AProfile, CountsVectorsInRegistersOrInMemoryAsTheCodeHasThem) {
    const ScheduleProfile profile = of_csr(Operator::SpMM);
    const InstructionCounts held = count_instructions(profile.loops, {16, 24, 0});
    EXPECT_EQ(held.tiled_vectors, nnz_ * dense / 16);
    EXPECT_EQ(held.updated_vectors, 0);
    EXPECT_EQ(held.tile_vectors, 512.0 * dense / 16);
    EXPECT_FALSE(held.clears_output);
    const InstructionCounts plain = count_instructions(profile.loops, {16, 0, 0});
    EXPECT_EQ(plain.tiled_vectors, 0);
    EXPECT_EQ(plain.updated_vectors, nnz_ * dense / 16);
    EXPECT_TRUE(plain.clears_output);
}

TEST_F(AProfile, OfATileOfTwoRowsLoadsAVectorForBothAtOnce) {
    const ScheduleProfile one = of(Operator::SpMM, "2 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32");
    const ScheduleProfile two = of(Operator::SpMM, "2 1 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 4 32");
    const auto counted = [](const ScheduleProfile& profile) {
        return count_instructions(profile.loops, {16, 24, 0}).tiled_vectors /
               (profile.loops.iterations.back() / 16);
    };
    EXPECT_DOUBLE_EQ(counted(one), 1) << "each multiply-add loads its own";
    EXPECT_LT(counted(two), 1);
    EXPECT_GT(counted(two), 0.5) << "and is one all the same";
}

TEST_F(AProfile, OfADenseLoopThatSinksCountsVectors) {
    const ScheduleProfile profile = of(Operator::SpMM, "1 4 1 i1 k1 j1 i0 k0 j0 0 1 0 1 i1 4 32");
    const InstructionCounts ours = count_instructions(profile.loops, {16, 24, 0});
    EXPECT_EQ(ours.tiled_vectors, profile.loops.iterations.back() / 16);
    EXPECT_EQ(ours.tiled_scalars + ours.updated_scalars, 0);
    EXPECT_EQ(ours.dense_iterations, 0) << "a block of four is written out";
    const InstructionCounts loop_by_loop = count_instructions(profile.loops, {16, 0, 0});
    EXPECT_EQ(loop_by_loop.tiled_vectors + loop_by_loop.updated_vectors, 0);
    EXPECT_EQ(loop_by_loop.tiled_scalars, profile.loops.iterations.back());
}

TEST_F(AProfile, OfADenseLoopThatSinksBelowTheParallelOneEntersThatOnce) {
    const ScheduleProfile profile = of(Operator::SpMM, "1 1 1 j1 j0 i1 i0 k1 k0 1 1 0 1 i1 4 32");
    EXPECT_EQ(count_instructions(profile.loops, {16, 24, 0}).regions, 1);
    EXPECT_EQ(count_instructions(profile.loops, {16, 0, 0}).regions, profile.regions);
    EXPECT_EQ(profile.regions, dense);
}

TEST_F(AProfile, OfATileThatAddsToCWritesBackOnlyWhereSomethingIsStored) {
    const ScheduleProfile profile = of(Operator::SpMM, "1 16 1 k1 i1 i0 k0 j1 j0 1 1 0 0 i1 4 32");
    const std::vector<double>& fill = profile.loops.fill;
    EXPECT_NEAR(count_instructions(profile.loops, {16, 24, 0}).tile_vectors,
                nnz_ / fill.back() * (static_cast<double>(dense) / 16), 1e-6);
}

TEST_F(AProfile, ClearsCOnlyWhereTheCompilerDoes) {
    for (const Operator op : all_operators) {
        const ScheduleProfile profile = of_csr(op);
        const KernelTarget target{16, 24, 0};
        const Body body = lower(fixed_csr(op, 4), extents(op, 512, 512, dense), target).body;
        const bool clears = std::holds_alternative<ZeroOutput>(body.front().node);
        EXPECT_EQ(count_instructions(profile.loops, target).clears_output, clears) << name(op);
    }
}

TEST_F(AProfile, DoesNotWalkWhatASplitLeavesOverAtTheEnd) {
    // 512 rows in blocks of 384: 384 and 128; all dense below.
    const ScheduleProfile cut = of(Operator::SpMV, "384 1 i1 i0 k1 k0 1 1 1 1 i1 4 1");
    EXPECT_EQ(cut.loops.iterations.back(), 512.0 * 512);
}

TEST_F(AProfile, OfDenseRowsIsBalancedHoweverTheEntriesLie) {
    const ScheduleProfile whole = of(Operator::SpMV, "1 1 i1 i0 k1 k0 1 1 1 1 i1 4 1");
    EXPECT_NEAR(whole.balance.excess(16), 0, 1e-9);
    EXPECT_GT(of_csr(Operator::SpMV).balance.excess(16), 0);
}

/// Of a loop nest that is walked position by position: what each chunk of the parallel loop visits.
std::vector<double> walked_work(const CsrPattern& pattern, const SuperSchedule& schedule,
                                double work_of_walking) {
    const StorageFormat storage = storage_format(schedule, pattern.rows, pattern.cols);
    const auto coordinates = [&](std::int64_t row, std::int64_t column) {
        std::vector<std::int64_t> path;
        for (const StorageLevel& level : storage.levels) {
            const std::int64_t id = level.is_row() ? row : column;
            path.push_back(level.loop.part == Part::Outer ? id / level.split : id % level.split);
        }
        return path;
    };
    std::set<std::vector<std::int64_t>> stored; // every prefix of every entry
    for (std::int64_t row = 0; row < pattern.rows; ++row)
        for (auto at = pattern.row_pointers[static_cast<std::size_t>(row)];
             at < pattern.row_pointers[static_cast<std::size_t>(row) + 1]; ++at) {
            auto path = coordinates(row, pattern.column_ids[static_cast<std::size_t>(at)]);
            for (; !path.empty(); path.pop_back())
                stored.insert(path);
        }
    const auto level = std::ranges::find(storage.levels, schedule.parallel, &StorageLevel::loop);
    const auto parallel = static_cast<std::size_t>(level - storage.levels.begin());
    std::vector<double> work(static_cast<std::size_t>((level->extent + schedule.chunk - 1) / schedule.chunk),
                             0.0);
    std::vector<std::int64_t> path;
    const std::function<void()> walk = [&] {
        const std::size_t at = path.size();
        if (at > parallel) {
            const bool leaf = at == storage.levels.size();
            const bool only_walked = std::ranges::none_of(
                storage.levels | std::views::drop(parallel + 1) | std::views::take(at - parallel - 1),
                [](const StorageLevel& inside) { return inside.format == LevelFormat::Compressed; });
            if (leaf || only_walked)
                work[static_cast<std::size_t>(path[parallel] / schedule.chunk)] += leaf ? 1
                                                                                   : at == parallel + 1
                                                                                       ? 2
                                                                                       : work_of_walking;
        }
        if (at == storage.levels.size())
            return;
        for (std::int64_t x = 0; x < storage.levels[at].extent; ++x) {
            path.push_back(x);
            if (storage.levels[at].format == LevelFormat::Uncompressed || stored.contains(path))
                walk();
            path.pop_back();
        }
    };
    walk();
    return work;
}

TEST(AProfilesBalance, IsThatOfThePositionsThatEachChunkWalks) {
    const CsrPattern pattern =
        *generate_matrix("row-skewed", {{"rows", 64}, {"cols", 48}, {"mean-length", 4}}, 3);
    const ProfiledPattern profiled(pattern);
    std::vector<SuperSchedule> schedules;
    for (const char* text : {
             "1 1 i1 i0 k1 k0 1 1 0 1 i1 4 4", // CSR
             "4 4 i1 k1 i0 k0 1 1 0 1 i1 4 2", // stored blocks
             "8 4 i1 k1 i0 k0 1 0 1 0 i1 4 1", // rows of blocks, all of them gone through
             "4 8 i1 i0 k1 k0 1 1 0 1 i1 4 1", // pieces of rows
         })
        schedules.push_back(parsed(Operator::SpMV, text));
    SuperSchedule by_columns = fixed_csr(Operator::SDDMM, 4);
    const Index row = row_index(Operator::SDDMM);
    const Index column = column_index(Operator::SDDMM);
    by_columns.splits[static_cast<std::size_t>(row)] = 16;
    by_columns.splits[static_cast<std::size_t>(column)] = 2;
    by_columns.order[0] = by_columns.parallel = {column, Part::Outer};
    by_columns.order[1] = {row, Part::Outer};
    by_columns.order[2] = {column, Part::Inner};
    by_columns.order[3] = {row, Part::Inner};
    by_columns.formats = {LevelFormat::Compressed, LevelFormat::Uncompressed, LevelFormat::Uncompressed,
                          LevelFormat::Compressed};
    by_columns.chunk = 2;
    schedules.push_back(by_columns);
    for (const SuperSchedule& schedule : schedules) {
        const std::string text = to_text(schedule);
        const ChunkBalance walked(walked_work(pattern, schedule, 2 / (1 + 1 / 16.0)));
        const auto profile = profiled.profile(schedule, 1);
        ASSERT_TRUE(profile) << text;
        for (const double cores : {2.0, 4.0, 8.0})
            EXPECT_NEAR(profile->balance.excess(cores), walked.excess(cores), 0.02) << text << ", " << cores;
    }
}

TEST_F(AProfile, OfNarrowBlocksWastesTheLanesOfWideVectors) {
    const ScheduleProfile profile = of(Operator::SpMM, "1 1 32 i1 j1 i0 k1 k0 j0 1 1 0 1 i1 4 32");
    const double wide = count_instructions(profile.loops, {64, 0, 0}).updated_vectors;
    const double fitting = count_instructions(profile.loops, {32, 0, 0}).updated_vectors;
    const double narrow = count_instructions(profile.loops, {16, 0, 0}).updated_vectors;
    EXPECT_GT(wide, 0);
    EXPECT_EQ(wide, fitting);
    EXPECT_EQ(narrow, 2 * fitting);
}

TEST_F(AProfile, OfShortInnermostLoopsIsScalarInTacosCodeForTheCompilerUnrollsThem) {
    const ScheduleProfile unrolled = of(Operator::SpMM, "1 1 16 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32");
    const InstructionCounts scalar = count_instructions(unrolled.loops, {16, 0, 0}, 16);
    EXPECT_EQ(scalar.updated_vectors, 0);
    EXPECT_EQ(scalar.vector_starts, 0);
    EXPECT_EQ(scalar.updated_scalars, nnz_ * dense);
    const InstructionCounts ours = count_instructions(unrolled.loops, {16, 24, 0});
    EXPECT_GT(ours.tiled_vectors, 0);
    const ScheduleProfile longer = of(Operator::SpMM, "1 1 32 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32");
    EXPECT_GT(count_instructions(longer.loops, {16, 0, 0}, 16).updated_vectors, 0);
}

TEST_F(AProfile, OfAnUnrolledLoopKeepsTheLoopAroundIt) {
    // Ours fuses j1 and j0; the compiler unrolls j0 and leaves a loop over j1.
    const ScheduleProfile fused = of(Operator::SpMM, "1 1 2 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 4 32");
    const InstructionCounts unrolled = count_instructions(fused.loops, {16, 0, 0}, 16);
    const InstructionCounts vectors = count_instructions(fused.loops, {16, 0, 0}, 0);
    EXPECT_EQ(unrolled.dense_starts - vectors.dense_starts, nnz_);
    EXPECT_EQ(unrolled.dense_iterations - vectors.dense_iterations, nnz_ * dense / 2);
}

TEST_F(AProfile, OfTilesFillsWholeLinesOfCWhereTheyAreOverwrittenByVectors) {
    const ScheduleProfile csr = of_csr(Operator::SpMM);
    EXPECT_TRUE(count_instructions(csr.loops, {16, 24, 0}).fills_output_lines);
    EXPECT_FALSE(count_instructions(csr.loops, {16, 0, 0}).fills_output_lines) << "TACO's code";
    EXPECT_FALSE(count_instructions(of_csr(Operator::SpMV).loops, {16, 24, 0}).fills_output_lines);
    EXPECT_FALSE(count_instructions(of_csr(Operator::SDDMM).loops, {16, 24, 0}).fills_output_lines);
}

TEST_F(AProfile, ScopesBeginWithTheWholeNestAndTouchNoLessFurtherIn) {
    for (const char* text :
         {"8 8 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 4 8", "1 32 256 k1 i1 i0 k0 j1 j0 1 1 1 0 i1 4 8"}) {
        const ScheduleProfile profile = of(Operator::SpMM, text);
        EXPECT_EQ(profile.scopes.front().executions, 1);
        for (std::size_t s = 1; s < profile.scopes.size(); ++s)
            for (std::size_t o = 0; o < 4; ++o)
                EXPECT_GE(profile.scopes[s].operands[o].bytes,
                          profile.scopes[s - 1].operands[o].bytes * (1 - 1e-12))
                    << text << " scope " << s << " operand " << o;
    }
}

TEST_F(AProfile, TouchesOfFixedCsrAreEveryColumnOnceAndThenEveryEntry) {
    const ScheduleProfile profile = of_csr(Operator::SpMM);
    const double row_of_b = 4.0 * dense;
    const double columns = static_cast<double>(count_distinct(pattern_, {IdPart::None, IdPart::Whole}));
    EXPECT_EQ(profile.scopes.front().operands[1].bytes, columns * row_of_b);
    const double rows = static_cast<double>(count_distinct(pattern_, {IdPart::Whole, IdPart::None}));
    EXPECT_EQ(profile.scopes.front().operands[3].bytes, 2 * rows * row_of_b); // read and written
    const MemoryScope& of_a_row = profile.scopes[3]; // whole, 128 rows, 8 rows, a row
    EXPECT_EQ(of_a_row.executions, rows);            // that have entries
    EXPECT_EQ(of_a_row.operands[1].bytes, nnz_ * row_of_b);
    EXPECT_TRUE(of_a_row.inside_parallel);
}

TEST_F(AProfile, OfAnInvalidScheduleIsAnErrorThatNamesIt) {
    SuperSchedule broken = fixed_csr(Operator::SpMM, 4);
    broken.splits[0] = 0;
    const auto profile = profiled_.profile(broken, dense);
    ASSERT_FALSE(profile);
    EXPECT_EQ(profile.error().fault, Fault::Input);
}

TEST_F(AProfile, IsGivenUpWhenItIsAskedToStopAndCountedAnewLater) {
    std::stop_source stop;
    stop.request_stop();
    const SuperSchedule blocked = parsed(Operator::SpMM, "4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 2 8");
    const auto stopped = profiled_.profile(blocked, dense, stop.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
    const ProfiledPattern untouched(pattern_);
    EXPECT_EQ(profiled_.profile(blocked, dense)->loops.iterations,
              untouched.profile(blocked, dense)->loops.iterations)
        << "nothing that was not counted may be remembered";
}

} // namespace
} // namespace sparsight

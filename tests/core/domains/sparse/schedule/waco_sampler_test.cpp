#include "core/domains/sparse/schedule/print_schedule.h"
#include "core/domains/sparse/schedule/waco_data.h"
#include "domains/sparse/schedule/encoding.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "support/test_files.h"

#include <algorithm>
#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <unordered_set>

namespace sparsight {

// The rules are those of the generator scripts that WACO published, and of the runtimes it published.
namespace {

using ::testing::AnyOf;
using ::testing::Each;
using ::testing::ElementsAre;

constexpr std::int64_t rows = 4096;
constexpr std::int64_t cols = 8191;

std::vector<SuperSchedule> hundred(Operator op, FreeSplits splits = FreeSplits::AsPublished,
                                   std::uint64_t seed = 1) {
    Random random(seed);
    return sample_waco(op, extents(op, rows, cols, 256), 100, 48, random, splits);
}

std::string order_text(const SuperSchedule& schedule) {
    std::string text;
    for (const LoopIndex loop : schedule.loops())
        text += (text.empty() ? "" : " ") + name(loop);
    return text;
}

std::ptrdiff_t depth(const SuperSchedule& schedule, LoopIndex loop) {
    return std::ranges::find(schedule.order, loop) - schedule.order.begin();
}

constexpr LoopIndex i1{Index::I, Part::Outer};
constexpr LoopIndex i0{Index::I, Part::Inner};
constexpr LoopIndex j1{Index::J, Part::Outer};
constexpr LoopIndex j0{Index::J, Part::Inner};
constexpr LoopIndex k1{Index::K, Part::Outer};
constexpr LoopIndex k0{Index::K, Part::Inner};

class WacoSampler : public ::testing::TestWithParam<Operator> {};

TEST_P(WacoSampler, DrawsAHundredValidSchedulesOfWhichNoTwoMeanTheSame) {
    const auto schedules = hundred(GetParam());
    ASSERT_EQ(schedules.size(), 100U);
    std::unordered_set<SuperSchedule> distinct;
    for (const SuperSchedule& schedule : schedules) {
        EXPECT_TRUE(check(schedule)) << to_text(schedule);
        distinct.insert(canonical(schedule));
        EXPECT_EQ(schedule.threads, 48);
    }
    EXPECT_EQ(distinct.size(), 100U);
}

TEST_P(WacoSampler, RepeatsItselfForTheSameSeedOnly) {
    EXPECT_EQ(hundred(GetParam()), hundred(GetParam()));
    EXPECT_NE(hundred(GetParam()), hundred(GetParam(), FreeSplits::AsPublished, 2));
}

TEST_P(WacoSampler, GivesNothingWhenNothingIsAskedFor) {
    Random random(1);
    EXPECT_TRUE(sample_waco(GetParam(), extents(GetParam(), 9, 9, 9), 0, 4, random).empty());
    EXPECT_TRUE(sample_waco(GetParam(), extents(GetParam(), 9, 9, 9), -1, 4, random).empty());
}

TEST_P(WacoSampler, WorksForEmptyMatrices) {
    Random random(1);
    const auto schedules = sample_waco(GetParam(), extents(GetParam(), 0, 0, 256), 20, 4, random);
    EXPECT_EQ(schedules.size(), 20U);
}

TEST_P(WacoSampler, TakesHalfOfTheLargestPowerOfTwoInTheDimensionAtMost) {
    std::set<std::int64_t> row_splits;
    std::set<std::int64_t> column_splits;
    Random random(4);
    for (const SuperSchedule& schedule : sample_waco(GetParam(), extents(GetParam(), rows, cols, 256), 3000,
                                                     48, random, FreeSplits::UpToDimension)) {
        row_splits.insert(schedule.split(row_index(GetParam())));
        column_splits.insert(schedule.split(column_index(GetParam())));
    }
    EXPECT_THAT(row_splits, ElementsAre(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048));
    EXPECT_THAT(column_splits, ElementsAre(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048));
}

INSTANTIATE_TEST_SUITE_P(EachOperator, WacoSampler, ::testing::ValuesIn(all_operators),
                         [](const auto& each) { return std::string(name(each.param)); });

TEST(WacoSpmm, Takes32OfItsTemplate) {
    for (const auto splits : {FreeSplits::AsPublished, FreeSplits::UpToDimension}) {
        const auto schedules = hundred(Operator::SpMM, splits);
        for (const SuperSchedule& schedule : std::span(schedules).first(32)) {
            EXPECT_EQ(order_text(schedule), "i1 k1 j1 i0 k0 j0");
            EXPECT_EQ(schedule.format(i0), LevelFormat::Uncompressed);
            EXPECT_EQ(schedule.format(k1), LevelFormat::Compressed);
            EXPECT_EQ(schedule.format(k0), LevelFormat::Uncompressed);
            EXPECT_LE(schedule.split(Index::I), 32);
            EXPECT_LE(schedule.split(Index::K), 32);
        }
    }
}

TEST(WacoSpmm, Takes68OfTheOrdersWithTheDenseLoopInnermost) {
    std::set<std::string> orders;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const auto schedules = hundred(Operator::SpMM, FreeSplits::AsPublished, seed);
        for (const SuperSchedule& schedule : std::span(schedules).last(68)) {
            EXPECT_LT(depth(schedule, i1), depth(schedule, i0));
            EXPECT_LT(depth(schedule, k1), depth(schedule, k0));
            EXPECT_LT(depth(schedule, i1), depth(schedule, j1));
            EXPECT_EQ(depth(schedule, j0), 5);
            if (schedule.split(Index::J) < 8) {
                EXPECT_EQ(depth(schedule, j1), 4) << to_text(schedule);
            }
            orders.insert(order_text(schedule));
        }
    }
    // i1 first of three letters i1 i0 j1 in 2 ways, k1 before k0 anywhere: 5·4/2 places.
    EXPECT_EQ(orders.size(), 20U);
}

TEST(WacoSpmm, KeepsToThePublishedScriptsSplitsAndChunks) {
    std::set<std::int64_t> sparse_splits;
    std::set<std::int64_t> dense_splits;
    std::set<int> chunks;
    Random random(3);
    for (const auto& schedule :
         sample_waco(Operator::SpMM, extents(Operator::SpMM, rows, cols, 256), 2000, 48, random)) {
        sparse_splits.insert({schedule.split(Index::I), schedule.split(Index::K)});
        dense_splits.insert(schedule.split(Index::J));
        chunks.insert(schedule.chunk);
        EXPECT_EQ(schedule.parallel, i1);
    }
    EXPECT_THAT(sparse_splits, ElementsAre(1, 2, 4, 8, 16, 32));
    EXPECT_THAT(dense_splits, ElementsAre(1, 2, 4, 8, 16, 32, 64, 128));
    EXPECT_THAT(chunks, ElementsAre(1, 2, 4, 8, 16, 32, 64, 128, 256));
}

TEST(WacoSpmv, TakesEveryOrderWithOuterBeforeInner) {
    std::set<std::string> orders;
    for (const SuperSchedule& schedule : hundred(Operator::SpMV)) {
        orders.insert(order_text(schedule));
        EXPECT_EQ(schedule.parallel, i1);
    }
    EXPECT_THAT(orders, ElementsAre("i1 i0 k1 k0", "i1 k1 i0 k0", "i1 k1 k0 i0", "k1 i1 i0 k0", "k1 i1 k0 i0",
                                    "k1 k0 i1 i0"));
}

TEST(WacoSddmm, Takes32OfTheOrdersWithTheDenseLoopInnermost) {
    const auto schedules = hundred(Operator::SDDMM);
    for (const SuperSchedule& schedule : std::span(schedules).first(32)) {
        EXPECT_LT(depth(schedule, i1), depth(schedule, i0));
        EXPECT_LT(depth(schedule, j1), depth(schedule, j0));
        EXPECT_EQ(depth(schedule, k0), 5);
        if (schedule.split(Index::K) < 8) {
            EXPECT_EQ(depth(schedule, k1), 4) << to_text(schedule);
        }
    }
}

TEST(WacoSddmm, Takes68OfItsFourBlockOrders) {
    const auto schedules = hundred(Operator::SDDMM);
    std::set<std::string> orders;
    for (const SuperSchedule& schedule : std::span(schedules).last(68)) {
        orders.insert(order_text(schedule));
        EXPECT_EQ(schedule.format(i0), LevelFormat::Uncompressed);
        EXPECT_EQ(schedule.format(j0), LevelFormat::Uncompressed);
        EXPECT_LE(schedule.split(Index::I), 32);
        EXPECT_LE(schedule.split(Index::J), 32);
    }
    EXPECT_THAT(orders, ElementsAre("i1 j1 k1 i0 j0 k0", "i1 j1 k1 j0 i0 k0", "j1 i1 k1 i0 j0 k0",
                                    "j1 i1 k1 j0 i0 k0"));
}

TEST(WacoSddmm, IsParallelOverTheFirstOfIAndJAndNeverStoresADenseMatrix) {
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        for (const SuperSchedule& schedule : hundred(Operator::SDDMM, FreeSplits::AsPublished, seed)) {
            EXPECT_EQ(schedule.parallel, depth(schedule, i1) < depth(schedule, j1) ? i1 : j1);
            EXPECT_THAT(canonical(schedule).formats, ::testing::Contains(LevelFormat::Compressed));
            EXPECT_LE(schedule.chunk, 32);
        }
}

TEST(WacoSamples, AreTheSameOnEveryMachine) {
    EXPECT_EQ(to_text(hundred(Operator::SpMM).back()), "8 1 1 i1 i0 k1 k0 j1 j0 1 0 1 0 i1 48 4");
    EXPECT_EQ(to_text(hundred(Operator::SpMV).back()), "1 16 k1 i1 i0 k0 0 0 0 0 i1 48 16");
    EXPECT_EQ(to_text(hundred(Operator::SDDMM).back()), "4 2 128 i1 j1 k1 j0 i0 k0 0 1 1 1 i1 48 16");
}

TEST(WacoSamples, OfOtherCountsAreSharedOutAlike) {
    Random random(1);
    const auto schedules =
        sample_waco(Operator::SpMM, extents(Operator::SpMM, rows, cols, 256), 25, 8, random);
    ASSERT_EQ(schedules.size(), 25U);
    EXPECT_EQ(std::ranges::count(std::span(schedules).first(8), "i1 k1 j1 i0 k0 j0", order_text), 8);
}

TEST(WacoSamples, AreAllThereIsWhenMoreIsAskedFor) {
    Random random(1);
    // 2 orders, 4 formats, 9 chunks.
    EXPECT_EQ(sample_waco(Operator::SpMV, extents(Operator::SpMV, 1, 1, 1), 100, 4, random).size(), 72U);
    // The template: 6 · 6 splits, 2 formats, 9 chunks; the free part: i k or k i, 4 formats, 9 chunks; of
    // these are in both: 2 formats, 9 chunks.
    const auto spmm = sample_waco(Operator::SpMM, extents(Operator::SpMM, 1, 1, 1), 5000, 4, random,
                                  FreeSplits::UpToDimension);
    EXPECT_EQ(spmm.size(), 648U + 72 - 18);
    std::unordered_set<SuperSchedule> distinct;
    for (const SuperSchedule& schedule : spmm)
        distinct.insert(canonical(schedule));
    EXPECT_EQ(distinct.size(), spmm.size());
}

} // namespace

// The measurements that WACO's authors and others published, through our reader and back.
namespace {

using testing::collected_files;
using testing::file_content;
using testing::for_each_published_runtime;
using testing::PublishedRuntime;
using testing::shared_path;

class WacoData : public ::testing::TestWithParam<Operator> {};

TEST_P(WacoData, OfTheAuthorsComesBackByteForByte) {
    SPARSIGHT_NEEDS_SHARED("waco/original");
    const auto files = collected_files(GetParam());
    EXPECT_EQ(files.size(), 10U);
    for (const auto& path : files) {
        const auto lines = read_schedule_runtimes(GetParam(), path);
        ASSERT_TRUE(lines) << lines.error().text();
        std::string written;
        for (const ScheduleRuntime& line : *lines)
            written += to_text(line) + "\n";
        EXPECT_EQ(written, file_content(path)) << path;
    }
}

INSTANTIATE_TEST_SUITE_P(EachOperator, WacoData, ::testing::ValuesIn(all_operators),
                         [](const auto& each) { return std::string(name(each.param)); });

void expect_every_row_back(const std::filesystem::path& table, std::array<int, 3> expected_rows) {
    std::array<int, 3> row_count{};
    for_each_published_runtime(table, [&](const PublishedRuntime& row) {
        ++row_count[static_cast<std::size_t>(row.op)];
        const std::string line = std::string(row.schedule) + " = " + std::string(row.milliseconds);
        const auto parsed = parse_schedule_runtime(row.op, line);
        ASSERT_TRUE(parsed) << line << ": " << parsed.error().text();
        ASSERT_EQ(to_text(*parsed), line);
        ASSERT_EQ(decode(encode(parsed->schedule), parsed->schedule.threads).value(),
                  canonical(parsed->schedule));
    });
    EXPECT_EQ(row_count, expected_rows);
}

TEST(PublishedRuntimes, OfTheXeon8272ComeBackByteForByte) {
    SPARSIGHT_NEEDS_SHARED("waco/xeon_8272cl_runtimes.csv.xz");
    expect_every_row_back(shared_path("waco/xeon_8272cl_runtimes.csv.xz"), {38177, 25347, 1649});
}

TEST(PublishedRuntimes, OfTheMachineWith32ThreadsComeBackByteForByte) {
    SPARSIGHT_NEEDS_SHARED("waco/collected-32-threads/spmm_runtimes.csv.xz");
    expect_every_row_back(shared_path("waco/collected-32-threads/spmm_runtimes.csv.xz"), {152153, 0, 0});
}

} // namespace
} // namespace sparsight

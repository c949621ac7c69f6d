// Samplers of schedules: uniform, near a schedule, and those of WACO.
#include "domains/sparse/schedule/encoding.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/search_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "support/spmm_schedule.h"
#include "support/test_files.h"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <bit>
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <unordered_set>

namespace sparsight {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::file_content;
using ::testing::IsSubsetOf;
using ::testing::Not;
using testing::shared_path;
using ::testing::UnorderedElementsAreArray;

TEST(UniformSampler, DrawsDistinctValidCanonicalSchedules) {
    for (const Operator op : all_operators) {
        Random random(5);
        const auto schedules = sample_uniform(op, extents(op, 4096, 8192, 256), 500, 12, random);
        ASSERT_EQ(schedules.size(), 500U);
        for (const SuperSchedule& schedule : schedules) {
            EXPECT_TRUE(check(schedule)) << to_text(schedule);
            EXPECT_EQ(schedule, canonical(schedule));
            EXPECT_EQ(schedule.threads, 12);
        }
        EXPECT_EQ(std::unordered_set<SuperSchedule>(schedules.begin(), schedules.end()).size(), 500U);
    }
}

TEST(UniformSampler, RepeatsItselfForTheSameSeedOnly) {
    const auto draw = [](std::uint64_t seed) {
        Random random(seed);
        return sample_uniform(Operator::SpMM, extents(Operator::SpMM, 100, 100, 256), 20, 4, random);
    };
    EXPECT_EQ(draw(1), draw(1));
    EXPECT_NE(draw(1), draw(2));
}

TEST(UniformSampler, DrawsTheSameOnEveryMachine) {
    Random random(1);
    const auto schedules =
        sample_uniform(Operator::SpMM, extents(Operator::SpMM, 4096, 8191, 256), 100, 48, random);
    EXPECT_EQ(to_text(schedules.back()), "128 2 64 i1 i0 k1 j1 k0 j0 1 1 0 0 i1 48 8");
}

TEST(UniformSampler, DrawsEveryScheduleEquallyOften) {
    const Extents one_by_one = extents(Operator::SpMV, 1, 1, 1);
    Random random(11);
    std::map<SuperSchedule, int> drawn;
    for (int i = 0; i < 7200; ++i) // five of 72 schedules each time
        for (const SuperSchedule& schedule : sample_uniform(Operator::SpMV, one_by_one, 5, 4, random))
            ++drawn[schedule];
    EXPECT_EQ(drawn.size(), 72U);
    for (const auto& [schedule, times] : drawn)
        EXPECT_NEAR(times, 500, 5 * 22) << to_text(schedule); // five standard deviations
}

TEST(UniformSampler, GivesAllThereIsWhenMoreIsAskedFor) {
    Random random(1);
    const Extents one_by_one = extents(Operator::SpMV, 1, 1, 1);
    const auto schedules = sample_uniform(Operator::SpMV, one_by_one, 1000, 4, random);
    EXPECT_EQ(std::unordered_set<SuperSchedule>(schedules.begin(), schedules.end()).size(), 72U);
    EXPECT_EQ(schedules.size(), 72U);
}

TEST(UniformSampler, GivesNothingWhenNothingIsAskedFor) {
    Random random(1);
    EXPECT_TRUE(sample_uniform(Operator::SpMV, extents(Operator::SpMV, 9, 9, 1), 0, 4, random).empty());
    EXPECT_TRUE(sample_uniform(Operator::SpMV, extents(Operator::SpMV, 9, 9, 1), -3, 4, random).empty());
}

const Extents square = extents(Operator::SpMM, 64, 64, 256);

TEST(NearSampler, GivesTheNeighboursFirst) {
    const SuperSchedule start = fixed_csr(Operator::SpMM, 4);
    const auto one_step = neighbours(start, square);
    Random random(1);
    const int count = static_cast<int>(one_step.size());
    EXPECT_THAT(sample_near(start, square, count, random), UnorderedElementsAreArray(one_step));
    EXPECT_THAT(sample_near(start, square, 5, random), IsSubsetOf(one_step));
}

TEST(NearSampler, GoesOnWithTheNeighboursOfNeighbours) {
    const SuperSchedule start = fixed_csr(Operator::SpMM, 4);
    const auto one_step = neighbours(start, square);
    Random random(1);
    const auto near = sample_near(start, square, static_cast<int>(one_step.size()) + 10, random);
    EXPECT_THAT(near, Not(Contains(start)));
    for (auto farther = near.begin() + static_cast<std::ptrdiff_t>(one_step.size()); farther != near.end();
         ++farther) {
        EXPECT_THAT(one_step, Not(Contains(*farther)));
        EXPECT_TRUE(std::ranges::any_of(one_step, [&](const SuperSchedule& between) {
            return std::ranges::count(neighbours(between, square), *farther) == 1;
        })) << to_text(*farther);
    }
}

TEST(NearSampler, ReachesTheWholeSpaceAndEnds) {
    Random random(1);
    const auto all =
        sample_near(fixed_csr(Operator::SpMV, 4), extents(Operator::SpMV, 1, 1, 1), 1000, random);
    EXPECT_EQ(all.size(), 71U); // 2 orders, 4 formats, 9 chunks, without the start
    EXPECT_EQ(std::unordered_set<SuperSchedule>(all.begin(), all.end()).size(), all.size());
}

TEST(RandomWalk, TakesOneStepAtATime) {
    Random random(2);
    SuperSchedule here = fixed_csr(Operator::SpMM, 4);
    const auto walk = random_walk(here, square, 200, random);
    ASSERT_EQ(walk.size(), 200U);
    for (const SuperSchedule& next : walk) {
        EXPECT_THAT(neighbours(here, square), Contains(next));
        EXPECT_TRUE(check(next));
        here = next;
    }
}

TEST(RandomWalk, RepeatsItselfForTheSameSeedOnly) {
    const auto walk = [](std::uint64_t seed) {
        Random random(seed);
        return random_walk(fixed_csr(Operator::SpMM, 4), square, 20, random);
    };
    EXPECT_EQ(walk(1), walk(1));
    EXPECT_NE(walk(1), walk(2));
}

// The rules are those of the generator scripts that WACO published, and of the runtimes it published.

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

// The measurements that WACO's authors and others published, through our reader and back.

/// The collected-data files of one operator (original/SpMM/*.txt …).
std::vector<std::filesystem::path> collected_files(Operator op) {
    constexpr std::array<std::string_view, 3> folders{"SpMM", "SpMV", "SDDMM"};
    std::vector<std::filesystem::path> files;
    const auto folder = testing::shared_path("waco/original") / folders[static_cast<std::size_t>(op)];
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".txt")
            files.push_back(entry.path());
    return files;
}

struct PublishedRuntime {
    Operator op;
    std::string_view schedule;
    std::string_view milliseconds;
};

std::string decompressed(const std::filesystem::path& path) {
    const std::unique_ptr<archive, decltype(&archive_read_free)> reader(archive_read_new(),
                                                                        &archive_read_free);
    archive_read_support_filter_xz(reader.get());
    archive_read_support_format_raw(reader.get());
    archive_entry* entry = nullptr;
    if (archive_read_open_filename(reader.get(), path.c_str(), 1 << 20) != ARCHIVE_OK ||
        archive_read_next_header(reader.get(), &entry) != ARCHIVE_OK)
        throw std::runtime_error(archive_error_string(reader.get()));
    std::string content;
    std::vector<char> block(1 << 20);
    la_ssize_t bytes = 0;
    while ((bytes = archive_read_data(reader.get(), block.data(), block.size())) > 0)
        content.append(block.data(), static_cast<std::size_t>(bytes));
    if (bytes < 0)
        throw std::runtime_error(archive_error_string(reader.get()));
    return content;
}

/// Every row of a compressed table (.csv.xz) whose last two columns are the schedule and its runtime; the
/// first column names the operator, or the table has SpMM only.
void for_each_published_runtime(const std::filesystem::path& table,
                                const std::function<void(const PublishedRuntime&)>& take) {
    const std::string content = decompressed(table);
    std::string_view rest(content);
    rest.remove_prefix(rest.find('\n') + 1);
    while (!rest.empty()) {
        const std::size_t length = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, length);
        rest.remove_prefix(std::min(length + 1, rest.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        const std::size_t last = line.rfind(',');
        const std::size_t before = line.rfind(',', last - 1);
        take({parse_operator(line.substr(0, line.find(','))).value_or(Operator::SpMM),
              line.substr(before + 1, last - before - 1), line.substr(last + 1)});
    }
}

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

// The measurements that WACO's authors and others published, through our reader and back.
#include "core/schedule/waco_data.h"

#include "core/schedule/print_schedule.h"
#include "schedule/encoding.h"
#include "schedule/text.h"
#include "support/shared_data.h"

#include <gtest/gtest.h>

namespace sparsight {
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
    std::array<int, 3> rows{};
    for_each_published_runtime(table, [&](const PublishedRuntime& row) {
        ++rows[static_cast<std::size_t>(row.op)];
        const std::string line = std::string(row.schedule) + " = " + std::string(row.milliseconds);
        const auto parsed = parse_schedule_runtime(row.op, line);
        ASSERT_TRUE(parsed) << line << ": " << parsed.error().text();
        ASSERT_EQ(to_text(*parsed), line);
        ASSERT_EQ(decode(encode(parsed->schedule), parsed->schedule.threads).value(),
                  canonical(parsed->schedule));
    });
    EXPECT_EQ(rows, expected_rows);
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

#include "schedule/text.h"

#include "core/schedule/print_schedule.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>

namespace sparsight {
namespace {

constexpr std::string_view spmv_line = "512 64 i1 k1 i0 k0 0 0 1 1 i1 48 16 = 0.3";

class CollectedFile : public ::testing::Test {
protected:
    std::filesystem::path write(std::string_view content) {
        std::ofstream(path_, std::ios::binary) << content;
        return path_;
    }
    void TearDown() override { std::filesystem::remove(path_); }

private:
    std::filesystem::path path_ = std::filesystem::path(::testing::TempDir()) /
                                  (std::string("schedules_") +
                                   ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".txt");
};

TEST(RuntimeText, ReadsAndWritesAScheduleWithItsMilliseconds) {
    const ScheduleRuntime line = parse_schedule_runtime(Operator::SpMV, spmv_line).value();
    EXPECT_EQ(line.milliseconds, 0.3);
    EXPECT_EQ(to_text(line.schedule), "512 64 i1 k1 i0 k0 0 0 1 1 i1 48 16");
    EXPECT_EQ(to_text(line), spmv_line);
}

TEST(RuntimeText, WritesTheShortestNumberThatReadsBackTheSame) {
    ScheduleRuntime line = parse_schedule_runtime(Operator::SpMV, spmv_line).value();
    for (const auto& [milliseconds, text] :
         {std::pair{75.75, "75.75"}, std::pair{3.0, "3"}, std::pair{3e-05, "3e-05"},
          std::pair{372322.0, "372322"}, std::pair{1.0 / 3, "0.3333333333333333"}}) {
        line.milliseconds = milliseconds;
        EXPECT_TRUE(to_text(line).ends_with(std::string(" = ") + text)) << to_text(line);
        EXPECT_EQ(parse_schedule_runtime(Operator::SpMV, to_text(line)).value(), line);
    }
}

TEST(RuntimeText, KeepsARunThatFailedAsInfinity) {
    const auto line =
        parse_schedule_runtime(Operator::SpMV, "512 64 i1 k1 i0 k0 0 0 1 1 i1 48 16 = inf").value();
    EXPECT_EQ(line.milliseconds, std::numeric_limits<double>::infinity());
    EXPECT_TRUE(to_text(line).ends_with(" = inf"));
}

TEST(RuntimeText, RefusesWhatIsNotARuntime) {
    const std::string schedule = "512 64 i1 k1 i0 k0 0 0 1 1 i1 48 16";
    EXPECT_EQ(parse_schedule_runtime(Operator::SpMV, schedule).error().message,
              "no \"= milliseconds\" stands after the schedule");
    for (const std::string_view bad : {"", "fast", "-1", "nan", "1 2", "1ms", "="})
        EXPECT_EQ(parse_schedule_runtime(Operator::SpMV, schedule + " = " + std::string(bad)).error().message,
                  "the runtime after \"=\" is \"" + std::string(bad) +
                      "\", expected milliseconds such as 75.75");
}

TEST_F(CollectedFile, IsReadInItsOrderWithoutBlankLines) {
    const auto lines =
        read_schedule_runtimes(Operator::SpMV, write("512 64 i1 k1 i0 k0 0 0 1 1 i1 48 16 = 0.3\r\n\n"
                                                     "64 16 k1 i1 k0 i0 1 1 0 0 i1 48 8 = 11.547"));
    ASSERT_TRUE(lines) << lines.error().text();
    ASSERT_EQ(lines->size(), 2U);
    EXPECT_EQ((*lines)[0].milliseconds, 0.3);
    EXPECT_EQ((*lines)[1].milliseconds, 11.547);
}

TEST_F(CollectedFile, GivesItsSchedulesWithAndWithoutRuntimes) {
    const auto schedules = read_schedules(Operator::SpMV, write("512 64 i1 k1 i0 k0 0 0 1 1 i1 48 16 = 0.3\n"
                                                                "64 16 k1 i1 k0 i0 1 1 0 0 i1 48 8\n"));
    ASSERT_TRUE(schedules) << schedules.error().text();
    ASSERT_EQ(schedules->size(), 2U);
    EXPECT_EQ((*schedules)[1].chunk, 8);
}

TEST_F(CollectedFile, SaysInWhichLineTheDefectIs) {
    const auto path =
        write("\n512 64 i1 k1 i0 k0 0 0 1 1 i1 48 16 = 0.3\n512 64 i1 k2 i0 k0 0 0 1 1 i1 48 16 = 0.3\n");
    const auto lines = read_schedule_runtimes(Operator::SpMV, path);
    ASSERT_FALSE(lines);
    EXPECT_EQ(lines.error().text(),
              path.string() + ":3: word 4, loop 2 of the order, is \"k2\", expected one of i1 i0 k1 k0");
    EXPECT_EQ(read_schedules(Operator::SpMV, path).error().line, 3);
}

TEST_F(CollectedFile, ThatIsNotThereIsTheEnvironmentsFault) {
    const auto lines = read_schedule_runtimes(Operator::SpMV, "/nowhere/at/all.txt");
    ASSERT_FALSE(lines);
    EXPECT_EQ(lines.error().fault, Fault::Environment);
    EXPECT_EQ(lines.error().text(), "/nowhere/at/all.txt: cannot be opened: No such file or directory");
}

TEST_F(CollectedFile, ThatIsAFolderIsTheEnvironmentsFault) {
    const auto lines = read_schedule_runtimes(Operator::SpMV, ::testing::TempDir());
    ASSERT_FALSE(lines);
    EXPECT_EQ(lines.error().fault, Fault::Environment);
}

} // namespace
} // namespace sparsight

#include "evaluation/failures/recorded_failures.h"

#include "support/shared_data.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

class RecordedFailures : public ::testing::Test {
protected:
    ~RecordedFailures() override { std::filesystem::remove(file_); }

    Result<RecordedChoices> read(const std::string& text) {
        std::ofstream(file_) << text;
        return read_recorded_choices(file_);
    }
    /// What is wrong with it, behind the name of the file.
    std::string defect(const std::string& text) {
        const auto choices = read(text);
        EXPECT_FALSE(choices.has_value());
        if (choices)
            return "";
        EXPECT_EQ(choices.error().file, file_.string());
        return choices.error().text().substr(file_.string().size());
    }

    static constexpr const char* header = "matrix,waco_schedule,waco_ms,fixedcsr_ms\n";
    static constexpr const char* schedule = "16 4 64 i1 k1 k0 j1 i0 j0 0 0 0 1 i1 48 32";
    std::filesystem::path file_ =
        std::filesystem::temp_directory_path() / fmt::format("sparsight-recorded-{}.csv", getpid());
};

TEST_F(RecordedFailures, ReadsAChoiceALineWithItsNumber) {
    const auto choices = read(fmt::format("{}\na,{},0.5,0.4\nb,{},1,2\n", header, schedule, schedule));
    ASSERT_TRUE(choices.has_value()) << choices.error().text();
    ASSERT_EQ(choices->choices.size(), 2);
    EXPECT_EQ(choices->choices[0].matrix, "a");
    EXPECT_EQ(choices->choices[0].chosen_ms, 0.5);
    EXPECT_EQ(choices->choices[0].fixed_csr_ms, 0.4);
    EXPECT_EQ(choices->choices[0].line, 3);
}

TEST_F(RecordedFailures, LeavesOutTimesThatNobodyMeasured) {
    const auto choices =
        read(fmt::format("{}a,{},3e-05,4\nb,{},inf,2\nc,{},1,2\n", header, schedule, schedule, schedule));
    ASSERT_TRUE(choices.has_value()) << choices.error().text();
    EXPECT_EQ(choices->choices.size(), 1);
    EXPECT_EQ(choices->left_out, 2);
}

TEST_F(RecordedFailures, ErrorsNameFileLineAndWhatWasExpected) {
    EXPECT_THAT(defect(""),
                HasSubstr("empty: expected a first line matrix,waco_schedule,waco_ms,fixedcsr_ms"));
    EXPECT_THAT(defect("matrix,schedule,ms\n"), HasSubstr(":1: there is no column waco_schedule: expected"));
    EXPECT_THAT(defect(fmt::format("{}a,16 4,1,2\n", header)), HasSubstr(":2: "));
    EXPECT_THAT(defect(fmt::format("{}a,{},fast,2\n", header, schedule)), HasSubstr(":2: "));
    EXPECT_THAT(defect(fmt::format("{0}a,{1},1,2\na,{1},1,2\n", header, schedule)),
                HasSubstr(":3: a stands in line 2 already: expected each matrix once"));
}

TEST_F(RecordedFailures, WithoutAPatternTheFamilyIsThatOfTheSizes) {
    auto choices = read(fmt::format("{0}a,{1},3,2\nb,{1},3,2\n", header, schedule));
    ASSERT_TRUE(choices.has_value()) << choices.error().text();
    choices->choices[0].rows = 1000;
    choices->choices[0].cols = 100;
    choices->choices[0].nnz = 3000;
    const auto cases = find_failures(*choices, "waco").cases;
    ASSERT_EQ(cases.size(), 2);
    EXPECT_EQ(cases[0].family, PatternFamily::TallBySizes);
    EXPECT_EQ(cases[1].family, PatternFamily::Unknown);
}

TEST_F(RecordedFailures, AFailureIsALossBeyondTheNoiseThatIsAssumed) {
    const auto choices = read(
        fmt::format("{0}won,{1},1,2\nnoise,{1},1.03,1\nlost,{1},3,2\nworse,{1},30,20\n", header, schedule));
    ASSERT_TRUE(choices.has_value()) << choices.error().text();
    PatternStatistics banded;
    banded.rows = banded.cols = banded.nnz = 10;
    banded.occupied_diagonals = 1;
    const auto cases = find_failures(*choices, "waco", {{"lost", banded}}).cases;
    ASSERT_EQ(cases.size(), 2);
    EXPECT_EQ(cases[0].matrix, "worse");
    EXPECT_EQ(cases[0].family, PatternFamily::Unknown);
    EXPECT_EQ(cases[1].matrix, "lost");
    EXPECT_EQ(cases[1].family, PatternFamily::Banded);
    EXPECT_EQ(cases[1].line, 4);
    EXPECT_EQ(cases[1].model_name, "waco");
    EXPECT_DOUBLE_EQ(cases[1].main().lost_ms(), 1);
}

TEST_F(RecordedFailures, WhatComesDownToFixedCsrItselfIsNoCaseButCounted) {
    // All 20 rows are one chunk of 64 as they are one of 32.
    // So is a split of j whose parts stand side by side, on any matrix.
    const auto choices = read(fmt::format("{0}few,{1},3,2\nmany,{1},4,3\nunknown,{1},5,4\nbeside,{2},6,5\n",
                                          header, "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 64",
                                          "1 1 64 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 32"));
    ASSERT_TRUE(choices.has_value()) << choices.error().text();
    PatternStatistics few;
    few.rows = few.cols = 20;
    few.nnz = 50;
    PatternStatistics many = few;
    many.rows = many.cols = 1000;
    const auto found = find_failures(*choices, "waco", {{"few", few}, {"many", many}});
    EXPECT_EQ(found.one_program, 2) << "noise alone tells those times apart";
    ASSERT_EQ(found.cases.size(), 2);
    EXPECT_EQ(found.cases[0].matrix, "many");
    EXPECT_EQ(found.cases[1].matrix, "unknown") << "its size is not known";
}

TEST(SeenLoss, IsOneThatIsNeitherFourTimesAsLargeNorAsSmallAsItWas) {
    EXPECT_TRUE(sees_loss(1.5, 1.5));
    EXPECT_TRUE(sees_loss(2.9, 1.5));
    EXPECT_FALSE(sees_loss(3.1, 1.5)) << "a blame far above what was lost explains something else";
    EXPECT_TRUE(sees_loss(1.15, 1.5));
    EXPECT_FALSE(sees_loss(1.1, 1.5));
    EXPECT_FALSE(sees_loss(1.001, 1.001)) << "it takes both for equally fast";
    EXPECT_FALSE(sees_loss(0.8, 1.5)) << "it takes the other one for the slower one";
}

TEST(OriginalWaco, ItsRecordedFailuresCanBeRead) {
    const char* const table = "waco/collected-32-threads/best_vs_csr.csv";
    SPARSIGHT_NEEDS_SHARED(table);
    const auto choices = read_recorded_choices(testing::shared_path(table));
    ASSERT_TRUE(choices.has_value()) << choices.error().text();
    EXPECT_EQ(choices->choices.size() + static_cast<std::size_t>(choices->left_out), 1793);
    const auto cases = find_failures(*choices, "waco").cases;
    EXPECT_GT(cases.size(), 200);
    EXPECT_LT(cases.size(), 300);
}

} // namespace
} // namespace sparsight

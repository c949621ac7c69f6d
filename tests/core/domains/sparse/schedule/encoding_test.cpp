// Schedules as text, and as numbers for networks.
#include "domains/sparse/schedule/encoding.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/text.h"
#include "support/spmm_schedule.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace sparsight {
namespace {

using ::testing::ElementsAre;

TEST(ScheduleText, ReadsTheColumnsOfSpmmInWacosOrder) {
    const SuperSchedule s =
        parse_schedule(Operator::SpMM, "64 4096 2 i1 k1 k0 i0 j1 j0 0 0 1 0 i1 48 16").value();
    EXPECT_EQ(s.split(Index::I), 64);
    EXPECT_EQ(s.split(Index::K), 4096);
    EXPECT_EQ(s.split(Index::J), 2);
    EXPECT_EQ(s.order[3], (LoopIndex{Index::I, Part::Inner}));
    EXPECT_EQ(s.format({Index::K, Part::Outer}), LevelFormat::Uncompressed);
    EXPECT_EQ(s.format({Index::K, Part::Inner}), LevelFormat::Compressed);
    EXPECT_EQ(s.parallel, (LoopIndex{Index::I, Part::Outer}));
    EXPECT_EQ(s.threads, 48);
    EXPECT_EQ(s.chunk, 16);
}

TEST(ScheduleText, ReadsTheSplitOfJBeforeThatOfKForSddmm) {
    const SuperSchedule s =
        parse_schedule(Operator::SDDMM, "2048 8 128 j1 j0 k1 i1 i0 k0 0 1 0 1 j1 48 8").value();
    EXPECT_EQ(s.split(Index::J), 8);
    EXPECT_EQ(s.split(Index::K), 128);
    EXPECT_EQ(s.format({Index::I, Part::Inner}), LevelFormat::Uncompressed);
    EXPECT_EQ(s.format({Index::J, Part::Outer}), LevelFormat::Compressed);
}

TEST(ScheduleText, WritesWhatItReadByteForByte) {
    for (const auto& [op, text] : {std::pair{Operator::SpMM, "64 4096 2 i1 k1 k0 i0 j1 j0 0 0 1 0 i1 48 16"},
                                   std::pair{Operator::SpMV, "512 64 i1 k1 i0 k0 0 0 1 1 i1 48 16"},
                                   std::pair{Operator::SDDMM, "1 4 16 i1 j1 k1 j0 i0 k0 0 1 0 1 i1 48 2"},
                                   std::pair{Operator::SpMM, "3 1 100 k0 i1 k1 j1 i0 j0 0 0 1 0 i1 2 7"}})
        EXPECT_EQ(to_text(parse_schedule(op, text).value()), text);
}

TEST(ScheduleText, TakesAnyWhiteSpaceBetweenWords) {
    EXPECT_EQ(to_text(parse_schedule(Operator::SpMV, "  512\t64 i1  k1 i0 k0 0 0 1 1 i1 48 16 \r\n").value()),
              "512 64 i1 k1 i0 k0 0 0 1 1 i1 48 16");
}

struct TextDefect {
    Operator op;
    std::string_view line;
    std::string_view message;
};

TEST(ScheduleText, NamesTheWordThatIsWrongAndWhatWasExpected) {
    const std::vector<TextDefect> defects{
        {Operator::SpMV, "",
         "only 0 words where a schedule of spmv has 13: isplit ksplit o1 … o4 f(i1) f(i0) f(k1) f(k0) "
         "parallel "
         "threads "
         "chunk"},
        {Operator::SDDMM, "1 4 16 i1 j1 k1 j0 i0 k0 0 1 0 1 i1 48",
         "only 15 words where a schedule of sddmm has 16: isplit jsplit ksplit o1 … o6 f(i1) f(i0) f(j1) "
         "f(j0) "
         "parallel "
         "threads chunk"},
        {Operator::SpMV, "512 64 i1 k1 i0 k0 0 0 1 1 i1 48 16 = 3",
         "word 14 is \"=\", but a schedule of spmv ends after 13 words: isplit ksplit o1 … o4 f(i1) f(i0) "
         "f(k1) "
         "f(k0) "
         "parallel threads chunk"},
        {Operator::SpMV, "512 x i1 k1 i0 k0 0 0 1 1 i1 48 16",
         "word 2, the split of k, is \"x\", expected a whole number from 1 to 1073741824"},
        {Operator::SpMV, "0 64 i1 k1 i0 k0 0 0 1 1 i1 48 16",
         "word 1, the split of i, is \"0\", expected a whole number from 1 to 1073741824"},
        {Operator::SpMV, "99999999999999999999 64 i1 k1 i0 k0 0 0 1 1 i1 48 16",
         "word 1, the split of i, is \"99999999999999999999\", expected a whole number from 1 to 1073741824"},
        {Operator::SpMV, "512 6.4 i1 k1 i0 k0 0 0 1 1 i1 48 16",
         "word 2, the split of k, is \"6.4\", expected a whole number from 1 to 1073741824"},
        {Operator::SpMV, "512 64 i1 j1 i0 k0 0 0 1 1 i1 48 16",
         "word 4, loop 2 of the order, is \"j1\", expected one of i1 i0 k1 k0"},
        {Operator::SpMV, "512 64 i1 k1 i0 k0 0 2 1 1 i1 48 16",
         "word 8, the format of level i0, is \"2\", expected 0 (compressed) or 1 (uncompressed)"},
        {Operator::SDDMM, "1 4 16 i1 j1 k1 j0 i0 k0 0 1 0 U i1 48 2",
         "word 13, the format of level j0, is \"U\", expected 0 (compressed) or 1 (uncompressed)"},
        {Operator::SpMV, "512 64 i1 k1 i0 k0 0 0 1 1 all 48 16",
         "word 11, the parallel loop, is \"all\", expected one of i1 i0 k1 k0"},
        {Operator::SpMV, "512 64 i1 k1 i0 k0 0 0 1 1 i1 2000 16",
         "word 12, the number of threads, is \"2000\", expected a whole number from 1 to 1024"},
        {Operator::SpMV, "512 64 i1 k1 i0 k0 0 0 1 1 i1 48 -1",
         "word 13, the chunk, is \"-1\", expected a whole number from 1 to 1048576"},
        {Operator::SpMV, "512 64 i0 k1 i1 k0 0 0 1 1 i1 48 16",
         "i0 stands before i1: the inner part of a split index must run inside its outer part"},
    };
    for (const TextDefect& defect : defects) {
        const auto result = parse_schedule(defect.op, defect.line);
        ASSERT_FALSE(result) << defect.line;
        EXPECT_EQ(result.error().fault, Fault::Input);
        EXPECT_EQ(result.error().message, defect.message);
    }
}

TEST(ScheduleText, ShowsBinaryRubbishInAMessageWithoutRepeatingAllOfIt) {
    std::string line = "512 64 i1 k1 i0 k0 0 0 1 1 i1 48 ";
    line += std::string(100000, '\x01');
    const auto result = parse_schedule(Operator::SpMV, line);
    ASSERT_FALSE(result);
    EXPECT_LT(result.error().message.size(), 200U);
    EXPECT_EQ(result.error().message.find('\x01'), std::string::npos);
}

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

std::string words(Operator op, std::string_view text) {
    const Result<SuperSchedule> schedule = parse_schedule(op, text);
    return schedule ? describe(*schedule) : schedule.error().text();
}

TEST(Description, CallsFixedCsrByItsName) {
    EXPECT_EQ(
        describe(fixed_csr(Operator::SpMV, 8)),
        "A is stored as CSR: rows (dense), then columns (compressed). 8 threads take 32 rows at a time.");
}

TEST(Description, NamesBlocksTheirLevelsAndTheStripsOfC) {
    EXPECT_EQ(words(Operator::SpMM, "4 1 64 i1 j1 k1 i0 k0 j0 1 1 0 0 i1 8 16"),
              "A is stored by row blocks of 4 (dense), then columns (compressed), then rows in a block "
              "(dense). 8 threads take 16 row blocks at a time; the columns of C run in strips of 64.");
}

TEST(Description, SaysWhenASplitOfADenseIndexChangesNothing) {
    EXPECT_THAT(words(Operator::SpMM, "1 1 4 i1 i0 k1 k0 j1 j0 1 1 0 0 i1 8 16"),
                ::testing::EndsWith(
                    "; in this schedule splitting j by 4 changes nothing, because j0 follows j1 directly."));
    EXPECT_THAT(words(Operator::SpMM, "1 1 4 i1 i0 j1 k1 k0 j0 1 1 0 0 i1 8 16"),
                ::testing::EndsWith("; the columns of C run in strips of 4."));
}

TEST(Description, SpeaksOfOneThreadAndOneRowInTheSingular) {
    EXPECT_EQ(words(Operator::SpMV, "1 1 k1 k0 i1 i0 0 0 1 0 i1 1 1"),
              "A is stored as CSC: columns (dense), then rows (compressed). 1 thread takes 1 row at a time.");
}

TEST(Description, FollowsTheColumnIndexAndTheParallelLoopOfSddmm) {
    EXPECT_EQ(words(Operator::SDDMM, "2 8 32 j1 i1 k1 i0 j0 k0 0 1 1 1 j1 4 2"),
              "A is stored by column blocks of 8 (dense), then row blocks of 2 (compressed), then rows in a "
              "block (dense), then columns in a block (dense). 4 threads take 2 column blocks at a time; the "
              "sum over k runs in strips of 32.");
}

TEST(Description, KnowsBlockCompressedRows) {
    EXPECT_THAT(
        words(Operator::SpMM, "4 4 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 8 16"),
        ::testing::StartsWith("A is stored as BCSR: row blocks of 4 (dense), then column blocks of 4"));
}

SuperSchedule parsed(Operator op, std::string_view text) {
    return parse_schedule(op, text).value();
}

TEST(Encoding, HasACategoryForEachDecision) {
    const auto encoding = encode(parsed(Operator::SDDMM, "2048 8 128 j1 j0 k1 i1 i0 k0 0 1 0 1 j1 48 16"));
    EXPECT_THAT(encoding.splits, ElementsAre(11, 3, 7)); // i, j, k
    EXPECT_THAT(encoding.formats, ElementsAre(0, 1, 0, 1));
    EXPECT_EQ(encoding.parallel, 2); // i1 i0 j1
    EXPECT_EQ(encoding.chunk, 4);
}

TEST(Encoding, HoldsTheLoopOrderAsAPermutationMatrixOfLoopsByDepth) {
    const auto encoding = encode(parsed(Operator::SpMV, "4 2 k1 i1 k0 i0 1 0 1 0 i1 48 64"));
    EXPECT_THAT(encoding.order, ElementsAre(0, 1, 0, 0,   // i1 stands at depth 1
                                            0, 0, 0, 1,   // i0
                                            1, 0, 0, 0,   // k1
                                            0, 0, 1, 0)); // k0
    EXPECT_EQ(encode(fixed_csr(Operator::SpMM, 1)).order.size(), 36U);
    EXPECT_EQ(encode(fixed_csr(Operator::SDDMM, 1)).order.size(), 36U);
}

TEST(Encoding, IsTheSameForSchedulesThatMeanTheSame) {
    EXPECT_EQ(encode(parsed(Operator::SpMM, "4 1 2 i1 k1 j1 i0 k0 j0 1 1 0 0 i1 48 32")),
              encode(parsed(Operator::SpMM, "4 1 2 k0 i1 k1 j1 i0 j0 1 1 0 1 i1 48 32")));
}

TEST(Encoding, SharesTheCategoryOfTheNextSmallerPowerOfTwo) {
    const auto encoding = encode(parsed(Operator::SpMV, "7 1000 i1 k1 i0 k0 0 0 1 1 i1 48 48"));
    EXPECT_THAT(encoding.splits, ElementsAre(2, 9));
    EXPECT_EQ(encoding.chunk, 5);
    EXPECT_EQ(to_text(decode(encoding, 48).value()), "4 512 i1 k1 i0 k0 0 0 1 1 i1 48 32");
}

TEST(Encoding, DecodesToTheCanonicalScheduleItWasMadeFrom) {
    Random random(7);
    for (const Operator op : all_operators)
        for (const auto& original : sample_uniform(op, extents(op, 100'000, 5, 256), 2000, 48, random))
            ASSERT_EQ(decode(encode(original), 48).value(), original) << to_text(original);
}

TEST(Encoding, ReachesTheLargestCategories) {
    const auto encoding = encode(parsed(Operator::SpMV, "1073741824 1 i1 k1 i0 k0 0 0 1 1 i1 48 1048576"));
    EXPECT_EQ(encoding.splits[0], split_categories - 1);
    EXPECT_EQ(encoding.chunk, chunk_categories - 1);
    EXPECT_TRUE(decode(encoding, 48));
}

struct EncodingDefect {
    std::function<void(ScheduleEncoding&)> introduce;
    std::string_view reason;
};

TEST(Encoding, RefusesToDecodeWhatIsNoEncoding) {
    const std::vector<EncodingDefect> defects{
        {[](ScheduleEncoding& e) { e.splits.pop_back(); },
         "1 splits and 16 numbers of the loop order, where spmv has 2 and 16"},
        {[](ScheduleEncoding& e) { e.order.resize(36); },
         "2 splits and 36 numbers of the loop order, where spmv has 2 and 16"},
        {[](ScheduleEncoding& e) { e.splits[0] = 31; }, "the category of a split is 31, expected 0 to 30"},
        {[](ScheduleEncoding& e) { e.formats[0] = 2; },
         "the category of a level format is 2, expected 0 to 1"},
        {[](ScheduleEncoding& e) { e.parallel = -1; },
         "the category of the parallel loop is -1, expected 0 to 3"},
        {[](ScheduleEncoding& e) { e.parallel = 2; }, "spmv cannot run in parallel over k1, expected i1"},
        {[](ScheduleEncoding& e) { e.chunk = 21; }, "the category of the chunk is 21, expected 0 to 20"},
        {[](ScheduleEncoding& e) { e.order[1] = 1; },
         "2 loops stand at depth 2 of the loop order, expected one"},
        {[](ScheduleEncoding& e) { e.order[0] = 0; },
         "0 loops stand at depth 1 of the loop order, expected one"},
        {[](ScheduleEncoding& e) { e.order[0] = 0.5F; },
         "the matrix of the loop order holds 0.5, expected 0 or 1"},
        {[](ScheduleEncoding& e) {
             std::swap_ranges(e.order.begin(), e.order.begin() + 4, e.order.begin() + 4);
         },
         "i0 stands before i1: the inner part of a split index must run inside its outer part"},
    };
    for (const EncodingDefect& defect : defects) {
        ScheduleEncoding encoding = encode(parsed(Operator::SpMV, "4 2 i1 i0 k1 k0 1 0 1 0 i1 48 64"));
        ASSERT_TRUE(decode(encoding, 48));
        defect.introduce(encoding);
        const auto decoded = decode(encoding, 48);
        ASSERT_FALSE(decoded) << defect.reason;
        EXPECT_EQ(decoded.error().message, defect.reason);
    }
}

} // namespace
} // namespace sparsight

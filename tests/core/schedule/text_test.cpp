#include "schedule/text.h"

#include "core/schedule/print_schedule.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

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

struct Defect {
    Operator op;
    std::string_view line;
    std::string_view message;
};

TEST(ScheduleText, NamesTheWordThatIsWrongAndWhatWasExpected) {
    const std::vector<Defect> defects{
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
    for (const Defect& defect : defects) {
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

} // namespace
} // namespace sparsight

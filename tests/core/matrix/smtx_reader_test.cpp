#include "core/matrix/matrix_pictures.h"
#include "matrix/reading.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

void expect_defect(const std::string& text, std::int64_t line, const std::string& message,
                   Fault fault = Fault::Input) {
    for (const std::size_t block_bytes : {1U, 1000U}) {
        const Result<LoadedMatrix> loaded = parse_smtx(text, "test.smtx", {.block_bytes = block_bytes});
        ASSERT_FALSE(loaded) << text;
        EXPECT_EQ(loaded.error().file, "test.smtx");
        EXPECT_EQ(loaded.error().line, line);
        EXPECT_EQ(loaded.error().message, message);
        EXPECT_EQ(loaded.error().fault, fault);
    }
}

TEST(SmtxReader, ReadsThePattern) {
    for (const std::string text :
         {"2, 3, 3\n0 2 3\n0 2 1\n", "2,3,3\r\n0 2 3 \r\n2 0 1 ", "2 3 3\n0\t2 3\n0 2 1\n\n"}) {
        const Result<LoadedMatrix> loaded = parse_smtx(text, "test");
        ASSERT_TRUE(loaded) << loaded.error().text();
        EXPECT_EQ(testing::picture(loaded->pattern), "1 . 1\n"
                                                     ". 1 .\n");
        EXPECT_EQ(loaded->report.format, MatrixFileFormat::DlmcSmtx);
    }
}

TEST(SmtxReader, ReadsMatricesWithoutNonZeros) {
    for (const std::string text : {"2, 3, 0\n0 0 0\n", "2, 3, 0\n0 0 0\n\n", "2, 3, 0\n0 0 0"}) {
        const Result<LoadedMatrix> loaded = parse_smtx(text, "test");
        ASSERT_TRUE(loaded) << loaded.error().text();
        EXPECT_EQ(loaded->pattern.nnz(), 0);
    }
}

TEST(SmtxReader, MergesDuplicatesAndCountsThem) {
    const Result<LoadedMatrix> loaded = parse_smtx("1, 3, 3\n0 3\n1 0 1\n", "test");
    ASSERT_TRUE(loaded);
    EXPECT_EQ(testing::picture(loaded->pattern), "1 1 .\n");
    EXPECT_EQ(loaded->report.duplicates_merged, 1);
}

TEST(SmtxReader, SaysWhatIsWrongAndWhere) {
    expect_defect("", 1,
                  "the line ends after 0 sizes; expected 3 (the first line is \"rows, columns, non-zeros\")");
    expect_defect("2, 3\n", 1,
                  "the line ends after 2 sizes; expected 3 (the first line is \"rows, columns, non-zeros\")");
    expect_defect(
        "2, x, 3\n", 1,
        "the size is \"x\"; expected a whole number (the first line is \"rows, columns, non-zeros\")");
    expect_defect("2, -3, 3\n", 1,
                  "the size -3 is negative (the first line is \"rows, columns, non-zeros\")");
    expect_defect("2, 3, 3", 1, "the file ends; expected a line of row pointers");
    expect_defect("2, 3, 3\n0 2\n0 2 1\n", 2, "the line ends after 2 row pointers; expected 3");
    expect_defect("2, 3, 3\n0 2 3 3\n0 2 1\n", 2,
                  "\"3\" stands behind 3 row pointers; expected the end of the line");
    expect_defect("2, 3, 3\n0 4 3\n0 2 1\n", 2,
                  "row pointer 1 is 4; expected 0..3, from the pointer before it to the number of non-zeros");
    expect_defect("2, 3, 3\n0 2 3\n", 3, "the line ends after 0 column ids; expected 3");
    expect_defect("2, 3, 3\n0 2 3\n0 2\n", 3, "the line ends after 2 column ids; expected 3");
    expect_defect("2, 3, 3\n0 2 3\n0 2 3\n", 3, "column id 3 (non-zero 3 of 3, in row 1) is outside 0..2");
    expect_defect("2, 3, 3\n0 2 3\n0 2 1.5\n", 3, "the column id is \"1.5\"; expected a whole number");
    expect_defect("2, 3, 3\n0 2 3\n0 2 99999999999999999999\n", 3,
                  "the column id \"99999999999999999999\" overflows 64 bits");
    expect_defect("2, 3, 3\n0 2 3\n0 2 1\n\n7\n", 5,
                  "\"7\" follows the column ids; expected the end of the file");
}

TEST(SmtxReader, SaysWhichLimitAFileExceeds) {
    expect_defect("2147483648, 3, 3\n", 1, "2147483648 rows; the limit is 2147483647", Fault::Limit);
}

TEST(SmtxReader, DoesNotGetMemoryOnTheWordOfTheSizes) {
    expect_defect("2147483647, 2147483647, 2147483647\n0 1\n", 2,
                  "the line ends after 2 row pointers; expected 2147483648");
}

} // namespace
} // namespace sparsight

#include "core/domains/sparse/tensor/pattern_pictures.h"
#include "domains/sparse/tensor/reading.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace sparsight {
namespace {

std::string bytes_of(const std::vector<std::int32_t>& numbers) {
    std::string bytes;
    for (const std::int32_t number : numbers)
        for (int shift = 0; shift < 32; shift += 8)
            bytes += static_cast<char>(static_cast<std::uint32_t>(number) >> shift & 0xFF);
    return bytes;
}

std::string defect_in_csr(const std::string& bytes, Fault fault = Fault::Input) {
    const Result<LoadedMatrix> loaded = parse_waco_csr(bytes, "test.csr");
    if (loaded)
        return "none";
    EXPECT_EQ(loaded.error().fault, fault);
    EXPECT_EQ(loaded.error().file, "test.csr");
    EXPECT_EQ(loaded.error().line, 0);
    return loaded.error().message;
}

TEST(WacoCsrReader, ReadsThePattern) {
    for (const std::size_t block_bytes : {1U, 8U, 1000U}) {
        const auto loaded = parse_waco_csr(bytes_of({2, 3, 3, 0, 2, 3, 0, 2, 1}), "test",
                                           {.threads = 1, .block_bytes = block_bytes});
        ASSERT_TRUE(loaded) << loaded.error().text();
        EXPECT_EQ(testing::picture(loaded->pattern), "1 . 1\n"
                                                     ". 1 .\n");
        EXPECT_EQ(loaded->report.format, MatrixFileFormat::WacoCsr);
        EXPECT_EQ(loaded->report.stored_entries, 3);
    }
}

TEST(WacoCsrReader, SortsRowsAndMergesDuplicates) {
    const auto loaded = parse_waco_csr(bytes_of({1, 3, 3, 0, 3, 2, 0, 2}), "test");
    ASSERT_TRUE(loaded);
    EXPECT_EQ(testing::picture(loaded->pattern), "1 . 1\n");
    EXPECT_EQ(loaded->report.duplicates_merged, 1);
}

TEST(WacoCsrReader, ReadsMatricesWithoutNonZeros) {
    EXPECT_TRUE(parse_waco_csr(bytes_of({0, 0, 0, 0}), "test"));
    EXPECT_TRUE(parse_waco_csr(bytes_of({2, 5, 0, 0, 0, 0}), "test"));
}

TEST(WacoCsrReader, RefusesFilesOfAnotherLengthThanTheirHeaderPromises) {
    EXPECT_EQ(defect_in_csr(""),
              "the file is truncated: it has 0 bytes; a WACO csr file begins with 12, the numbers of "
              "rows, columns and non-zeros");
    EXPECT_EQ(defect_in_csr(bytes_of({1, 1})),
              "the file is truncated: it has 8 bytes; a WACO csr file begins with 12, the "
              "numbers of rows, columns and non-zeros");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 0, 2, 3, 0, 2})),
              "the file is truncated: its header promises 2 rows and 3 non-zeros, which take 36 bytes, but "
              "it has 32");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 0, 2, 3, 0, 2, 1}) + "x"),
              "the file does not end where it should: its header promises 2 rows and 3 non-zeros, which take "
              "36 bytes, "
              "but it has 37");
    EXPECT_EQ(
        defect_in_csr(bytes_of({INT32_MAX, INT32_MAX, INT32_MAX, 0})),
        "the file is truncated: its header promises 2147483647 rows and 2147483647 non-zeros, which take "
        "17179869192 bytes, but it has 16");
}

TEST(WacoCsrReader, RefusesNumbersOutOfRange) {
    EXPECT_EQ(defect_in_csr(bytes_of({-1, 3, 3})),
              "the header says -1 rows, 3 columns, 3 non-zeros; none can be negative");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 1, 2, 3, 0, 2, 1})), "row pointer 0 is 1; expected 0");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 0, -2, 3, 0, 2, 1})),
              "row pointer 1 is -2; expected 0..3, from the pointer before it to the number of non-zeros");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 0, 4, 3, 0, 2, 1})),
              "row pointer 1 is 4; expected 0..3, from the pointer before it to the number of non-zeros");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 0, 2, 2, 0, 2, 1})),
              "the last row pointer is 2; expected 3, the number of non-zeros");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 0, 2, 3, 0, 2, 3})),
              "column id 3 (non-zero 3 of 3, in row 1) is outside 0..2");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 0, 2, 3, -1, 2, 1})),
              "column id -1 (non-zero 1 of 3, in row 0) is outside 0..2");
}

void expect_csr_defect(const std::string& text, std::int64_t line, const std::string& message,
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
    expect_csr_defect(
        "", 1, "the line ends after 0 sizes; expected 3 (the first line is \"rows, columns, non-zeros\")");
    expect_csr_defect(
        "2, 3\n", 1,
        "the line ends after 2 sizes; expected 3 (the first line is \"rows, columns, non-zeros\")");
    expect_csr_defect(
        "2, x, 3\n", 1,
        "the size is \"x\"; expected a whole number (the first line is \"rows, columns, non-zeros\")");
    expect_csr_defect("2, -3, 3\n", 1,
                      "the size -3 is negative (the first line is \"rows, columns, non-zeros\")");
    expect_csr_defect("2, 3, 3", 1, "the file ends; expected a line of row pointers");
    expect_csr_defect("2, 3, 3\n0 2\n0 2 1\n", 2, "the line ends after 2 row pointers; expected 3");
    expect_csr_defect("2, 3, 3\n0 2 3 3\n0 2 1\n", 2,
                      "\"3\" stands behind 3 row pointers; expected the end of the line");
    expect_csr_defect(
        "2, 3, 3\n0 4 3\n0 2 1\n", 2,
        "row pointer 1 is 4; expected 0..3, from the pointer before it to the number of non-zeros");
    expect_csr_defect("2, 3, 3\n0 2 3\n", 3, "the line ends after 0 column ids; expected 3");
    expect_csr_defect("2, 3, 3\n0 2 3\n0 2\n", 3, "the line ends after 2 column ids; expected 3");
    expect_csr_defect("2, 3, 3\n0 2 3\n0 2 3\n", 3,
                      "column id 3 (non-zero 3 of 3, in row 1) is outside 0..2");
    expect_csr_defect("2, 3, 3\n0 2 3\n0 2 1.5\n", 3, "the column id is \"1.5\"; expected a whole number");
    expect_csr_defect("2, 3, 3\n0 2 3\n0 2 99999999999999999999\n", 3,
                      "the column id \"99999999999999999999\" overflows 64 bits");
    expect_csr_defect("2, 3, 3\n0 2 3\n0 2 1\n\n7\n", 5,
                      "\"7\" follows the column ids; expected the end of the file");
}

TEST(SmtxReader, SaysWhichLimitAFileExceeds) {
    expect_csr_defect("2147483648, 3, 3\n", 1, "2147483648 rows; the limit is 2147483647", Fault::Limit);
}

TEST(SmtxReader, DoesNotGetMemoryOnTheWordOfTheSizes) {
    expect_csr_defect("2147483647, 2147483647, 2147483647\n0 1\n", 2,
                      "the line ends after 2 row pointers; expected 2147483648");
}

} // namespace
} // namespace sparsight

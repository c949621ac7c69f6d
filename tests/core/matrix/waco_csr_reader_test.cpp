#include "core/matrix/matrix_pictures.h"
#include "matrix/reading.h"

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

std::string defect_of(const std::string& bytes, Fault fault = Fault::Input) {
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
    EXPECT_EQ(defect_of(""),
              "the file is truncated: it has 0 bytes; a WACO csr file begins with 12, the numbers of "
              "rows, columns and non-zeros");
    EXPECT_EQ(defect_of(bytes_of({1, 1})),
              "the file is truncated: it has 8 bytes; a WACO csr file begins with 12, the "
              "numbers of rows, columns and non-zeros");
    EXPECT_EQ(defect_of(bytes_of({2, 3, 3, 0, 2, 3, 0, 2})),
              "the file is truncated: its header promises 2 rows and 3 non-zeros, which take 36 bytes, but "
              "it has 32");
    EXPECT_EQ(defect_of(bytes_of({2, 3, 3, 0, 2, 3, 0, 2, 1}) + "x"),
              "the file does not end where it should: its header promises 2 rows and 3 non-zeros, which take "
              "36 bytes, "
              "but it has 37");
    EXPECT_EQ(
        defect_of(bytes_of({INT32_MAX, INT32_MAX, INT32_MAX, 0})),
        "the file is truncated: its header promises 2147483647 rows and 2147483647 non-zeros, which take "
        "17179869192 bytes, but it has 16");
}

TEST(WacoCsrReader, RefusesNumbersOutOfRange) {
    EXPECT_EQ(defect_of(bytes_of({-1, 3, 3})),
              "the header says -1 rows, 3 columns, 3 non-zeros; none can be negative");
    EXPECT_EQ(defect_of(bytes_of({2, 3, 3, 1, 2, 3, 0, 2, 1})), "row pointer 0 is 1; expected 0");
    EXPECT_EQ(defect_of(bytes_of({2, 3, 3, 0, -2, 3, 0, 2, 1})),
              "row pointer 1 is -2; expected 0..3, from the pointer before it to the number of non-zeros");
    EXPECT_EQ(defect_of(bytes_of({2, 3, 3, 0, 4, 3, 0, 2, 1})),
              "row pointer 1 is 4; expected 0..3, from the pointer before it to the number of non-zeros");
    EXPECT_EQ(defect_of(bytes_of({2, 3, 3, 0, 2, 2, 0, 2, 1})),
              "the last row pointer is 2; expected 3, the number of non-zeros");
    EXPECT_EQ(defect_of(bytes_of({2, 3, 3, 0, 2, 3, 0, 2, 3})),
              "column id 3 (non-zero 3 of 3, in row 1) is outside 0..2");
    EXPECT_EQ(defect_of(bytes_of({2, 3, 3, 0, 2, 3, -1, 2, 1})),
              "column id -1 (non-zero 1 of 3, in row 0) is outside 0..2");
}

} // namespace
} // namespace sparsight

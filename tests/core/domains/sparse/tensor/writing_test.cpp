#include "domains/sparse/tensor/reading.h"
#include "domains/sparse/tensor/writing.h"

#include "support/test_files.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace sparsight {
namespace {

using testing::file_content;
using testing::TemporaryFolder;
using testing::write_file;

CsrPattern small_pattern() {
    return {3, 4, {0, 2, 2, 3}, {0, 3, 1}, {0.1F, -2, 1e20F}};
}

TEST(MatrixMarketWriter, WritesACoordinateFile) {
    const TemporaryFolder folder;
    ASSERT_TRUE(write_matrix_market(folder / "a.mtx", small_pattern(), "made by hand\nfor a test"));
    EXPECT_EQ(file_content(folder / "a.mtx"), "%%MatrixMarket matrix coordinate real general\n"
                                              "% made by hand\n"
                                              "% for a test\n"
                                              "3 4 3\n"
                                              "1 1 0.1\n"
                                              "1 4 -2\n"
                                              "3 2 1e+20\n");
}

TEST(MatrixMarketWriter, WritesAPatternFileWhereThereAreNoValues) {
    const TemporaryFolder folder;
    CsrPattern pattern = small_pattern();
    pattern.values.clear();
    ASSERT_TRUE(write_matrix_market(folder / "a.mtx", pattern));
    EXPECT_EQ(file_content(folder / "a.mtx"), "%%MatrixMarket matrix coordinate pattern general\n"
                                              "3 4 3\n"
                                              "1 1\n"
                                              "1 4\n"
                                              "3 2\n");
}

TEST(MatrixMarketWriter, LosesNothing) {
    const TemporaryFolder folder;
    CsrPattern pattern{2, 100'000, {0, 0, 0}, {}, {}};
    for (std::int32_t column = 0; column < 100'000; ++column) {
        pattern.column_ids.push_back(column);
        pattern.values.push_back(std::nextafter(static_cast<float>(column) * 1e-20F, 1.0F));
    }
    pattern.values[0] = std::numeric_limits<float>::infinity();
    pattern.values[1] = std::numeric_limits<float>::denorm_min();
    pattern.values[2] = -std::numeric_limits<float>::max();
    pattern.row_pointers.back() = pattern.nnz();
    ASSERT_TRUE(write_matrix_market(folder / "a.mtx", pattern));
    const Result<LoadedMatrix> loaded = read_matrix(folder / "a.mtx");
    ASSERT_TRUE(loaded) << loaded.error().text();
    EXPECT_EQ(loaded->pattern, pattern);
}

TEST(WacoCsrWriter, WritesWhatItsReaderReads) {
    const TemporaryFolder folder;
    CsrPattern pattern = small_pattern();
    ASSERT_TRUE(write_waco_csr(folder / "a.csr", pattern));
    EXPECT_EQ(std::filesystem::file_size(folder / "a.csr"), 4U * (3 + 4 + 3));
    const Result<LoadedMatrix> loaded = read_matrix(folder / "a.csr");
    ASSERT_TRUE(loaded) << loaded.error().text();
    pattern.values.clear();
    EXPECT_EQ(loaded->pattern, pattern);
}

TEST(WacoCsrWriter, WritesLittleEndianInt32) {
    const TemporaryFolder folder;
    const CsrPattern pattern{1, 300, {0, 1}, {258}, {}};
    ASSERT_TRUE(write_waco_csr(folder / "a.csr", pattern));
    EXPECT_EQ(file_content(folder / "a.csr"),
              std::string("\1\0\0\0\x2c\1\0\0\1\0\0\0\0\0\0\0\1\0\0\0\2\1\0\0", 24));
}

TEST(WacoCsrWriter, SaysWhatItsFormatCannotHold) {
    const TemporaryFolder folder;
    CsrPattern pattern = small_pattern();
    pattern.cols = std::int64_t{1} << 31;
    const Result<void> written = write_waco_csr(folder / "a.csr", pattern);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().fault, Fault::Limit);
    EXPECT_EQ(written.error().message,
              "cannot be written as WACO csr, which counts in 32 bits: 3 rows, 2147483648 columns, "
              "3 non-zeros; the limit for each is 2147483647");
    EXPECT_FALSE(std::filesystem::exists(folder / "a.csr"));
}

TEST(Writers, SayWhereTheyCannotWrite) {
    const TemporaryFolder folder;
    for (const Result<void>& written : {write_matrix_market(folder / "no" / "a.mtx", small_pattern()),
                                        write_waco_csr(folder / "no" / "a.mtx", small_pattern())}) {
        ASSERT_FALSE(written);
        EXPECT_EQ(written.error().text(),
                  (folder / "no" / "a.mtx").string() + ": cannot be created: No such file or directory");
        EXPECT_EQ(written.error().fault, Fault::Environment);
    }
}

TEST(Writers, ReplaceAFileThatWasThere) {
    const TemporaryFolder folder;
    const auto path = write_file(folder / "a.mtx",
                                 "something much longer than a matrix of one entry ......................");
    ASSERT_TRUE(write_matrix_market(path, {1, 1, {0, 1}, {0}, {}}));
    EXPECT_EQ(file_content(path), "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n");
}

} // namespace
} // namespace sparsight

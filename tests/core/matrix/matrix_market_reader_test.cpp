// What a legal Matrix Market text becomes. Every text is read with several threads and block sizes.
#include "core/matrix/matrix_pictures.h"
#include "matrix/reading.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

using testing::picture;

LoadedMatrix read(const std::string& text) {
    const Result<LoadedMatrix> whole = parse_matrix_market(text, "test", {.threads = 1});
    if (!whole) {
        ADD_FAILURE() << whole.error().text();
        return {};
    }
    EXPECT_TRUE(is_well_formed(whole->pattern));
    for (const int threads : {1, 3})
        for (const std::size_t block_bytes : {1U, 7U, 16U, 50U}) {
            const Result<LoadedMatrix> pieces =
                parse_matrix_market(text, "test", {.threads = threads, .block_bytes = block_bytes});
            if (!pieces) {
                ADD_FAILURE() << threads << " threads, blocks of " << block_bytes << ": "
                              << pieces.error().text();
                continue;
            }
            EXPECT_EQ(picture(pieces->pattern), picture(whole->pattern));
            EXPECT_EQ(pieces->report, whole->report);
        }
    return *whole;
}

TEST(MatrixMarketReader, ReadsCoordinates) {
    const LoadedMatrix loaded = read("%%MatrixMarket matrix coordinate real general\n"
                                     "2 3 3\n"
                                     "1 1 1.5\n"
                                     "2 3 -2\n"
                                     "1 2 1e2\n");
    EXPECT_EQ(picture(loaded.pattern), "1.5 100 .\n"
                                       ". . -2\n");
    EXPECT_EQ(loaded.name, "test");
    EXPECT_EQ(loaded.report.format, MatrixFileFormat::MatrixMarketCoordinate);
    EXPECT_EQ(loaded.report.field, ValueField::Real);
    EXPECT_EQ(loaded.report.symmetry, MatrixSymmetry::General);
    EXPECT_EQ(loaded.report.stored_entries, 3);
}

TEST(MatrixMarketReader, ReadsPatternsWithoutValues) {
    const LoadedMatrix loaded = read("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n2 1\n1 2\n");
    EXPECT_EQ(picture(loaded.pattern), ". 1\n"
                                       "1 .\n");
    EXPECT_FALSE(loaded.pattern.has_values());
}

TEST(MatrixMarketReader, ReadsIntegersOfAnySize) {
    EXPECT_EQ(picture(read("%%MatrixMarket matrix coordinate integer general\n1 3 3\n"
                           "1 1 -9223372036854775808\n1 2 123456789012345678901234567890\n1 3 +7\n")
                          .pattern),
              "-9.223372e+18 1.2345679e+29 7\n");
}

TEST(MatrixMarketReader, ReadsWholeNumbersOfAnIntegerFileInAnySpelling) {
    EXPECT_EQ(
        picture(read("%%MatrixMarket matrix coordinate integer general\n1 3 3\n1 1 1e3\n1 2 2.0\n1 3 inf\n")
                    .pattern),
        "1000 2 inf\n");
}

TEST(MatrixMarketReader, ReadsValuesAsFortranWritesThem) {
    const LoadedMatrix loaded = read("%%MatrixMarket matrix coordinate real general\n1 4 4\n"
                                     "1 1 1.5D+02\n1 2 -1d-1\n1 3 +1\n1 4 0.0D+01\n");
    EXPECT_EQ(picture(loaded.pattern), "150 -0.1 1 0\n");
    EXPECT_EQ(loaded.report.explicit_zeros, 1);
}

TEST(MatrixMarketReader, PassesOverAByteOrderMark) {
    EXPECT_EQ(
        picture(read("\xef\xbb\xbf%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n").pattern),
        "1\n");
}

TEST(MatrixMarketReader, ReadsDoubleAndUnsignedIntegerAsOtherWritersNameThem) {
    EXPECT_EQ(picture(read("%%MatrixMarket matrix coordinate double general\n1 1 1\n1 1 2.5\n").pattern),
              "2.5\n");
    EXPECT_EQ(
        picture(read("%%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 255\n").pattern),
        "255\n");
}

TEST(MatrixMarketReader, KeepsTheRealPartOfComplexEntries) {
    const LoadedMatrix loaded = read("%%MatrixMarket matrix coordinate complex general\n1 3 3\n"
                                     "1 1 1 2\n1 2 0 3\n1 3 0 0\n");
    EXPECT_EQ(picture(loaded.pattern), "1 0 0\n");
    EXPECT_EQ(loaded.report.explicit_zeros, 1) << "an entry is zero when both parts are";
}

TEST(MatrixMarketReader, TakesTheBannerInAnyCaseWithAnyBlanks) {
    EXPECT_EQ(
        picture(read("%%matrixmarket\tMATRIX  Coordinate \t REAL   General  \r\n1 1 1\r\n1 1 2\r\n").pattern),
        "2\n");
}

TEST(MatrixMarketReader, ExpandsSymmetric) {
    const LoadedMatrix loaded =
        read("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n3 1 2\n3 2 3\n");
    EXPECT_EQ(picture(loaded.pattern), "1 . 2\n"
                                       ". . 3\n"
                                       "2 3 .\n");
    EXPECT_EQ(loaded.report.stored_entries, 3);
    EXPECT_EQ(loaded.report.symmetry, MatrixSymmetry::Symmetric);
}

TEST(MatrixMarketReader, ExpandsSkewSymmetricWithChangedSign) {
    const LoadedMatrix loaded =
        read("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 5\n");
    EXPECT_EQ(picture(loaded.pattern), ". -5\n"
                                       "5 .\n");
}

TEST(MatrixMarketReader, KeepsAZeroOnTheDiagonalOfASkewSymmetricFile) {
    const LoadedMatrix loaded =
        read("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 2\n1 1 0\n2 1 5\n");
    EXPECT_EQ(picture(loaded.pattern), "0 -5\n"
                                       "5 .\n");
    EXPECT_EQ(loaded.report.explicit_zeros, 1);
}

TEST(MatrixMarketReader, ExpandsHermitianWhoseConjugatesHaveTheSameRealPart) {
    const LoadedMatrix loaded =
        read("%%MatrixMarket matrix coordinate complex Hermitian\n2 2 2\n1 1 1 0\n2 1 4 5\n");
    EXPECT_EQ(picture(loaded.pattern), "1 4\n"
                                       "4 .\n");
}

TEST(MatrixMarketReader, ReadsArraysColumnByColumnWithoutTheirZeros) {
    const LoadedMatrix loaded = read("%%MatrixMarket matrix array real general\n2 3\n1\n2\n0\n4\n5\n-0.0\n");
    EXPECT_EQ(picture(loaded.pattern), "1 . 5\n"
                                       "2 4 .\n");
    EXPECT_EQ(loaded.report.format, MatrixFileFormat::MatrixMarketArray);
    EXPECT_EQ(loaded.report.stored_entries, 6);
    EXPECT_EQ(loaded.report.array_zeros_dropped, 2);
    EXPECT_EQ(loaded.report.explicit_zeros, 0);
}

TEST(MatrixMarketReader, ReadsTheLowerTriangleOfSymmetricArrays) {
    EXPECT_EQ(picture(read("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n").pattern),
              "1 2 3\n"
              "2 4 5\n"
              "3 5 6\n");
}

TEST(MatrixMarketReader, ReadsTheStrictlyLowerTriangleOfSkewSymmetricArrays) {
    EXPECT_EQ(picture(read("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n").pattern),
              ". -1 -2\n"
              "1 . -3\n"
              "2 3 .\n");
}

TEST(MatrixMarketReader, ReadsComplexArrays) {
    EXPECT_EQ(picture(read("%%MatrixMarket matrix array complex general\n1 3\n1 2\n0 0\n0 7\n").pattern),
              "1 . 0\n");
}

TEST(MatrixMarketReader, PassesOverCommentsAndBlankLinesAnywhere) {
    const LoadedMatrix loaded = read("%%MatrixMarket matrix coordinate real general\n"
                                     "%\n"
                                     "  % indented\n"
                                     "\n"
                                     " \t\r\n"
                                     "2 2 2\n"
                                     "\n"
                                     "% between\n"
                                     "1 1 1\n"
                                     "   \n"
                                     "%%also between\n"
                                     "2 2 2\n"
                                     "% behind\n"
                                     "\n");
    EXPECT_EQ(picture(loaded.pattern), "1 .\n"
                                       ". 2\n");
}

TEST(MatrixMarketReader, TakesTabsLeadingAndTrailingBlanksAndAMissingLastNewline) {
    EXPECT_EQ(
        picture(read("%%MatrixMarket matrix coordinate real general\n\t2  2 2 \n  1\t1   1.5  \n\t2 2\t3")
                    .pattern),
        "1.5 .\n"
        ". 3\n");
}

TEST(MatrixMarketReader, MergesDuplicatesAndCountsThem) {
    const LoadedMatrix loaded =
        read("%%MatrixMarket matrix coordinate real general\n1 2 4\n1 1 1\n1 1 2\n1 2 5\n1 1 4\n");
    EXPECT_EQ(picture(loaded.pattern), "7 5\n");
    EXPECT_EQ(loaded.report.duplicates_merged, 2);
    EXPECT_EQ(loaded.report.stored_entries, 4);
}

TEST(MatrixMarketReader, CountsDuplicatesOfSymmetricFilesAsTheyAreStored) {
    const LoadedMatrix loaded =
        read("%%MatrixMarket matrix coordinate real symmetric\n2 2 5\n2 1 1\n2 1 2\n1 1 5\n1 1 6\n2 2 9\n");
    EXPECT_EQ(picture(loaded.pattern), "11 3\n"
                                       "3 9\n");
    EXPECT_EQ(loaded.report.duplicates_merged, 2);
}

TEST(MatrixMarketReader, KeepsExplicitZerosAndCountsThem) {
    const LoadedMatrix loaded = read(
        "%%MatrixMarket matrix coordinate real general\n1 4 4\n1 1 0\n1 2 -0.000e5\n1 3 1e-300\n1 4 1\n");
    EXPECT_EQ(loaded.pattern.nnz(), 4);
    EXPECT_EQ(loaded.report.explicit_zeros, 2)
        << "1e-300 is not written as zero, though float32 has nothing nearer";
}

TEST(MatrixMarketReader, CountsValuesThatAreNotFinite) {
    const LoadedMatrix loaded =
        read("%%MatrixMarket matrix coordinate real general\n1 4 4\n1 1 nan\n1 2 -inf\n1 3 1e300\n1 4 1\n");
    EXPECT_EQ(picture(loaded.pattern), "nan -inf inf 1\n");
    EXPECT_EQ(loaded.report.not_finite, 3);
}

TEST(MatrixMarketReader, ReadsMatricesWithoutEntries) {
    EXPECT_EQ(picture(read("%%MatrixMarket matrix coordinate real general\n2 2 0\n").pattern), ". .\n. .\n");
    EXPECT_EQ(picture(read("%%MatrixMarket matrix coordinate pattern general\n0 0 0").pattern), "");
    EXPECT_EQ(read("%%MatrixMarket matrix array real general\n0 7\n").pattern.cols, 7);
    EXPECT_EQ(read("%%MatrixMarket matrix array real skew-symmetric\n1 1\n").pattern.nnz(), 0);
}

TEST(MatrixMarketReader, ReadsManyEntriesWithManyThreads) {
    std::string text = "%%MatrixMarket matrix coordinate integer general\n100 100 10000\n";
    for (int column = 1; column <= 100; ++column)
        for (int row = 1; row <= 100; ++row)
            text += fmt::format("{} {} {}\n", row, column, row * 1000 + column);
    const auto one = parse_matrix_market(text, "dense", {.threads = 1});
    const auto many = parse_matrix_market(text, "dense", {.threads = 8, .block_bytes = 100});
    ASSERT_TRUE(one && many);
    EXPECT_EQ(one->pattern, many->pattern);
    EXPECT_EQ(one->pattern.values[99 * 100 + 49], 100050);
}

TEST(MatrixMarketReader, TellsItsProgressAndStopsWhenAsked) {
    const std::string text = "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n% a comment\n1 1\n";
    std::stop_source stop;
    std::uint64_t last = 0;
    ReadOptions options{.threads = 2, .stop = stop.get_token(), .block_bytes = 8};
    options.progress = [&](const Progress& progress) {
        EXPECT_GE(progress.done, last);
        EXPECT_EQ(progress.total, text.size());
        last = progress.done;
    };
    EXPECT_TRUE(parse_matrix_market(text, "test", options));
    stop.request_stop();
    const Result<LoadedMatrix> stopped = parse_matrix_market(text, "test", options);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
}

} // namespace
} // namespace sparsight

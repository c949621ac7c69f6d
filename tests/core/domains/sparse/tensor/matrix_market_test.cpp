#include "core/domains/sparse/tensor/pattern_pictures.h"
#include "domains/sparse/tensor/matrix_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>

namespace sparsight {

// What a legal Matrix Market text becomes. Every text is read with several threads and block sizes.
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

// What is said about a Matrix Market text that is wrong: the first defect, its line, what stands there, what
// was expected. Every text is read with several threads and block sizes, which must not change a word.
namespace {

Error defect_of(const std::string& text, const ReadLimits& limits = {}) {
    Result<LoadedMatrix> whole = parse_matrix_market(text, "test.mtx", {.threads = 1, .limits = limits});
    if (whole) {
        ADD_FAILURE() << "was read without an error:\n" << text;
        return {};
    }
    for (const int threads : {1, 3})
        for (const std::size_t block_bytes : {1U, 9U, 40U}) {
            const auto pieces = parse_matrix_market(
                text, "test.mtx", {.threads = threads, .limits = limits, .block_bytes = block_bytes});
            EXPECT_FALSE(pieces);
            if (!pieces) {
                EXPECT_EQ(pieces.error().text(), whole.error().text())
                    << threads << " threads, blocks of " << block_bytes;
            }
        }
    return std::move(whole.error());
}

void expect_defect(const std::string& text, std::int64_t line, const std::string& message,
                   Fault fault = Fault::Input) {
    const Error error = defect_of(text);
    EXPECT_EQ(error.file, "test.mtx");
    EXPECT_EQ(error.line, line) << error.message;
    EXPECT_EQ(error.message, message);
    EXPECT_EQ(error.fault, fault);
}

void expect_defect_with(const std::string& text, std::int64_t line, const std::string& fragment) {
    const Error error = defect_of(text);
    EXPECT_EQ(error.line, line) << error.message;
    EXPECT_NE(error.message.find(fragment), std::string::npos) << error.message;
}

std::string real_general(const std::string& rest) {
    return "%%MatrixMarket matrix coordinate real general\n" + rest;
}

TEST(MatrixMarketBanner, IsTheFirstLine) {
    expect_defect("", 1, "the file is empty; expected a Matrix Market banner");
    expect_defect_with("\n%%MatrixMarket matrix coordinate real general\n", 1, "the first line is blank");
    expect_defect_with("3 3 1\n1 1 1\n", 1,
                       "the first line is \"3 3 1\"; expected the banner \"%%MatrixMarket matrix");
    expect_defect_with("%MatrixMarket matrix coordinate real general\n1 1 0\n", 1, "\"%MatrixMarket matrix");
    expect_defect_with(std::string("\x1f\x02\0x\t", 5) + "\n", 1, R"("\x1f\x02\x00x\t")");
    expect_defect_with("%%MatrixMarketing matrix coordinate real general\n1 1 0\n", 1, "expected the banner");
}

TEST(MatrixMarketBanner, NamesTheWordThatIsWrong) {
    expect_defect("%%MatrixMarket vector coordinate real general\n", 1,
                  "the banner's object is \"vector\"; expected matrix");
    expect_defect("%%MatrixMarket matrix dense real general\n", 1,
                  "the banner's format is \"dense\"; expected coordinate, array");
    expect_defect("%%MatrixMarket matrix coordinate float general\n", 1,
                  "the banner's field is \"float\"; expected real, double, integer, unsigned-integer, "
                  "complex, pattern");
    expect_defect(
        "%%MatrixMarket matrix coordinate real upper\n", 1,
        "the banner's symmetry is \"upper\"; expected general, symmetric, skew-symmetric, hermitian");
    expect_defect_with("%%MatrixMarket matrix coordinate real\n", 1, "the banner has 4 words");
    expect_defect_with("%%MatrixMarket matrix coordinate real general really\n", 1, "the banner has 6 words");
}

TEST(MatrixMarketBanner, RefusesCombinationsWithoutMeaning) {
    expect_defect_with("%%MatrixMarket matrix array pattern general\n1 1\n", 1, "array and pattern");
    expect_defect_with("%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1 0\n", 1,
                       "pattern and skew-symmetric");
    expect_defect_with("%%MatrixMarket matrix coordinate pattern hermitian\n1 1 0\n", 1,
                       "pattern and hermitian");
    expect_defect_with("%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", 1,
                       "only complex matrices");
    expect_defect_with("%%MatrixMarket matrix coordinate unsigned-integer skew-symmetric\n1 1 0\n", 1,
                       "unsigned-integer");
}

TEST(MatrixMarketSizeLine, HasTheRightNumberOfSizes) {
    expect_defect(real_general(""), 1, "the file ends before the size line");
    expect_defect(real_general("% only\n\n% comments\n"), 4, "the file ends before the size line");
    expect_defect(real_general("3 4\n"), 2,
                  "the size line \"3 4\" has 2 numbers; expected 3: rows, columns and entries");
    expect_defect(real_general("%\n3\n"), 3,
                  "the size line \"3\" has 1 number; expected 3: rows, columns and entries");
    expect_defect("%%MatrixMarket matrix array real general\n3 4 12\n", 2,
                  "the size line \"3 4 12\" has 3 numbers; expected 2: rows and columns");
}

TEST(MatrixMarketSizeLine, ConsistsOfWholeNumbers) {
    expect_defect(real_general("3 four 5\n"), 2,
                  "the number of columns is \"four\"; expected a whole number");
    expect_defect(real_general("3 4 5.0\n"), 2, "the number of entries is \"5.0\"; expected a whole number");
    expect_defect(real_general("-3 4 5\n"), 2, "the number of rows is -3; it cannot be negative");
}

TEST(MatrixMarketSizeLine, SaysWhichLimitItExceeds) {
    expect_defect(real_general("2147483648 1 0\n"), 2, "2147483648 rows; the limit is 2147483647",
                  Fault::Limit);
    expect_defect(real_general("1 2147483648 0\n"), 2, "2147483648 columns; the limit is 2147483647",
                  Fault::Limit);
    expect_defect(real_general("1 1 2147483648\n"), 2, "2147483648 entries; the limit is 2147483647",
                  Fault::Limit);
    expect_defect("%%MatrixMarket matrix array real general\n2147483647 2147483647\n", 2,
                  "4611686014132420609 entries; the limit is 2147483647", Fault::Limit);
    expect_defect(real_general("1 1 99999999999999999999\n"), 2,
                  "the number of entries is \"99999999999999999999\", which overflows 64 bits; no more than "
                  "9223372036854775807 fit",
                  Fault::Limit);
    const Error stricter = defect_of(real_general("11 1 0\n"), {.rows = 10});
    EXPECT_EQ(stricter.message, "11 rows; the limit is 10");
}

TEST(MatrixMarketSizeLine, DoesNotGetMemoryForRowsThatHoldNothing) {
    expect_defect(real_general("2147483647 2147483647 1\n1 1 1\n"), 2,
                  "2147483647 rows with 1 entries need 16.0 GiB for row pointers; the limit is 33554432 "
                  "rows, or 16 for every entry",
                  Fault::Limit);
}

TEST(MatrixMarketSizeLine, IsSquareWhereThereIsASymmetry) {
    expect_defect("%%MatrixMarket matrix coordinate real symmetric\n3 4 1\n1 1 1\n", 2,
                  "a symmetric matrix must be square, but this one has 3 rows and 4 columns");
}

TEST(MatrixMarketEntries, HaveIndicesInRange) {
    expect_defect(real_general("3 4 2\n1 1 1\n4 1 1\n"), 4, "row 4 is outside 1..3");
    expect_defect(real_general("3 4 1\n1 5 1\n"), 3, "column 5 is outside 1..4");
    expect_defect(real_general("3 4 1\n1 -2 1\n"), 3, "column -2 is outside 1..4");
    expect_defect(real_general("3 4 1\n99999999999999999999999 1 1\n"), 3,
                  "row 99999999999999999999999 is outside 1..3");
    expect_defect(real_general("3 4 1\n18446744073709551617 1 1\n"), 3,
                  "row 18446744073709551617 is outside 1..3");
}

TEST(MatrixMarketEntries, GiveAHintWhenTheyCountFromZero) {
    expect_defect(real_general("3 4 1\n0 1 1\n"), 3,
                  "row 0 is outside 1..3 (indices start at 1; this file seems to count from 0)");
    expect_defect(real_general("3 4 2\n1 1 1\n1 0 1\n"), 4,
                  "column 0 is outside 1..4 (indices start at 1; this file seems to count from 0)");
}

TEST(MatrixMarketEntries, ConsistOfNumbers) {
    expect_defect(real_general("3 4 1\nx 1 1\n"), 3, "the row is \"x\"; expected a whole number in 1..3");
    expect_defect(real_general("3 4 1\n1.0 1 1\n"), 3, "the row is \"1.0\"; expected a whole number in 1..3");
    expect_defect(real_general("3 4 1\n1 zero pi\n"), 3,
                  "the column is \"zero\"; expected a whole number in 1..4");
    expect_defect(real_general("3 4 1\n1\n"), 3, "the column is missing; expected a number in 1..4");
    expect_defect(real_general("3 4 1\n1 2\n"), 3,
                  "the value is missing; expected a number since the banner says real");
    expect_defect(real_general("3 4 1\n1 2 pi\n"), 3,
                  "the value is \"pi\"; expected a number since the banner says real");
    expect_defect(real_general("3 4 1\n1 2 1.5,\n"), 3,
                  "the value is \"1.5,\"; expected a number since the banner says real");
    expect_defect("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1\n", 3,
                  "the imaginary part is missing; expected a number since the banner says complex");
    expect_defect("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n", 3,
                  "the value is \"1.5\"; expected a whole number since the banner says integer");
    expect_defect("%%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 -1\n", 3,
                  "the value is \"-1\"; expected a whole number since the banner says unsigned-integer");
}

TEST(MatrixMarketEntries, HaveNothingBehindThem) {
    expect_defect(real_general("3 4 1\n1 2 3 4\n"), 3,
                  "\"4\" stands behind the value; expected the end of the line");
    expect_defect(real_general("3 4 1\n1 2 3 % why\n"), 3,
                  "\"%\" stands behind the value; expected the end of the line");
    expect_defect("%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1 2 1\n", 3,
                  "\"1\" stands behind row and column; expected the end of the line, since the banner says "
                  "pattern, which "
                  "has no values");
    expect_defect("%%MatrixMarket matrix array real general\n1 2\n1 2\n", 3,
                  "\"2\" stands behind the value; expected the end of the line");
}

TEST(MatrixMarketEntries, AreAsManyAsPromised) {
    expect_defect(real_general("3 4 3\n1 1 1\n2 2 2\n"), 4, "the file ends after 2 of 3 entries");
    expect_defect(real_general("3 4 2000000000\n1 1 1\n"), 3, "the file ends after 1 of 2000000000 entries");
    expect_defect(
        real_general("3 4 1\n1 1 1\n%\n\n2 2 2\n3 3 3\n"), 6,
        "\"2 2 2\" follows the 1 entries that the size line promises; expected the end of the file");
    expect_defect(
        real_general("3 4 1\n1 1 1\n\nthe end\n"), 5,
        "\"the end\" follows the 1 entries that the size line promises; expected the end of the file");
    expect_defect("%%MatrixMarket matrix array real general\n1 2\n1\n", 3,
                  "the file ends after 1 of 2 values");
    expect_defect("%%MatrixMarket matrix array real general\n1 1\n1\n2\n", 4,
                  "\"2\" follows the 1 values that the size line promises; expected the end of the file");
}

TEST(MatrixMarketEntries, StayInTheLowerTriangleOfASymmetricFile) {
    expect_defect("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 1\n1 3 1\n", 4,
                  "row 1, column 3 is above the diagonal; a symmetric file holds the lower triangle only");
    expect_defect("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 1\n", 3,
                  "row 2, column 2 is on the diagonal, where a skew-symmetric matrix is zero");
}

TEST(MatrixMarketEntries, ReportTheFirstDefectOfSeveral) {
    std::string text = real_general("9 9 100\n");
    for (int line = 3; line < 100; ++line)
        text += line == 57 || line == 58 || line == 91 ? fmt::format("{} 1 1\n", line) : "1 1 1\n";
    expect_defect(text, 57, "row 57 is outside 1..9");
}

TEST(MatrixMarketLines, AreNotEndless) {
    const Error error =
        defect_of(real_general("1 1 1\n% short\n%" + std::string(3'000'000, 'x') + "\n1 1 1\n"));
    EXPECT_EQ(error.line, 4);
    EXPECT_EQ(error.message, "the line is longer than 1048576 bytes, which is the limit");
    EXPECT_EQ(error.fault, Fault::Limit);
}

} // namespace
} // namespace sparsight

// Readers and writers of the small formats, and the numbers in their texts.
#include "base/random.h"
#include "core/domains/sparse/tensor/pattern_pictures.h"
#include "domains/sparse/tensor/file_formats/text_parsing.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "support/test_files.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace sparsight {
namespace {

using testing::file_content;
using testing::TemporaryFolder;
using testing::write_file;

/// The number as the hot loop sees it: ended by a new line, with readable bytes behind it.
std::string padded(std::string text) {
    return text.append(17, '\n');
}

void expect_same_as_strtof(const std::string& text) {
    const std::string line = padded(text);
    const char* p = line.data();
    float value = 0;
    ASSERT_TRUE(read_float(p, value)) << text;
    EXPECT_EQ(p, line.data() + text.size()) << text;
    const float expected = std::strtof(text.c_str(), nullptr);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(expected))
        << text << " became " << value << ", strtof says " << expected;
}

bool is_number(const std::string& text) {
    const std::string line = padded(text);
    const char* p = line.data();
    float value = 0;
    return read_float(p, value) && p == line.data() + text.size();
}

TEST(ReadWholeNumber, ReadsUpToNineteenDigits) {
    for (const std::uint64_t expected : {0ULL, 7ULL, 42ULL, 1234567ULL, 12345678ULL, 123456789ULL,
                                         1234567890123456789ULL, 9999999999999999999ULL}) {
        const std::string text = padded(std::to_string(expected));
        const char* p = text.data();
        std::uint64_t value = 0;
        ASSERT_TRUE(read_whole_number(p, value));
        EXPECT_EQ(value, expected);
        EXPECT_EQ(*p, '\n');
    }
}

TEST(ReadWholeNumber, StopsAtTheFirstOtherCharacter) {
    const std::string text = padded("123.5");
    const char* p = text.data();
    std::uint64_t value = 0;
    ASSERT_TRUE(read_whole_number(p, value));
    EXPECT_EQ(value, 123U);
    EXPECT_EQ(*p, '.');
}

TEST(ReadWholeNumber, RefusesWhatIsNoneAndWhatOverflows) {
    for (const std::string text : {"", "-1", "+1", "x", ":", "/", "\xb1", "12345678901234567890"}) {
        const std::string line = padded(text);
        const char* p = line.data();
        std::uint64_t value = 0;
        EXPECT_FALSE(read_whole_number(p, value)) << text;
        EXPECT_EQ(p, line.data());
    }
}

TEST(ReadFloat, ReadsEverySpelling) {
    for (const std::string text : {"0",
                                   "-0",
                                   "1",
                                   "+1",
                                   "1.",
                                   ".5",
                                   "-.5",
                                   "0.1",
                                   "1e5",
                                   "1E5",
                                   "1e+05",
                                   "1.5e-10",
                                   "00012.500",
                                   "3.14159265358979",
                                   "123456789012345678901234567890",
                                   "0.000000000000000000000000000001",
                                   "inf",
                                   "-inf",
                                   "Infinity",
                                   "+inf",
                                   "1e0001",
                                   "1e-00007",
                                   "1.0000000000000000000000000000e+00"})
        expect_same_as_strtof(text);
}

TEST(ReadFloat, ReadsExponentsAsFortranWritesThem) {
    for (const std::string text : {"1D3", "1.5d-3", "-2.25D+02", "+1d0", "0.1D1", "1234567890123456789012D-5",
                                   "1d400", "16777217D0", "1D00003"}) {
        const std::string line = padded(text);
        const char* p = line.data();
        float value = 0;
        ASSERT_TRUE(read_float(p, value)) << text;
        EXPECT_EQ(p, line.data() + text.size()) << text;
        std::string with_e = text;
        with_e[text.find_first_of("dD")] = 'e';
        EXPECT_EQ(value, std::strtof(with_e.c_str(), nullptr)) << text;
    }
}

TEST(ReadFloat, ReadsNan) {
    for (const std::string text : {"nan", "NaN", "-nan"}) {
        const std::string line = padded(text);
        const char* p = line.data();
        float value = 0;
        ASSERT_TRUE(read_float(p, value)) << text;
        EXPECT_TRUE(std::isnan(value)) << text;
    }
}

TEST(ReadFloat, RefusesWhatIsNoNumber) {
    for (const std::string text : {"", "-", "+", ".", "e5", "1e", "1e+", "1.5x", "0x10", "1,5", "--1", "+-1",
                                   "1d", "d3", "1e5d3", "0x1d", "infd", "pi", "1.2.3"})
        EXPECT_FALSE(is_number(text)) << text;
}

TEST(ReadFloat, RoundsAtTheEdgesOfFloat32) {
    for (const std::string text : {"3.4028234e38",
                                   "3.4028235677973366e38",
                                   "3.4028235677973365e38",
                                   "3.5e38",
                                   "1e39",
                                   "1e400",
                                   "-1e400",
                                   "1.1754943508222875e-38",
                                   "1.1754942e-38",
                                   "1.401298464324817e-45",
                                   "7.006492321624085e-46",
                                   "7.006492321624086e-46",
                                   "1e-50",
                                   "1e-400",
                                   "9007199254740993",
                                   "16777217",
                                   "16777219",
                                   "33554434",
                                   "16777217.000000001",
                                   "16777216.999999999",
                                   "8589934593.0",
                                   "1.00000005960464477539",
                                   "1.00000005960464477540",
                                   "1.00000005960464477538",
                                   "0.500000029802322387695312",
                                   "9999999999999999999",
                                   "9999999999999999999e19",
                                   "1e19",
                                   "1e-37",
                                   "1e-38",
                                   "9223372036854775807",
                                   "18446744073709551615"})
        expect_same_as_strtof(text);
}

TEST(ReadFloat, IsCorrectlyRoundedForRandomNumbers) {
    Random random(1);
    for (int i = 0; i < 200'000; ++i) {
        const double value = random.normal() * std::pow(10.0, static_cast<double>(random.between(-45, 40)));
        expect_same_as_strtof(fmt::format("{:.{}e}", value, random.between(0, 18)));
        expect_same_as_strtof(fmt::format("{:.{}f}", random.normal(), random.between(0, 20)));
    }
}

TEST(ReadFloat, IsCorrectlyRoundedNextToMidpointsOfFloats) {
    Random random(2);
    for (int i = 0; i < 200'000; ++i) {
        const auto bits = static_cast<std::uint32_t>(random.between(0x01000000, 0x7e000000));
        const double low = std::bit_cast<float>(bits);
        const double high = std::bit_cast<float>(bits + 1);
        double near = (low + high) / 2;
        for (std::int64_t step = random.between(0, 3); step > 0; --step)
            near = std::nextafter(near, random.chance(0.5) ? 0.0 : std::numeric_limits<double>::infinity());
        expect_same_as_strtof(fmt::format("{:.{}e}", near, random.between(14, 17)));
    }
}

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
              "the file is truncated: it has 0 bytes, but the header of a WACO csr file alone has 12");
    EXPECT_EQ(defect_in_csr(bytes_of({1, 1})),
              "the file is truncated: it has 8 bytes, but the header of a WACO csr file alone has 12");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 0, 2, 3, 0, 2})),
              "the file is truncated: its header promises 2 rows and 3 entries, which take 36 bytes, but "
              "it has 32");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 0, 2, 3, 0, 2, 1}) + "x"),
              "the file does not end where it should: its header promises 2 rows and 3 entries, which take "
              "36 bytes, "
              "but it has 37");
    EXPECT_EQ(defect_in_csr(bytes_of({INT32_MAX, INT32_MAX, INT32_MAX, 0})),
              "the file is truncated: its header promises 2147483647 rows and 2147483647 entries, which take "
              "17179869192 bytes, but it has 16");
}

TEST(WacoCsrReader, RefusesNumbersOutOfRange) {
    EXPECT_EQ(defect_in_csr(bytes_of({-1, 3, 3})),
              "the header says -1 rows, 3 columns, 3 entries; none can be negative");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 1, 2, 3, 0, 2, 1})), "row pointer 0 is 1; expected 0");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 0, -2, 3, 0, 2, 1})),
              "row pointer 1 is -2; expected 0..3, from the pointer before it to the number of entries");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 0, 4, 3, 0, 2, 1})),
              "row pointer 1 is 4; expected 0..3, from the pointer before it to the number of entries");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 0, 2, 2, 0, 2, 1})),
              "the last row pointer is 2; expected 3, the number of entries");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 0, 2, 3, 0, 2, 3})),
              "column id 3 (entry 3 of 3, in row 1) is outside 0..2");
    EXPECT_EQ(defect_in_csr(bytes_of({2, 3, 3, 0, 2, 3, -1, 2, 1})),
              "column id -1 (entry 1 of 3, in row 0) is outside 0..2");
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
        "", 1, "the line ends after 0 sizes; expected 3 (the first line is \"rows, columns, entries\")");
    expect_csr_defect(
        "2, 3\n", 1,
        "the line ends after 2 sizes; expected 3 (the first line is \"rows, columns, entries\")");
    expect_csr_defect(
        "2, x, 3\n", 1,
        "the size is \"x\"; expected a whole number (the first line is \"rows, columns, entries\")");
    expect_csr_defect("2, -3, 3\n", 1,
                      "the size -3 is negative (the first line is \"rows, columns, entries\")");
    expect_csr_defect("2, 3, 3", 1, "the file ends; expected a line of row pointers");
    expect_csr_defect("2, 3, 3\n0 2\n0 2 1\n", 2, "the line ends after 2 row pointers; expected 3");
    expect_csr_defect("2, 3, 3\n0 2 3 3\n0 2 1\n", 2,
                      "\"3\" stands behind 3 row pointers; expected the end of the line");
    expect_csr_defect(
        "2, 3, 3\n0 4 3\n0 2 1\n", 2,
        "row pointer 1 is 4; expected 0..3, from the pointer before it to the number of entries");
    expect_csr_defect("2, 3, 3\n0 2 3\n", 3, "the line ends after 0 column ids; expected 3");
    expect_csr_defect("2, 3, 3\n0 2 3\n0 2\n", 3, "the line ends after 2 column ids; expected 3");
    expect_csr_defect("2, 3, 3\n0 2 3\n0 2 3\n", 3, "column id 3 (entry 3 of 3, in row 1) is outside 0..2");
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
    EXPECT_EQ(written.error().message, "too large for WACO csr: 3 rows, 2147483648 columns and 3 entries; "
                                       "the 32-bit limit for each is 2147483647");
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

#include "domains/sparse/tensor/file_formats/text_parsing.h"

#include "base/random.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace sparsight {
namespace {

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

} // namespace
} // namespace sparsight

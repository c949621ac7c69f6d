#include "base/quantity.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

TEST(FormatDuration, KeepsThreeDigitsInAReadableUnit) {
    EXPECT_EQ(format_duration(Seconds(0)), "0 s");
    EXPECT_EQ(format_duration(Seconds(12.34e-9)), "12.3 ns");
    EXPECT_EQ(format_duration(Seconds(1.5e-3)), "1.50 ms");
    EXPECT_EQ(format_duration(Seconds(0.9999)), "1.00 s");
    EXPECT_EQ(format_duration(Seconds(245)), "4 min 05 s");
    EXPECT_EQ(format_duration(Seconds(3600 * 25)), "25 h 00 min");
}

TEST(FormatBytes, UsesPowersOf1024) {
    EXPECT_EQ(format_bytes(312), "312 B");
    EXPECT_EQ(format_bytes(1024), "1.00 KiB");
    EXPECT_EQ(format_bytes(1000 * 1024), "0.98 MiB");
    EXPECT_EQ(format_bytes(std::uint64_t{3} << 30), "3.00 GiB");
}

TEST(FormatCount, GroupsDigitsInThrees) {
    EXPECT_EQ(format_count(0), "0");
    EXPECT_EQ(format_count(999), "999");
    EXPECT_EQ(format_count(25600), "25,600");
    EXPECT_EQ(format_count(-1234567), "-1,234,567");
    EXPECT_EQ(format_count(-123), "-123");
}

TEST(ParseDuration, ReadsNumbersWithAndWithoutUnits) {
    EXPECT_DOUBLE_EQ(parse_duration("90")->count(), 90);
    EXPECT_DOUBLE_EQ(parse_duration("250ms")->count(), 0.25);
    EXPECT_DOUBLE_EQ(parse_duration("10m")->count(), 600);
    EXPECT_DOUBLE_EQ(parse_duration("1h30m")->count(), 5400);
}

TEST(ParseDuration, RefusesAnythingElseAndSaysWhatItExpects) {
    for (const char* text : {"", "m", "-3s", "10x", "5 6", "nan", "1h30"}) {
        const auto parsed = parse_duration(text);
        ASSERT_FALSE(parsed.has_value()) << text;
        EXPECT_NE(parsed.error().message.find("10m"), std::string::npos) << parsed.error().message;
    }
}

TEST(ParseBytes, ReadsBinaryAndDecimalSuffixes) {
    EXPECT_EQ(parse_bytes("4096"), 4096u);
    EXPECT_EQ(parse_bytes("2G"), std::uint64_t{2} << 30);
    EXPECT_EQ(parse_bytes("2 GiB"), std::uint64_t{2} << 30);
    EXPECT_EQ(parse_bytes("2GB"), 2'000'000'000u);
    EXPECT_FALSE(parse_bytes("2X").has_value());
    EXPECT_FALSE(parse_bytes("1e30").has_value());
}

} // namespace
} // namespace sparsight

#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {

namespace {

const double unknown = std::nan("");
const NumberStyle plain{};
const NumberStyle comma{ThousandsSeparator::Comma, u'.', ByteUnits::Decimal};
const NumberStyle german{ThousandsSeparator::Comma, u',', ByteUnits::Decimal};
const NumberStyle bare{ThousandsSeparator::None, u'.', ByteUnits::Binary};

struct Case {
    double value;
    const char16_t* text;
};

template <class Text>
void expect_texts(std::initializer_list<Case> cases, Text text) {
    for (const auto& [value, expected] : cases)
        EXPECT_EQ(text(value), QString::fromUtf16(expected)) << value;
}

TEST(CountText, HasThinSpacesBetweenThousands) {
    EXPECT_EQ(count_text(0, plain), QStringLiteral("0"));
    EXPECT_EQ(count_text(999, plain), QStringLiteral("999"));
    EXPECT_EQ(count_text(25'600, plain), QStringLiteral("25\u2009600"));
    EXPECT_EQ(count_text(-1'234'567, plain), QStringLiteral("−1\u2009234\u2009567"));
    EXPECT_EQ(count_text(std::numeric_limits<qint64>::max(), comma),
              QStringLiteral("9,223,372,036,854,775,807"));
    EXPECT_EQ(count_text(std::numeric_limits<qint64>::min(), bare), QStringLiteral("−9223372036854775808"));
}

TEST(CountText, NeverUsesTheDecimalCommaBetweenThousands) {
    EXPECT_EQ(count_text(25'600, german), QStringLiteral("25\u2009600"));
    EXPECT_EQ(significant(1.5, 2, german), QStringLiteral("1,5"));
}

TEST(Significant, KeepsThreeDigits) {
    expect_texts({{0, u"0"},
                  {-0.0, u"0"},
                  {1, u"1.00"},
                  {1.239, u"1.24"},
                  {12.04, u"12.0"},
                  {123.4, u"123"},
                  {1234, u"1\u2009230"},
                  {0.0012, u"0.00120"},
                  {-0.5, u"−0.500"},
                  {123'456'789, u"123\u2009000\u2009000"}},
                 [](double value) { return significant(value, 3, plain); });
}

TEST(Significant, CarriesWhenItRounds) {
    expect_texts({{0.9996, u"1.00"}, {9.996, u"10.0"}, {99.96, u"100"}, {999.6, u"1\u2009000"}},
                 [](double value) { return significant(value, 3, plain); });
}

TEST(Significant, WritesPowersOfTenWhereZerosWouldBeCounted) {
    expect_texts({{1.234e9, u"1.23×10⁹"}, {-5e-7, u"−5.00×10⁻⁷"}, {6.02214e23, u"6.02×10²³"}},
                 [](double value) { return significant(value, 3, plain); });
    EXPECT_EQ(significant(2e12, 1, plain), QStringLiteral("2×10¹²"));
}

TEST(Significant, IsADashWhereThereIsNoNumber) {
    for (const double value : {unknown, HUGE_VAL, -HUGE_VAL}) {
        EXPECT_EQ(significant(value, 3, plain), unknown_text());
        EXPECT_EQ(fixed_text(value, 2, plain), unknown_text());
        EXPECT_EQ(si_text(value, QStringLiteral("Hz"), plain), unknown_text());
        EXPECT_EQ(duration_text(value, plain), unknown_text());
        EXPECT_EQ(duration_with_spread(value, 1, plain), unknown_text());
        EXPECT_EQ(bytes_text(value, plain), unknown_text());
        EXPECT_EQ(speedup_text(value, plain), unknown_text());
        EXPECT_EQ(percent_text(value, plain), unknown_text());
        EXPECT_EQ(share_text(value, plain), unknown_text());
        EXPECT_EQ(time_left_text(value, plain), unknown_text());
    }
}

TEST(SiText, ChoosesThePrefix) {
    expect_texts(
        {{3.2e9, u"3.20 GHz"}, {999.6, u"1.00 kHz"}, {0.012, u"12.0 mHz"}, {0, u"0 Hz"}, {7, u"7.00 Hz"}},
        [](double value) { return si_text(value, QStringLiteral("Hz"), plain); });
}

TEST(DurationText, ChoosesTheUnit) {
    expect_texts({{0, u"0 s"},
                  {0.00085, u"850 ns"},
                  {0.85, u"850 µs"},
                  {1.239, u"1.24 ms"},
                  {999.6, u"1.00 s"},
                  {3200, u"3.20 s"},
                  {59'900, u"59.9 s"},
                  {59'960, u"1 min 00 s"},
                  {125'000, u"2 min 05 s"},
                  {3'599'600, u"1 h 00 min"},
                  {3'900'000, u"1 h 05 min"},
                  {1e8, u"1 d 4 h"},
                  {-1.5, u"−1.50 ms"},
                  {-125'000, u"−2 min 05 s"},
                  {1e300, u"1.16×10²⁹² d"}},
                 [](double value) { return duration_text(value, plain); });
}

TEST(DurationWithSpread, HasOneUnitAndTheDecimalsOfTheValue) {
    EXPECT_EQ(duration_with_spread(1.239, 0.0512, plain), QStringLiteral("1.24 ± 0.05 ms"));
    EXPECT_EQ(duration_with_spread(0.1234, 0.002, plain), QStringLiteral("123 ± 2 µs"));
    EXPECT_EQ(duration_with_spread(12.34, 3.21, plain), QStringLiteral("12.3 ± 3.2 ms"));
    EXPECT_EQ(duration_with_spread(1.239, 0, plain), QStringLiteral("1.24 ± 0.00 ms"));
    EXPECT_EQ(duration_with_spread(125'000, 3000, plain), QStringLiteral("125 ± 3 s"));
}

TEST(DurationWithSpread, ShowsASpreadThatIsTooSmallForItsDecimals) {
    EXPECT_EQ(duration_with_spread(1.239, 0.0012, plain), QStringLiteral("1.24 ± 0.001 ms"));
}

TEST(DurationWithSpread, IsTheValueAloneWithoutASpread) {
    EXPECT_EQ(duration_with_spread(1.239, unknown, plain), QStringLiteral("1.24 ms"));
}

TEST(BytesText, CountsBytesAndScalesTheRest) {
    expect_texts({{0, u"0 B"},
                  {512, u"512 B"},
                  {1023, u"1\u2009023 B"},
                  {1024, u"1.00 KiB"},
                  {1024 * 1023, u"0.999 MiB"},
                  {1.3 * 1024 * 1024, u"1.30 MiB"},
                  {-2048, u"−2.00 KiB"},
                  {std::ldexp(1.0, 60), u"1.00 EiB"}},
                 [](double value) { return bytes_text(value, plain); });
    EXPECT_EQ(bytes_text(1.3e6, comma), QStringLiteral("1.30 MB"));
    EXPECT_EQ(bytes_text(999, comma), QStringLiteral("999 B"));
    EXPECT_EQ(bytes_text(999'960, comma), QStringLiteral("1.00 MB"));
}

TEST(SpeedupText, EndsInATimesSign) {
    expect_texts({{1.239, u"1.24×"}, {0.81, u"0.810×"}, {123.4, u"123×"}, {0, u"0×"}},
                 [](double value) { return speedup_text(value, plain); });
}

TEST(PercentText, HasASignAndFewDigits) {
    expect_texts({{0.24, u"+24 %"},
                  {-0.195, u"−20 %"},
                  {0.024, u"+2.4 %"},
                  {0, u"0 %"},
                  {0.0001, u"0 %"},
                  {12, u"+1\u2009200 %"}},
                 [](double value) { return percent_text(value, plain); });
}

TEST(TimeLeftText, IsAsPreciseAsItCanBe) {
    expect_texts({{-3, u"a few seconds left"},
                  {2, u"a few seconds left"},
                  {42, u"40 s left"},
                  {58, u"1 min left"},
                  {190, u"3 min left"},
                  {4800, u"1 h 20 min left"},
                  {200'000, u"2 d 8 h left"}},
                 [](double value) { return time_left_text(value, plain); });
}

TEST(NumberStyle, IsKeptInTheApplication) {
    EXPECT_EQ(current_number_style(), NumberStyle());
    set_number_style(*QCoreApplication::instance(), german);
    EXPECT_EQ(current_number_style(), german);
    EXPECT_EQ(significant(2.5), QStringLiteral("2,50"));
    set_number_style(*QCoreApplication::instance(), {});
}

} // namespace
} // namespace sparsight

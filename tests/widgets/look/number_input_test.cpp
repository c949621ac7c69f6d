#include "widgets/look/number_input.h"
#include "widgets/look/number_text.h"

#include <QApplication>
#include <QCoreApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QTextBoundaryFinder>
#include <QToolButton>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(CountText, HasNarrowSpacesBetweenThousands) {
    EXPECT_EQ(count_text(0, plain), QStringLiteral("0"));
    EXPECT_EQ(count_text(999, plain), QStringLiteral("999"));
    EXPECT_EQ(count_text(25'600, plain), QStringLiteral("25\u202F600"));
    EXPECT_EQ(count_text(-1'234'567, plain), QStringLiteral("−1\u202F234\u202F567"));
    EXPECT_EQ(count_text(std::numeric_limits<qint64>::max(), comma),
              QStringLiteral("9,223,372,036,854,775,807"));
    EXPECT_EQ(count_text(std::numeric_limits<qint64>::min(), bare), QStringLiteral("−9223372036854775808"));
}

TEST(CountText, NeverUsesTheDecimalCommaBetweenThousands) {
    EXPECT_EQ(count_text(25'600, german), QStringLiteral("25\u202F600"));
    EXPECT_EQ(significant(1.5, 2, german), QStringLiteral("1,5"));
}

TEST(Significant, KeepsThreeDigits) {
    expect_texts({{0, u"0"},
                  {-0.0, u"0"},
                  {1, u"1.00"},
                  {1.239, u"1.24"},
                  {12.04, u"12.0"},
                  {123.4, u"123"},
                  {1234, u"1\u202F230"},
                  {0.0012, u"0.00120"},
                  {-0.5, u"−0.500"},
                  {123'456'789, u"123\u202F000\u202F000"}},
                 [](double value) { return significant(value, 3, plain); });
}

TEST(Significant, CarriesWhenItRounds) {
    expect_texts({{0.9996, u"1.00"}, {9.996, u"10.0"}, {99.96, u"100"}, {999.6, u"1\u202F000"}},
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
    expect_texts({{3.2e9, u"3.20\u00A0GHz"},
                  {999.6, u"1.00\u00A0kHz"},
                  {0.012, u"12.0\u00A0mHz"},
                  {0, u"0\u00A0Hz"},
                  {7, u"7.00\u00A0Hz"}},
                 [](double value) { return si_text(value, QStringLiteral("Hz"), plain); });
}

TEST(DurationText, ChoosesTheUnit) {
    expect_texts({{0, u"0\u00A0s"},
                  {0.00085, u"850\u00A0ns"},
                  {0.85, u"850\u00A0µs"},
                  {1.239, u"1.24\u00A0ms"},
                  {999.6, u"1.00\u00A0s"},
                  {3200, u"3.20\u00A0s"},
                  {59'900, u"59.9\u00A0s"},
                  {59'960, u"1\u00A0min\u00A000\u00A0s"},
                  {125'000, u"2\u00A0min\u00A005\u00A0s"},
                  {3'599'600, u"1\u00A0h\u00A000\u00A0min"},
                  {3'900'000, u"1\u00A0h\u00A005\u00A0min"},
                  {1e8, u"1\u00A0d\u00A04\u00A0h"},
                  {-1.5, u"−1.50\u00A0ms"},
                  {-125'000, u"−2\u00A0min\u00A005\u00A0s"},
                  {1e300, u"1.16×10²⁹²\u00A0d"}},
                 [](double value) { return duration_text(value, plain); });
}

TEST(DurationWithSpread, HasOneUnitAndTheDecimalsOfTheValue) {
    EXPECT_EQ(duration_with_spread(1.239, 0.0512, plain), QStringLiteral("1.24\u00A0±\u00A00.05\u00A0ms"));
    EXPECT_EQ(duration_with_spread(0.1234, 0.002, plain), QStringLiteral("123\u00A0±\u00A02\u00A0µs"));
    EXPECT_EQ(duration_with_spread(12.34, 3.21, plain), QStringLiteral("12.3\u00A0±\u00A03.2\u00A0ms"));
    EXPECT_EQ(duration_with_spread(1.239, 0, plain), QStringLiteral("1.24\u00A0±\u00A00.00\u00A0ms"));
    EXPECT_EQ(duration_with_spread(125'000, 3000, plain), QStringLiteral("125\u00A0±\u00A03\u00A0s"));
}

TEST(DurationWithSpread, ShowsASpreadThatIsTooSmallForItsDecimals) {
    EXPECT_EQ(duration_with_spread(1.239, 0.0012, plain), QStringLiteral("1.24\u00A0±\u00A00.001\u00A0ms"));
}

TEST(SpeedupWithMargin, HasTheMarginInTheUnitAndWithTheDecimalsOfTheSpeedup) {
    EXPECT_EQ(speedup_with_margin(2.281, 0.139, plain), QStringLiteral("2.28×\u00A0±\u00A00.14"));
    EXPECT_EQ(speedup_with_margin(12.34, 3.21, plain), QStringLiteral("12.3×\u00A0±\u00A03.2"));
    EXPECT_EQ(speedup_with_margin(2.281, std::numeric_limits<double>::quiet_NaN(), plain),
              QStringLiteral("2.28×"));
}

TEST(DurationWithSpread, IsTheValueAloneWithoutASpread) {
    EXPECT_EQ(duration_with_spread(1.239, unknown, plain), QStringLiteral("1.24\u00A0ms"));
}

TEST(BytesText, CountsBytesAndScalesTheRest) {
    expect_texts({{0, u"0\u00A0B"},
                  {512, u"512\u00A0B"},
                  {1023, u"1\u202F023\u00A0B"},
                  {1024, u"1.00\u00A0KiB"},
                  {1024 * 1023, u"0.999\u00A0MiB"},
                  {1.3 * 1024 * 1024, u"1.30\u00A0MiB"},
                  {-2048, u"−2.00\u00A0KiB"},
                  {std::ldexp(1.0, 60), u"1.00\u00A0EiB"}},
                 [](double value) { return bytes_text(value, plain); });
    EXPECT_EQ(bytes_text(1.3e6, comma), QStringLiteral("1.30\u00A0MB"));
    EXPECT_EQ(bytes_text(999, comma), QStringLiteral("999\u00A0B"));
    EXPECT_EQ(bytes_text(999'960, comma), QStringLiteral("1.00\u00A0MB"));
}

TEST(SpeedupText, EndsInATimesSign) {
    expect_texts({{1.239, u"1.24×"}, {0.81, u"0.810×"}, {123.4, u"123×"}, {0, u"0×"}},
                 [](double value) { return speedup_text(value, plain); });
}

TEST(PercentText, HasASignAndFewDigits) {
    expect_texts({{0.24, u"+24\u00A0%"},
                  {-0.195, u"−20\u00A0%"},
                  {0.024, u"+2.4\u00A0%"},
                  {0, u"0\u00A0%"},
                  {0.0001, u"0\u00A0%"},
                  {12, u"+1\u202F200\u00A0%"}},
                 [](double value) { return percent_text(value, plain); });
}

TEST(NumberTexts, StayOnOneLine) {
    for (const QString& text :
         {count_text(-1'234'567, plain), significant(123'456, 3, plain), duration_text(125'000, plain),
          duration_text(1e8, plain), duration_with_spread(1.239, 0.0512, plain), bytes_text(1.3e6, plain),
          percent_text(12, plain), share_text(0.785, plain), si_text(3.2e9, QStringLiteral("Hz"), plain),
          with_whole_numbers(QStringLiteral("948 ± 17 µs")),
          with_whole_numbers(QStringLiteral("4\u2009096 KiB")),
          with_whole_numbers(QStringLiteral("16-wide"))}) {
        // Qt 6.4 breaks a line that begins with "1.24" after the point, and one with a word before it does
        // not.
        const QString line = QStringLiteral("in ") + text;
        QTextBoundaryFinder breaks(QTextBoundaryFinder::Line, line);
        EXPECT_EQ(breaks.toNextBoundary(), 3);
        EXPECT_EQ(breaks.toNextBoundary(), line.size()) << text.toStdString();
    }
}

TEST(NumberTexts, ALineEndsWithTheDotBetweenTwoParts) {
    EXPECT_EQ(with_whole_numbers(QStringLiteral("one · two  ·  three")),
              QStringLiteral("one\u00A0· two\u00A0\u00A0·  three"));
}

TEST(TimeLeftText, IsAsPreciseAsItCanBe) {
    expect_texts({{-3, u"a few seconds left"},
                  {2, u"a few seconds left"},
                  {42, u"40\u00A0s left"},
                  {58, u"1\u00A0min left"},
                  {190, u"3\u00A0min left"},
                  {4800, u"1\u00A0h 20\u00A0min left"},
                  {200'000, u"2\u00A0d\u00A08\u00A0h left"}},
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

// Numbers that are typed: nothing is rounded or clipped, and they are written as the settings say.
namespace {

class NumberFieldTest : public ::testing::Test {
protected:
    ~NumberFieldTest() override { set_number_style(*qApp, {}); }
    static void type(NumberField& field, const QString& text) {
        field.selectAll();
        QTest::keyClicks(&field, text);
        QTest::keyClick(&field, Qt::Key_Return);
    }
    static QString shown(const NumberField& field) { return field.findChild<QLineEdit*>()->text(); }
};

TEST_F(NumberFieldTest, KeepsNumbersBeyondAnInt) {
    NumberField field(NumberField::Kind::Whole);
    field.setRange(0, NumberField::largest_whole);
    type(field, QStringLiteral("9007199254740991"));
    EXPECT_EQ(field.whole_value(), 9'007'199'254'740'991);
    field.setValue(4'000'000'000.0);
    EXPECT_EQ(shown(field), QStringLiteral("4\u202F000\u202F000\u202F000"));
}

TEST_F(NumberFieldTest, KeepsSmallShares) {
    NumberField field(NumberField::Kind::Real);
    field.setRange(0, 1);
    type(field, QStringLiteral("3e-8"));
    EXPECT_EQ(field.value(), 3e-8);
    EXPECT_EQ(shown(field), QStringLiteral("0.00000003"));
    field.setValue(0.57);
    EXPECT_EQ(shown(field), QStringLiteral("0.57"));
}

TEST_F(NumberFieldTest, IsWrittenAndReadInTheChosenStyle) {
    NumberField whole(NumberField::Kind::Whole);
    NumberField real(NumberField::Kind::Real);
    whole.setRange(0, 1e9);
    real.setRange(0, 1e6);
    whole.setSuffix(QStringLiteral(" rows"));
    whole.setValue(4096);
    real.setValue(1234.5);
    whole.show();
    real.show();
    EXPECT_EQ(shown(whole), QStringLiteral("4\u202F096 rows"));
    EXPECT_EQ(shown(real), QStringLiteral("1\u202F234.5"));
    set_number_style(*qApp, {ThousandsSeparator::Comma, u'.', ByteUnits::Binary});
    QTest::qWait(1);
    EXPECT_EQ(shown(whole), QStringLiteral("4,096 rows"));
    type(whole, QStringLiteral("1,000,000"));
    EXPECT_EQ(whole.value(), 1e6);
    set_number_style(*qApp, {ThousandsSeparator::None, u',', ByteUnits::Binary});
    QTest::qWait(1);
    EXPECT_EQ(shown(real), QStringLiteral("1234,5"));
    type(real, QStringLiteral("0,25"));
    EXPECT_EQ(real.value(), 0.25);
    type(real, QStringLiteral("0.75"));
    EXPECT_EQ(real.value(), 0.75) << "the point is understood, too";
}

TEST_F(NumberFieldTest, WhatIsOutOfRangeOrNoNumberIsNotTaken) {
    NumberField field(NumberField::Kind::Whole);
    field.setRange(1, 100);
    field.setValue(7);
    field.selectAll();
    QTest::keyClicks(&field, QStringLiteral("1000"));
    EXPECT_EQ(shown(field), QStringLiteral("100")) << "the last key did nothing";
    type(field, QStringLiteral("0"));
    EXPECT_EQ(field.value(), 100) << "too small";
    type(field, QStringLiteral("1.5x"));
    EXPECT_EQ(field.value(), 15) << "letters and points can't be typed";
}

TEST_F(NumberFieldTest, StepsByAShareOfItsSizeAndFromZero) {
    NumberField field(NumberField::Kind::Real);
    field.setRange(0, 1);
    field.setValue(0.005);
    field.stepBy(1);
    EXPECT_NEAR(field.value(), 0.0051, 1e-12);
    field.setValue(0);
    field.stepBy(1);
    EXPECT_EQ(field.value(), 0.01);
}

class ValueSliderTest : public ::testing::Test {
protected:
    void SetUp() override {
        slider_.set_stops({1, 2, 4, 8, 16});
        slider_.set_format([](double value) { return QStringLiteral("%1 GB/s").arg(value); });
        slider_.set_origin(4);
        slider_.set_value(4);
        slider_.resize(200, 50);
        slider_.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&slider_));
    }
    [[nodiscard]] QStringList texts() const {
        QStringList texts;
        for (const QLabel* label : slider_.findChildren<QLabel*>())
            texts << label->text();
        return texts;
    }
    ValueSlider slider_{QStringLiteral("Bandwidth")};
};

TEST_F(ValueSliderTest, SlidesFromStopToStop) {
    QSignalSpy moved(&slider_, &ValueSlider::moved);
    QTest::keyClick(slider_.slider(), Qt::Key_Right);
    ASSERT_EQ(moved.size(), 1);
    EXPECT_EQ(moved[0][0].toDouble(), 8);
    EXPECT_EQ(slider_.value(), 8);
    EXPECT_TRUE(slider_.is_changed());
    EXPECT_TRUE(texts().contains(QStringLiteral("<b>8 GB/s</b>"))) << "what was changed stands out";
}

TEST_F(ValueSliderTest, TheWayBackLeadsToTheOrigin) {
    EXPECT_FALSE(slider_.reset_button()->isVisible());
    QTest::keyClick(slider_.slider(), Qt::Key_Home);
    EXPECT_EQ(slider_.value(), 1);
    ASSERT_TRUE(slider_.reset_button()->isVisible());
    QSignalSpy moved(&slider_, &ValueSlider::moved);
    QTest::mouseClick(slider_.reset_button(), Qt::LeftButton);
    ASSERT_EQ(moved.size(), 1);
    EXPECT_EQ(moved[0][0].toDouble(), 4);
    EXPECT_FALSE(slider_.is_changed());
}

TEST_F(ValueSliderTest, AValueThatFollowsAnotherOneDoesNotLookAsIfItWasMoved) {
    slider_.set_explanation(QStringLiteral("What the memory delivers."));
    slider_.set_value(8);
    slider_.set_followed(QStringLiteral("Cores"), QStringLiteral("Fewer cores reach less."));
    EXPECT_TRUE(texts().contains(QStringLiteral("8 GB/s"))) << "not bold";
    EXPECT_TRUE(texts().contains(QStringLiteral("Bandwidth"))) << "the name stays as short as it is";
    EXPECT_TRUE(texts().contains(QStringLiteral("Follows Cores")));
    EXPECT_FALSE(slider_.reset_button()->isVisible());
    EXPECT_TRUE(slider_.toolTip().contains(QStringLiteral("Fewer cores reach less. What the memory")));
    slider_.set_followed({});
    EXPECT_TRUE(slider_.reset_button()->isVisible());
    EXPECT_FALSE(texts().contains(QStringLiteral("Follows Cores")));
}

TEST_F(ValueSliderTest, AValueBetweenStopsIsKeptAndStandsAtTheNearest) {
    QSignalSpy moved(&slider_, &ValueSlider::moved);
    slider_.set_value(7.5);
    EXPECT_EQ(slider_.value(), 7.5);
    EXPECT_EQ(slider_.slider()->value(), 3);
    slider_.set_value(100);
    EXPECT_EQ(slider_.slider()->value(), 4);
    EXPECT_TRUE(moved.isEmpty()) << "only the user moves";
}

} // namespace
} // namespace sparsight

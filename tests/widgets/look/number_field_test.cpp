// Numbers that are typed: nothing is rounded or clipped, and they are written as the settings say.
#include "widgets/look/number_field.h"

#include "widgets/look/number_style.h"

#include <QApplication>
#include <QLineEdit>
#include <QTest>
#include <gtest/gtest.h>

namespace sparsight {
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
    EXPECT_EQ(shown(field), QStringLiteral("4\u2009000\u2009000\u2009000"));
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
    EXPECT_EQ(shown(whole), QStringLiteral("4\u2009096 rows"));
    EXPECT_EQ(shown(real), QStringLiteral("1\u2009234.5"));
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

} // namespace
} // namespace sparsight

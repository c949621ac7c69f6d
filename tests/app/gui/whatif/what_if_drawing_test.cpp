#include "gui/whatif/what_if_drawing.h"

#include "gui/page/parameter_words.h"

#include <gtest/gtest.h>
#include <limits>

namespace sparsight {
namespace {

std::string headline(const std::vector<double>& milliseconds) {
    Study study;
    for (std::size_t schedule = 0; schedule < milliseconds.size(); ++schedule)
        study.labels.push_back(QString(QChar(static_cast<char16_t>(u'p' + schedule))));
    return winner_text(study, rank(milliseconds), QStringLiteral("here")).toStdString();
}

TEST(WinnerText, SaysByHowMuchWithTwoDigits) {
    EXPECT_EQ(headline({2.2468, 1}), "<b>q</b> wins on here, 120 % ahead of p.");
    EXPECT_EQ(headline({1, 1.01234}), "<b>p</b> wins on here, 1.2 % ahead of q.");
}

TEST(WinnerText, WhatIsLessThanOnePercentApartIsEquallyFast) {
    EXPECT_EQ(headline({1.000144, 1, 1.5}),
              "<b>q</b> and <b>p</b> are equally fast on here, 50 % ahead of r.");
    EXPECT_EQ(headline({1, 1.005}), "<b>p</b> and <b>q</b> are equally fast on here.");
    EXPECT_EQ(headline({1, 1, 1, 1, 1}), "<b>p</b>, <b>q</b> and 3 others are equally fast on here.");
}

TEST(WinnerText, OneThatHasATimeAloneIsNotAheadOfAnything) {
    const double none = std::numeric_limits<double>::infinity();
    EXPECT_EQ(headline({none, 1}), "<b>q</b> is alone on here.");
    EXPECT_EQ(headline({none, none}), "Nothing has a time on here.");
}

TEST(ParameterText, SizesAreWholeWhereTheyAreAndHaveTheUnitThatFits) {
    constexpr double kib = 1024;
    const auto written = [](double bytes) { return parameter_text(MachineParameter::L2Bytes, bytes); };
    EXPECT_EQ(written(512 * kib), QStringLiteral("512 KiB"));
    EXPECT_EQ(written(1024 * kib), QStringLiteral("1 MiB"));
    EXPECT_EQ(written(1178 * kib), QStringLiteral("1.15 MiB"));
    EXPECT_EQ(written(1023.8 * kib), QStringLiteral("1.00 MiB"));
    EXPECT_EQ(parameter_text(MachineParameter::L3Bytes, 256 * kib * kib), QStringLiteral("256 MiB"));
}

} // namespace
} // namespace sparsight

#include "widgets/plot/density_colours.h"

#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

/// Relative luminance and contrast as the Web Content Accessibility Guidelines 2.1 define them.
double luminance(QRgb colour) {
    const auto linear = [](int channel) {
        const double c = channel / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(qRed(colour)) + 0.7152 * linear(qGreen(colour)) + 0.0722 * linear(qBlue(colour));
}

double contrast(QRgb a, QRgb b) {
    const double lighter = std::max(luminance(a), luminance(b));
    const double darker = std::min(luminance(a), luminance(b));
    return (lighter + 0.05) / (darker + 0.05);
}

class DensityColoursOf : public ::testing::TestWithParam<PlotTheme> {};
INSTANTIATE_TEST_SUITE_P(Theme, DensityColoursOf, ::testing::Values(PlotTheme::Light, PlotTheme::Dark),
                         [](const auto& test) { return test.param == PlotTheme::Light ? "Light" : "Dark"; });

TEST_P(DensityColoursOf, AnEmptyCellIsBackground) {
    const DensityColours colours(GetParam(), 1000);
    EXPECT_EQ(colours.colour(0), colours.background());
    EXPECT_EQ(colours.colour(-1), colours.background());
    EXPECT_EQ(colours.colour(std::nan("")), colours.background());
}

TEST_P(DensityColoursOf, ASingleEntryStandsOut) {
    const DensityColours colours(GetParam(), 1e6);
    EXPECT_GT(contrast(colours.colour(1), colours.background()), 1.9);
}

TEST_P(DensityColoursOf, MoreEntriesAreAlwaysFartherFromTheBackground) {
    const DensityColours colours(GetParam(), 1e6);
    double before = 1;
    for (double count = 0.125; count <= 1e6; count *= 2) {
        const double now = contrast(colours.colour(count), colours.background());
        EXPECT_GT(now, before) << count;
        before = now;
    }
    EXPECT_GT(before, 10);
}

TEST_P(DensityColoursOf, CountsAboveTheFullestCellGetItsColour) {
    const DensityColours colours(GetParam(), 50);
    EXPECT_EQ(colours.colour(51), colours.colour(50));
    EXPECT_EQ(colours.colour(HUGE_VAL), colours.colour(50));
}

TEST_P(DensityColoursOf, WithOneEntryACellAtMostTheContrastIsFull) {
    const DensityColours single(GetParam(), 1);
    const DensityColours dense(GetParam(), 1e6);
    EXPECT_EQ(single.colour(1), dense.colour(1e6));
    EXPECT_EQ(DensityColours(GetParam(), 0).colour(1), single.colour(1));
}

QStringList labels(const DensityColours& colours, int wanted) {
    QStringList texts;
    for (const LegendTick& tick : colours.legend(wanted))
        texts << tick.label;
    return texts;
}

TEST(DensityLegend, MarksPowersOfTenAndTheFullestCell) {
    const DensityColours colours(PlotTheme::Light, 25'000);
    EXPECT_EQ(labels(colours, 6),
              QStringList({QStringLiteral("1"), QStringLiteral("10"), QStringLiteral("100"),
                           QStringLiteral("1\u2009000"), QStringLiteral("25\u2009000")}));
    const auto ticks = colours.legend();
    EXPECT_DOUBLE_EQ(ticks.front().position, 0);
    EXPECT_DOUBLE_EQ(ticks.back().position, 1);
    EXPECT_NEAR(ticks[1].position, std::log(10) / std::log(25'000), 1e-12);
}

TEST(DensityLegend, NeverHasManyMoreMarksThanWanted) {
    for (const double fullest : {1.0, 2.0, 9.0, 10.0, 11.0, 1e3, 1e6, 123'456'789.0, 1e9, 1e12})
        for (const int wanted : {2, 4, 6, 10}) {
            const auto ticks = DensityColours(PlotTheme::Dark, fullest).legend(wanted);
            EXPECT_LE(ticks.size(), static_cast<std::size_t>(2 * wanted)) << fullest;
            EXPECT_EQ(ticks.front().count, 1);
            EXPECT_EQ(ticks.back().count, fullest);
            EXPECT_EQ(ticks.back().position, 1);
        }
}

TEST(DensityLegend, OfSingleEntriesIsOneMark) {
    EXPECT_EQ(labels(DensityColours(PlotTheme::Light, 1), 6), QStringList({QStringLiteral("1")}));
}

} // namespace
} // namespace sparsight

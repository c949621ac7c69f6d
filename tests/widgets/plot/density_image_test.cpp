#include "sparsity_plot_fixture.h"
#include "widgets/plot/density_image.h"

#include <cmath>
#include <gmock/gmock.h>
#include <numeric>

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
                           QStringLiteral("1\u202F000"), QStringLiteral("25\u202F000")}));
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

using testing::PictureSource;

using Lines = std::vector<std::string>;

/// The whole matrix in so many pixels, with at most that many counted cells.
std::vector<float> pixels_of(const PatternSource& source, int width, int height, int cells_across,
                             int cells_down) {
    const PatternArea all{0, source.rows(), 0, source.cols()};
    return entries_per_pixel(source.counts(all, cells_across, cells_down),
                             {width, height, 0, 0, static_cast<double>(source.cols()) / width,
                              static_cast<double>(source.rows()) / height});
}

std::vector<float> pixels_of(const PatternSource& source, int width, int height) {
    return pixels_of(source, width, height, width, height);
}

/// A digit for a whole number of entries, '.' for none, '+' for a part of an entry.
Lines drawn(const std::vector<float>& pixels, int width) {
    Lines lines;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (i % static_cast<std::size_t>(width) == 0)
            lines.emplace_back();
        const float value = pixels[i];
        if (value < 1e-6F)
            lines.back() += '.';
        else if (std::abs(value - std::round(value)) < 1e-4F)
            lines.back() += static_cast<char>('0' + static_cast<int>(std::round(value)));
        else
            lines.back() += '+';
    }
    return lines;
}

double ink(const std::vector<float>& pixels) {
    return std::accumulate(pixels.begin(), pixels.end(), 0.0);
}

TEST(DensityRaster, OnePixelACellIsThePictureItself) {
    const PictureSource source({"#...#", //
                                ".....", //
                                "..3..", //
                                "#...#"});
    EXPECT_EQ(drawn(pixels_of(source, 5, 4), 5), Lines({"1...1", //
                                                        ".....", //
                                                        "..3..", //
                                                        "1...1"}));
}

TEST(DensityRaster, EntriesOnTheBordersAreInTheOuterPixels) {
    const PictureSource source({"##..##", //
                                "#....#", //
                                "......", //
                                "......", //
                                "#....#", //
                                "##..##"});
    EXPECT_EQ(drawn(pixels_of(source, 3, 3), 3), Lines({"3.3", //
                                                        "...", //
                                                        "3.3"}));
}

TEST(DensityRaster, OneRowAndOneColumnFillTheirPixels) {
    EXPECT_EQ(drawn(pixels_of(PictureSource({"#.##"}), 2, 1), 2), Lines({"12"}));
    EXPECT_EQ(drawn(pixels_of(PictureSource({"#", ".", "#", "#"}), 1, 2), 1), Lines({"1", "2"}));
}

TEST(DensityRaster, AnEmptyMatrixLeavesEveryPixelEmpty) {
    EXPECT_EQ(drawn(pixels_of(PictureSource({"...", "..."}), 3, 2), 3), Lines({"...", "..."}));
    EXPECT_EQ(entries_per_pixel({}, {2, 1}), std::vector<float>(2));
}

TEST(DensityRaster, DuplicatesInOneCellAddUp) {
    EXPECT_EQ(drawn(pixels_of(PictureSource({"7"}), 1, 1), 1), Lines({"7"}));
    EXPECT_EQ(drawn(pixels_of(PictureSource({"2.", ".3"}), 1, 1), 1), Lines({"5"}));
}

TEST(DensityRaster, RectanglesAreScaledInEachDirectionByItself) {
    const PictureSource source({"##......", //
                                "......##"});
    EXPECT_EQ(drawn(pixels_of(source, 4, 2), 4), Lines({"2...", "...2"}));
    EXPECT_EQ(drawn(pixels_of(source, 8, 4, 8, 2), 8), Lines({"++......", //
                                                              "++......", //
                                                              "......++", //
                                                              "......++"}));
}

TEST(DensityRaster, ACellOverTwoPixelsIsSharedOutByArea) {
    const std::vector<float> pixels = pixels_of(PictureSource({".#."}), 2, 1, 3, 1);
    EXPECT_NEAR(pixels[0], 0.5, 1e-6);
    EXPECT_NEAR(pixels[1], 0.5, 1e-6);
}

TEST(DensityRaster, WhatLiesOutsideIsCutOff) {
    const PictureSource source({"####", "####", "####", "####"});
    const PatternCounts counts = source.counts({0, 4, 0, 4}, 4, 4);
    EXPECT_NEAR(ink(entries_per_pixel(counts, {2, 2, 1, 1, 1, 1})), 4, 1e-5);
    EXPECT_NEAR(ink(entries_per_pixel(counts, {2, 2, 3.5, 3.5, 1, 1})), 0.25, 1e-5);
    EXPECT_NEAR(ink(entries_per_pixel(counts, {2, 2, -1.5, -1.5, 1, 1})), 0.25, 1e-5);
}

TEST(DensityRaster, NoEntryIsLostAtAnySize) {
    const PictureSource source({"#..#.#..##.", //
                                "..9....#...", //
                                "#.....#....", //
                                ".#.#.#.#.##", //
                                "....#.....#", //
                                "###....####", //
                                ".........2."});
    const auto total = static_cast<double>(source.nnz());
    for (int size = 1; size <= 40; ++size) {
        EXPECT_NEAR(ink(pixels_of(source, size, size)), total, 1e-3) << size;
        EXPECT_NEAR(ink(pixels_of(source, size, size, 2 * size, size)), total, 1e-3) << size;
    }
}

TEST(DensityRaster, AFullMatrixIsEvenlyGreyAtEverySize) {
    const PictureSource source = PictureSource::filled(97, 61);
    for (const auto& [width, height] :
         {std::pair(61, 97), std::pair(40, 40), std::pair(7, 60), std::pair(60, 9), std::pair(122, 194),
          std::pair(83, 131), std::pair(1, 1)}) {
        const std::vector<float> pixels = pixels_of(source, width, height);
        const auto expected = static_cast<float>(97.0 * 61 / width / height);
        for (const float pixel : pixels)
            ASSERT_NEAR(pixel, expected, 1e-4F * expected) << width << " × " << height;
    }
}

/// The values of a matrix of regular stripes, counted in cells of so many columns.
std::vector<float> stripes(int period, int cols, int width, int cell) {
    std::string line;
    for (int col = 0; col < cols; ++col)
        line += col % period == 0 ? '#' : '.';
    const PictureSource source(Lines(1, line));
    return density_values(source.counts({0, 1, 0, cols}, cols / cell, 1),
                          {width, 1, 0, 0, static_cast<double>(cols) / width, 1});
}

TEST(DensityValues, FineStripesShowNoMoire) {
    // Shares by area alone would leave pixels with one or two stripes: beats of ± 45 % that no one put there.
    for (const auto& [period, width, cell] :
         {std::tuple(2, 397, 1), std::tuple(3, 173, 1), std::tuple(3, 210, 1), std::tuple(4, 139, 2),
          std::tuple(4, 150, 2)}) {
        const std::vector<float> values = stripes(period, 600, width, cell);
        const float expected = 600.0F / static_cast<float>(period * width);
        for (std::size_t x = 2; x + 2 < values.size(); ++x) // the border cuts stripes
            EXPECT_NEAR(values[x], expected, 0.15F * expected) << period << " in " << width << " at " << x;
    }
}

TEST(DensityValues, SmoothingLosesNoEntryAndKeepsFullMatricesEven) {
    const PictureSource spots({"#......#", //
                               "........", //
                               "...3....", //
                               "........", //
                               ".....#..", //
                               "#......#"});
    for (int size = 1; size < 6; ++size) {
        const RasterTarget target{size, size, 0, 0, 8.0 / size, 6.0 / size};
        EXPECT_NEAR(ink(density_values(spots.counts({0, 6, 0, 8}, 2 * size, size), target)), 8, 1e-4) << size;
    }
    const std::vector<float> full = density_values(
        PictureSource::filled(97, 61).counts({0, 97, 0, 61}, 26, 40), {13, 40, 0, 0, 61.0 / 13, 97.0 / 40});
    for (const float value : full)
        EXPECT_NEAR(value, 97.0 * 61 / 13 / 40, 1e-3);
}

TEST(DensityValues, ASingleEntryKeepsMoreThanHalfOfItsInkInOnePixel) {
    std::vector<std::string> lines(90, std::string(90, '.'));
    lines[44][46] = '#';
    const std::vector<float> values =
        density_values(PictureSource(lines).counts({0, 90, 0, 90}, 60, 60), {30, 30, 0, 0, 3, 3});
    EXPECT_NEAR(ink(values), 1, 1e-5);
    EXPECT_GT(*std::ranges::max_element(values), 0.4);
    EXPECT_EQ(std::ranges::max_element(values) - values.begin(), 14 * 30 + 15);
}

TEST(DensityRaster, ValuesArePerCellWhereACellIsLargerThanAPixel) {
    const PictureSource source({"#.", ".2"});
    const PatternCounts counts = source.counts({0, 2, 0, 2}, 2, 2);
    EXPECT_EQ(drawn(density_values(counts, {6, 6, 0, 0, 1.0 / 3, 1.0 / 3}), 6), Lines({"111...", //
                                                                                       "111...", //
                                                                                       "111...", //
                                                                                       "...222", //
                                                                                       "...222", //
                                                                                       "...222"}));
    EXPECT_EQ(drawn(density_values(counts, {1, 1, 0, 0, 2, 2}), 1), Lines({"3"}));
    EXPECT_EQ(drawn(density_values(counts, {2, 1, 0, 0, 1, 2}), 2), Lines({"12"}));
}

TEST(CellValues, AreSharpSquares) {
    const PictureSource source({"#.", ".2"});
    const PatternCounts counts = source.counts({0, 2, 0, 2}, 2, 2);
    EXPECT_EQ(drawn(cell_values(counts, {7, 3, 0, 0, 2.0 / 5.2, 2.0 / 3}), 7), Lines({"111....", //
                                                                                      "...22..", //
                                                                                      "...22.."}));
    EXPECT_EQ(cell_values({}, {1, 1}), std::vector<float>(1));
}

TEST(ColourScaleEnd, IsARoundNumberNotBelowTheLargest) {
    const auto end = [](std::vector<float> values) { return colour_scale_end(values); };
    EXPECT_EQ(end({}), 1);
    EXPECT_EQ(end({0, 0.3F}), 1);
    EXPECT_EQ(end({1.00001F, 0.5F}), 1);
    EXPECT_EQ(end({1.5F}), 2);
    EXPECT_EQ(end({2.5F, 0}), 5);
    EXPECT_EQ(end({7}), 10);
    EXPECT_EQ(end({1001}), 1000); // a rounding error is not worth another colour
    EXPECT_EQ(end({1100}), 2000);
}

TEST(DensityImage, HasTheColoursOfItsValues) {
    for (const PlotTheme theme : {PlotTheme::Light, PlotTheme::Dark}) {
        const DensityColours colours(theme, 1000);
        const std::vector<float> values{0, 1, 10, 100, 1000, 5000};
        const QImage image = density_image(values, 3, 2, colours);
        const auto distance = [](QRgb a, QRgb b) {
            return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) +
                   std::abs(qBlue(a) - qBlue(b));
        };
        for (int i = 0; i < 6; ++i)
            EXPECT_LE(distance(image.pixel(i % 3, i / 3),
                               colours.colour(static_cast<double>(values[static_cast<std::size_t>(i)]))),
                      6)
                << i;
        EXPECT_EQ(image.pixel(0, 0), colours.background());
        EXPECT_EQ(image.pixel(1, 1), image.pixel(2, 1));
    }
}

} // namespace
} // namespace sparsight

#include "matrix/density_image.h"

#include "core/matrix/ascii_pattern.h"
#include "matrix/generators/generator.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <png.h>

namespace sparsight {
namespace {

struct Picture {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> pixels; ///< red, green, blue

    [[nodiscard]] Colour at(std::size_t x, std::size_t y) const {
        const std::size_t place = 3 * (y * width + x);
        return {pixels[place], pixels[place + 1], pixels[place + 2]};
    }
};

Picture decode(const std::vector<std::byte>& file) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_memory(&image, file.data(), file.size()), 0);
    image.format = PNG_FORMAT_RGB;
    Picture picture{image.width, image.height, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
    EXPECT_NE(png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr), 0);
    return picture;
}

/// CIELAB lightness of an sRGB colour.
double lightness(const Colour& colour) {
    const auto linear = [](std::uint8_t channel) {
        const double c = channel / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const double luminance =
        0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
    return 116 * std::cbrt(luminance) - 16;
}

constexpr Colour white{255, 255, 255};

TEST(DensityImage, DarkerIsDenserInEvenSteps) {
    double previous = lightness(density_colour(0));
    EXPECT_LT(previous, 85); // a single entry stands out from white
    for (int step = 1; step <= 8; ++step) {
        const double now = lightness(density_colour(step / 8.0));
        EXPECT_NEAR(previous - now, 9, 2.5) << step;
        previous = now;
    }
    EXPECT_EQ(density_colour(-1), density_colour(0));
    EXPECT_EQ(density_colour(2), density_colour(1));
}

TEST(DensityImage, IsWhiteWhereNothingIsAndDarkestWhereItIsDensest) {
    const CsrPattern pattern = testing::pattern_from({"##..", "##..", "..#.", "...."});
    const auto file = density_png(overview(pattern, 2, 2, 1), 20, 20);
    ASSERT_TRUE(file.has_value()) << file.error().text();
    const Picture picture = decode(*file);
    ASSERT_EQ(picture.width, 20U);
    ASSERT_EQ(picture.height, 20U);
    EXPECT_EQ(picture.at(0, 0), density_colour(1));
    EXPECT_EQ(picture.at(9, 9), density_colour(1));
    EXPECT_EQ(picture.at(10, 9), white);
    EXPECT_EQ(picture.at(9, 10), white);
    EXPECT_LT(lightness(picture.at(10, 10)), lightness(white));
    EXPECT_GT(lightness(picture.at(19, 19)), lightness(density_colour(1)));
}

TEST(DensityImage, DarknessGoesByDensityAndNotByCount) {
    // Three columns in two cells: one is twice as wide, and equally dense.
    const auto darkness = density_darkness(DensityGrid{{0, 2}, {0, 1, 3}, {2, 4}});
    EXPECT_EQ(darkness, (std::vector<double>{1, 1}));
}

TEST(DensityImage, OfNothingIsWhite) {
    const auto file = density_png(overview({}, 16, 16, 1), 3, 2);
    ASSERT_TRUE(file.has_value());
    const Picture picture = decode(*file);
    EXPECT_EQ(picture.at(2, 1), white);
}

TEST(DensityImage, RefusesWhatDoesNotFit) {
    const DensityGrid grid = overview(testing::pattern_from({"##", "##"}), 2, 2, 1);
    EXPECT_EQ(density_png(grid, 1, 5).error().text(), "2 × 2 cells do not fit a picture of 1 × 5 pixels");
    EXPECT_FALSE(density_png(grid, 0, 5).has_value());
    EXPECT_FALSE(density_png(grid, 5, 16'385).has_value());
}

TEST(Overview, HoldsEveryEntryInNoMoreCellsThanAskedFor) {
    for (const auto& [rows, cols] :
         std::vector<std::pair<double, double>>{{1, 1}, {3, 900}, {2049, 2049}, {5000, 7}, {10'007, 4001}}) {
        const CsrPattern pattern =
            *generate_matrix("uniform", {{"rows", rows}, {"cols", cols}, {"density", 0.02}}, 1);
        for (const int pixels : {1, 100, 512, 2047}) {
            const DensityGrid grid = overview(pattern, pixels, pixels, 2);
            EXPECT_LE(grid.width(), pixels);
            EXPECT_LE(grid.height(), pixels);
            EXPECT_GE(grid.width(), std::min<std::int64_t>(pixels, pattern.cols) / 2);
            EXPECT_EQ(grid.row_edges.back(), pattern.rows);
            EXPECT_EQ(grid.col_edges.back(), pattern.cols);
            EXPECT_EQ(std::accumulate(grid.counts.begin(), grid.counts.end(), std::int64_t{0}),
                      pattern.nnz());
        }
    }
}

} // namespace
} // namespace sparsight

#include "base/random.h"
#include "core/domains/sparse/tensor/pattern_pictures.h"
#include "domains/sparse/tensor/density_grid.h"
#include "domains/sparse/tensor/density_pyramid.h"
#include "domains/sparse/tensor/generators/generator.h"

#include <algorithm>
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

using testing::pattern_from;

DensityPyramid pyramid_over(CsrPattern pattern, int threads = 2) {
    auto pyramid = DensityPyramid::build(std::make_shared<const CsrPattern>(std::move(pattern)), threads);
    EXPECT_TRUE(pyramid.has_value());
    return std::move(*pyramid);
}

Viewport whole(const CsrPattern& pattern) {
    return {0, pattern.rows, 0, pattern.cols};
}

/// Counts as digits, '.' for none.
std::string drawn(const DensityGrid& grid) {
    std::string text = "\n";
    for (std::int64_t y = 0; y < grid.height(); ++y) {
        for (std::int64_t x = 0; x < grid.width(); ++x) {
            const std::uint32_t count = grid.counts[static_cast<std::size_t>(y * grid.width() + x)];
            text += count == 0 ? '.' : static_cast<char>('0' + count);
        }
        text += '\n';
    }
    return text;
}

std::string drawn(const CsrPattern& pattern, const Viewport& viewport, int width, int height) {
    return drawn(*pyramid_over(pattern).density(viewport, width, height, 1));
}

std::int64_t sum(const DensityGrid& grid) {
    return std::accumulate(grid.counts.begin(), grid.counts.end(), std::int64_t{0});
}

std::vector<EntryPosition> entries_of(const CsrPattern& pattern, const Viewport& view) {
    std::vector<EntryPosition> entries;
    for (std::int64_t row = 0; row < pattern.rows; ++row)
        for (auto e = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row)]);
             e < static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row) + 1]); ++e) {
            const std::int32_t col = pattern.column_ids[e];
            if (row >= view.row_begin && row < view.row_end && col >= view.col_begin && col < view.col_end)
                entries.push_back({static_cast<std::int32_t>(row), col});
        }
    return entries;
}

void expect_edges(const std::vector<std::int64_t>& edges, std::int64_t begin, std::int64_t end, int wanted) {
    ASSERT_EQ(std::ssize(edges) - 1, std::min<std::int64_t>(wanted, end - begin));
    EXPECT_EQ(edges.front(), begin);
    EXPECT_EQ(edges.back(), end);
    const double cell = static_cast<double>(end - begin) / static_cast<double>(edges.size() - 1);
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        ASSERT_LT(edges[i], edges[i + 1]);
        ASSERT_LT(std::abs(static_cast<double>(edges[i] - begin) - static_cast<double>(i) * cell), cell);
    }
}

/// Every promise of density() for one viewport inside the matrix.
void expect_exact(const DensityPyramid& pyramid, const Viewport& view, int width, int height, int threads) {
    SCOPED_TRACE(::testing::Message()
                 << "rows " << view.row_begin << " … " << view.row_end << ", columns " << view.col_begin
                 << " … " << view.col_end << " in " << width << " × " << height);
    const auto grid = pyramid.density(view, width, height, threads);
    ASSERT_TRUE(grid.has_value());
    expect_edges(grid->row_edges, view.row_begin, view.row_end, height);
    expect_edges(grid->col_edges, view.col_begin, view.col_end, width);
    std::vector<std::uint32_t> expected(grid->counts.size());
    for (const EntryPosition& entry : entries_of(pyramid.pattern(), view)) {
        const auto cell_of = [](const std::vector<std::int64_t>& edges, std::int64_t place) {
            return std::ranges::upper_bound(edges, place) - edges.begin() - 1;
        };
        ++expected[static_cast<std::size_t>(cell_of(grid->row_edges, entry.row) * grid->width() +
                                            cell_of(grid->col_edges, entry.col))];
    }
    EXPECT_EQ(grid->counts, expected);
}

TEST(DensityPyramid, DrawsASmallMatrixEntryByEntry) {
    EXPECT_EQ(drawn(pattern_from({"#..#", "....", "####"}), {0, 3, 0, 4}, 100, 100), R"(
1..1
....
1111
)");
}

TEST(DensityPyramid, SumsCellsWhenThePictureIsSmaller) {
    const CsrPattern pattern = pattern_from({
        "##....#.",
        "##.....#",
        "........",
        "...#....",
    });
    EXPECT_EQ(drawn(pattern, {0, 4, 0, 8}, 4, 2), "\n4..2\n.1..\n");
    EXPECT_EQ(drawn(pattern, {0, 4, 0, 8}, 1, 1), "\n7\n");
    EXPECT_EQ(drawn(pattern, {0, 4, 0, 8}, 8, 1), "\n22.1..11\n");
    EXPECT_EQ(drawn(pattern, {0, 4, 0, 8}, 1, 4), "\n3\n3\n.\n1\n");
}

TEST(DensityPyramid, CutsCellsAtTheBorderOfTheMatrix) {
    const CsrPattern pattern = pattern_from({
        "#...#",
        ".....",
        "....#",
    });
    EXPECT_EQ(drawn(pattern, {0, 3, 0, 5}, 2, 2), "\n11\n.1\n");
    EXPECT_EQ(drawn(pattern, {-5, 2, 3, 99}, 10, 10), "\n.1\n..\n");
}

TEST(DensityPyramid, ZoomsIntoOneRowAndOneColumn) {
    const CsrPattern pattern = pattern_from({
        "#.#.",
        ".###",
        "#...",
    });
    EXPECT_EQ(drawn(pattern, {1, 2, 0, 4}, 50, 50), "\n.111\n");
    EXPECT_EQ(drawn(pattern, {0, 3, 2, 3}, 50, 50), "\n1\n1\n.\n");
    EXPECT_EQ(drawn(pattern, {1, 2, 0, 1}, 50, 50), "\n.\n");
}

TEST(DensityPyramid, AnEmptyViewportOrMatrixGivesAnEmptyGrid) {
    const DensityPyramid pyramid = pyramid_over(pattern_from({"##", "##"}));
    for (const Viewport& view : {Viewport{1, 1, 0, 2}, Viewport{0, 2, 2, 1}, Viewport{5, 9, 0, 2}}) {
        EXPECT_TRUE(pyramid.density(view, 4, 4, 1)->empty());
        EXPECT_EQ(pyramid.entries_in(view, 10).total, 0);
    }
    const DensityPyramid nothing = pyramid_over({});
    EXPECT_TRUE(nothing.levels().empty());
    EXPECT_TRUE(nothing.density({0, 10, 0, 10}, 4, 4, 1)->empty());
    EXPECT_EQ(drawn(pattern_from({"...", "..."}), {0, 2, 0, 3}, 9, 9), "\n...\n...\n");
}

TEST(DensityPyramid, RefusesSizesThatNoScreenHas) {
    const DensityPyramid pyramid = pyramid_over(pattern_from({"#"}));
    EXPECT_EQ(pyramid.density({0, 1, 0, 1}, 0, 5, 1).error().text(),
              "a density of 0 × 5 cells was asked for; 1 to 8192 are possible in each direction");
    EXPECT_FALSE(pyramid.density({0, 1, 0, 1}, 5, 8193, 1).has_value());
}

TEST(DensityPyramid, LevelsHalveDownToOneCellAndEachHoldsEveryEntry) {
    for (const auto& [rows, cols] : std::vector<std::pair<double, double>>{
             {1, 1}, {5, 3}, {2048, 2048}, {2049, 100}, {10'000, 3}, {3, 70'000}}) {
        const CsrPattern pattern =
            *generate_matrix("uniform", {{"rows", rows}, {"cols", cols}, {"density", 0.01}}, 1);
        const auto levels = build_density_levels(pattern, 2);
        EXPECT_LE(levels.front().height, finest_cells);
        EXPECT_LE(levels.front().width, finest_cells);
        EXPECT_GT(levels.front().height, rows > 1024 ? 1024 : static_cast<std::int64_t>(rows) - 1);
        EXPECT_EQ(levels.back().height * levels.back().width, 1);
        for (const DensityLevel& level : levels) {
            EXPECT_EQ(level.height, (pattern.rows + level.cell_rows - 1) / level.cell_rows);
            EXPECT_EQ(level.width, (pattern.cols + level.cell_cols - 1) / level.cell_cols);
            EXPECT_EQ(std::accumulate(level.counts.begin(), level.counts.end(), std::int64_t{0}),
                      pattern.nnz());
        }
    }
}

TEST(DensityPyramid, EveryViewportOfEveryShapeIsCountedExactly) {
    Random random(9);
    const auto range = [&](std::int64_t extent) {
        const std::int64_t a = random.between(0, extent - 1);
        // Short, long and full ranges alike.
        const std::int64_t longest = random.chance(0.3) ? 5 : extent;
        return random.chance(0.2) ? std::pair<std::int64_t, std::int64_t>(0, extent)
                                  : std::pair(a, std::min(extent, a + random.between(1, longest)));
    };
    for (const auto& [family, values] : std::vector<std::pair<std::string, ParameterValues>>{
             {"uniform", {{"rows", 5000}, {"cols", 5000}, {"density", 1e-3}}},
             {"uniform", {{"rows", 37}, {"cols", 4097}, {"density", 0.05}}},
             {"uniform", {{"rows", 9000}, {"cols", 3}, {"density", 0.3}}},
             {"uniform", {{"rows", 64}, {"cols", 1}, {"density", 0.5}}},
             {"uniform", {{"rows", 90}, {"cols", 90}, {"density", 1}}},
             {"arrow", {{"size", 4500}, {"head", 1}}},
             {"power-law", {{"scale", 12}, {"edge-factor", 4}}},
             {"hyper-sparse", {{"rows", 50'000}, {"cols", 70'000}}}}) {
        SCOPED_TRACE(family);
        const DensityPyramid pyramid = pyramid_over(*generate_matrix(family, values, 4), 3);
        for (int round = 0; round < 40; ++round) {
            const auto [top, bottom] = range(pyramid.pattern().rows);
            const auto [left, right] = range(pyramid.pattern().cols);
            expect_exact(pyramid, {top, bottom, left, right}, static_cast<int>(random.between(1, 120)),
                         static_cast<int>(random.between(1, 120)), static_cast<int>(random.between(1, 4)));
        }
    }
}

TEST(DensityPyramid, TheWholeMatrixHoldsEveryEntryAtEveryResolution) {
    const CsrPattern pattern =
        *generate_matrix("uniform", {{"rows", 5001}, {"cols", 2999}, {"density", 2e-3}}, 1);
    const DensityPyramid pyramid = pyramid_over(pattern);
    for (const int pixels : {1, 7, 1024, 1500, 2048, 2999, 3500})
        EXPECT_EQ(sum(*pyramid.density(whole(pattern), pixels, pixels, 2)), pattern.nnz()) << pixels;
}

TEST(DensityPyramid, DoesNotDependOnThreads) {
    const CsrPattern pattern = *generate_matrix("power-law", {{"scale", 12}}, 1);
    const DensityPyramid one = pyramid_over(pattern, 1);
    const DensityPyramid four = pyramid_over(pattern, 4);
    const Viewport view{100, 3000, 17, 2500};
    EXPECT_EQ(one.density(view, 300, 200, 1)->counts, four.density(view, 300, 200, 5)->counts);
}

TEST(DensityPyramid, ListsTheEntriesOfAViewportRowByRow) {
    const CsrPattern pattern = *generate_matrix("hyper-sparse", {{"rows", 40'000}, {"cols", 3000}}, 2);
    const DensityPyramid pyramid = pyramid_over(pattern);
    for (const Viewport& view : {whole(pattern), Viewport{100, 200, 0, 3000}, Viewport{0, 40'000, 7, 9},
                                 Viewport{20'000, 40'000, 1500, 3000}, Viewport{39'999, 40'000, 0, 3000}}) {
        const EntryList list = pyramid.entries_in(view, 1'000'000);
        const auto expected = entries_of(pattern, view);
        EXPECT_EQ(list.entries, expected);
        EXPECT_EQ(list.total, std::ssize(expected));
    }
}

TEST(DensityPyramid, ListsNoMoreEntriesThanItsLimitButCountsAll) {
    const DensityPyramid pyramid = pyramid_over(pattern_from({"##.", "###", "..#"}));
    const EntryList list = pyramid.entries_in({0, 3, 0, 3}, 4);
    EXPECT_EQ(list.entries, (std::vector<EntryPosition>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
    EXPECT_EQ(list.total, 6);
    EXPECT_TRUE(pyramid.entries_in({0, 3, 0, 3}, 0).entries.empty());
    EXPECT_EQ(pyramid.entries_in({0, 3, 0, 3}, -1).total, 6);
}

TEST(DensityPyramid, KeepsThePatternAlive) {
    auto pattern = std::make_shared<const CsrPattern>(pattern_from({"#.", ".#"}));
    const auto pyramid = DensityPyramid::build(pattern, 1);
    EXPECT_EQ(&pyramid->pattern(), pattern.get());
    pattern.reset();
    EXPECT_EQ(drawn(*pyramid->density({0, 2, 0, 2}, 2, 2, 1)), "\n1.\n.1\n");
}

} // namespace
} // namespace sparsight

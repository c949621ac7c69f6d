#include "widgets/chart/owner_colours.h"

#include "widgets/look/theme.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace sparsight {
namespace {

/// Distance in Oklab (Ottosson, 2020), times 100.
double distance(const QColor& a, const QColor& b) {
    const auto lab = [](const QColor& colour) {
        const auto linear = [](double c) {
            return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
        };
        const double red = linear(colour.redF());
        const double green = linear(colour.greenF());
        const double blue = linear(colour.blueF());
        const double l = std::cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
        const double m = std::cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
        const double s = std::cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
        return std::array{0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
    };
    const auto x = lab(a);
    const auto y = lab(b);
    return 100 * std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

class OwnerColours : public ::testing::TestWithParam<bool> {
protected:
    const Theme& theme = GetParam() ? dark_theme() : light_theme();
};
INSTANTIATE_TEST_SUITE_P(Chart, OwnerColours, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "Dark" : "Light"; });

TEST_P(OwnerColours, DifferFromEachOtherAndFromTheColoursOfSeries) {
    std::vector<QColor> colours(theme.series.begin(), theme.series.end());
    for (std::size_t owner = 0; owner < owner_colour_count; ++owner) {
        const OwnerLook look = owner_look(owner, theme);
        EXPECT_FALSE(look.striped);
        for (std::size_t other = 0; other < colours.size(); ++other)
            EXPECT_GT(distance(look.colour, colours[other]), 10) << owner << ' ' << other;
        colours.push_back(look.colour);
    }
}

TEST_P(OwnerColours, MoreOwnersHaveStripes) {
    const OwnerLook again = owner_look(owner_colour_count, theme);
    EXPECT_TRUE(again.striped);
    EXPECT_NE(again, owner_look(0, theme));
}

} // namespace
} // namespace sparsight

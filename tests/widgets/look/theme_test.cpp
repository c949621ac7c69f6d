#include "widgets/look/theme.h"

#include <QApplication>
#include <QPalette>
#include <QStyle>
#include <QWidget>
#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

struct Linear {
    double red, green, blue;
};

Linear linear(const QColor& colour) {
    const auto one = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return {one(colour.redF()), one(colour.greenF()), one(colour.blueF())};
}

/// Contrast as the Web Content Accessibility Guidelines 2.1 define it.
double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& colour) {
        const auto [red, green, blue] = linear(colour);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const double lighter = std::max(luminance(a), luminance(b));
    return (lighter + 0.05) / (std::min(luminance(a), luminance(b)) + 0.05);
}

/// Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
/// Deficiency", 2009, severity 1.
Linear seen_without_green(const Linear& c) {
    return {0.367322 * c.red + 0.860646 * c.green - 0.227968 * c.blue,
            0.280085 * c.red + 0.672501 * c.green + 0.047413 * c.blue,
            -0.011820 * c.red + 0.042940 * c.green + 0.968881 * c.blue};
}

Linear seen_without_red(const Linear& c) {
    return {0.152286 * c.red + 1.052583 * c.green - 0.204868 * c.blue,
            0.114503 * c.red + 0.786281 * c.green + 0.099216 * c.blue,
            -0.003882 * c.red - 0.048116 * c.green + 1.051998 * c.blue};
}

/// Distance in Oklab (Ottosson, 2020), times 100.
double distance(const Linear& a, const Linear& b) {
    const auto lab = [](const Linear& c) {
        const double l = std::cbrt(0.4122214708 * c.red + 0.5363325363 * c.green + 0.0514459929 * c.blue);
        const double m = std::cbrt(0.2119034982 * c.red + 0.6806995451 * c.green + 0.1073969566 * c.blue);
        const double s = std::cbrt(0.0883024619 * c.red + 0.2817188376 * c.green + 0.6299787005 * c.blue);
        return std::array{0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
    };
    const auto x = lab(a);
    const auto y = lab(b);
    return 100 * std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

class ThemeOf : public ::testing::TestWithParam<bool> {
protected:
    const Theme& theme = GetParam() ? dark_theme() : light_theme();
};
INSTANTIATE_TEST_SUITE_P(Look, ThemeOf, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "Dark" : "Light"; });

TEST_P(ThemeOf, TextIsReadableOnEverythingItStandsOn) {
    for (const QColor& behind : {theme.window, theme.surface, theme.raised, theme.hover, theme.selection}) {
        EXPECT_GT(contrast(theme.text, behind), 7) << behind.name().toStdString();
        EXPECT_GT(contrast(theme.dim_text, behind), 4.5) << behind.name().toStdString();
    }
    EXPECT_GT(contrast(theme.accent_text, theme.accent), 4.5);
    for (const QColor& word : {theme.warning, theme.error, theme.code.keyword, theme.code.type,
                               theme.code.number, theme.code.comment, theme.code.function, theme.accent})
        EXPECT_GT(contrast(word, theme.surface), 4.5) << word.name().toStdString();
}

TEST_P(ThemeOf, MarksStandOutFromTheSurface) {
    for (const QColor& mark : {theme.win, theme.lose, theme.reference, theme.accent})
        EXPECT_GT(contrast(mark, theme.surface), 3) << mark.name().toStdString();
    for (const QColor& mark : theme.series)
        EXPECT_GT(contrast(mark, theme.surface), 2.4) << mark.name().toStdString();
}

TEST_P(ThemeOf, WinningAndLosingAreToldApartWhateverEyesSee) {
    for (const auto see : {+[](const Linear& c) { return c; }, seen_without_green, seen_without_red})
        EXPECT_GT(distance(see(linear(theme.win)), see(linear(theme.lose))), 20);
}

TEST_P(ThemeOf, CategoriesAreToldApartWhateverEyesSee) {
    for (const auto see : {+[](const Linear& c) { return c; }, seen_without_green, seen_without_red})
        for (std::size_t i = 0; i < theme.series.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GT(distance(see(linear(theme.series[i])), see(linear(theme.series[j]))), 10)
                    << i << ' ' << j;
}

TEST_P(ThemeOf, NinthCategoryStartsOver) {
    EXPECT_EQ(theme.series_colour(8), theme.series[0]);
}

TEST(ApplyTheme, SwitchesStylePaletteAndCurrentThemeAndTellsWidgets) {
    class Listener : public QWidget {
    public:
        int changes = 0;

    protected:
        void changeEvent(QEvent* event) override {
            changes += event->type() == QEvent::PaletteChange ? 1 : 0;
            QWidget::changeEvent(event);
        }
    };
    apply_theme(*qApp, ThemeChoice::Light);
    Listener listener;
    listener.show();
    EXPECT_FALSE(current_theme().dark);
    EXPECT_EQ(QApplication::palette().color(QPalette::Base), light_theme().surface);

    apply_theme(*qApp, ThemeChoice::Dark);
    QCoreApplication::processEvents();
    EXPECT_TRUE(current_theme().dark);
    EXPECT_EQ(QApplication::palette().color(QPalette::Base), dark_theme().surface);
    EXPECT_GT(listener.changes, 0);
    QStyle* const style = QApplication::style();

    apply_theme(*qApp, ThemeChoice::Light);
    EXPECT_FALSE(current_theme().dark);
    EXPECT_EQ(QApplication::style(), style) << "the style is made once";
}

TEST(ApplyTheme, FollowsTheDesktopAlsoAfterAnotherChoice) {
    apply_theme(*qApp, ThemeChoice::System);
    const bool system_is_dark = current_theme().dark;
    apply_theme(*qApp, system_is_dark ? ThemeChoice::Light : ThemeChoice::Dark);
    EXPECT_NE(current_theme().dark, system_is_dark);
    apply_theme(*qApp, ThemeChoice::System);
    EXPECT_EQ(current_theme().dark, system_is_dark);
}

TEST(Fonts, FollowTheSizeOfTheApplication) {
    const QFont before = QApplication::font();
    QFont large = before;
    large.setPointSizeF(2 * before.pointSizeF());
    const double title = title_font().pointSizeF();
    const double code = monospace_font().pointSizeF();
    QApplication::setFont(large);
    EXPECT_DOUBLE_EQ(title_font().pointSizeF(), 2 * title);
    EXPECT_DOUBLE_EQ(monospace_font().pointSizeF(), 2 * code);
    QApplication::setFont(before);
}

} // namespace
} // namespace sparsight

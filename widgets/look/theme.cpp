#include "widgets/look/theme.h"

#include "widgets/look/style.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPalette>
#include <QVariant>

namespace sparsight {

namespace {

constexpr const char* property_name = "sparsight_dark_theme";

QPalette palette_of(const Theme& theme) {
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.surface);
    palette.setColor(QPalette::AlternateBase, mixed(theme.surface, theme.window, 0.5));
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.dim_text);
    palette.setColor(QPalette::Button, theme.raised);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.accent_text);
    palette.setColor(QPalette::ToolTipBase, theme.raised);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Highlight, theme.selection);
    palette.setColor(QPalette::HighlightedText, theme.text);
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::LinkVisited, theme.accent);
    palette.setColor(QPalette::Light, mixed(theme.raised, Qt::white, theme.dark ? 0.08 : 0.5));
    palette.setColor(QPalette::Midlight, theme.hover);
    palette.setColor(QPalette::Mid, theme.border);
    palette.setColor(QPalette::Dark, theme.outline);
    palette.setColor(QPalette::Shadow, theme.dark ? QColor(0, 0, 0) : theme.outline);
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, theme.disabled_text);
    palette.setColor(QPalette::Disabled, QPalette::Base, theme.window);
    return palette;
}

bool is_dark(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

/// What the desktop wants is seen in the palette that Qt makes when we set none.
bool system_is_dark(QApplication& application) {
    const QPalette ours = QApplication::palette();
    application.setPalette(QPalette());
    const bool dark = is_dark(QApplication::palette());
    application.setPalette(ours);
    return dark;
}

QFont scaled(double factor, QFont::Weight weight) {
    QFont font = QApplication::font();
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * factor);
    else
        font.setPixelSize(qRound(font.pixelSize() * factor));
    font.setWeight(weight);
    return font;
}

} // namespace

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto mix = [share](int from, int to) { return qRound(from + (to - from) * share); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()),
            mix(a.alpha(), b.alpha())};
}

void apply_theme(QApplication& application, ThemeChoice choice) {
    if (choice == ThemeChoice::System) {
        // Once our palette is set, the question to the desktop would repaint everything twice.
        const bool dark = system_is_dark(application);
        choice = dark ? ThemeChoice::Dark : ThemeChoice::Light;
    }
    const bool dark = choice == ThemeChoice::Dark;
    application.setProperty(property_name, dark);
    if (dynamic_cast<SparsightStyle*>(QApplication::style()) == nullptr)
        QApplication::setStyle(std::make_unique<SparsightStyle>().release()); // the application owns it
    application.setPalette(palette_of(dark ? dark_theme() : light_theme()));
}

const Theme& current_theme() {
    const QCoreApplication* const application = QCoreApplication::instance();
    if (application == nullptr)
        return light_theme();
    const QVariant chosen = application->property(property_name);
    const bool dark = chosen.isValid() ? chosen.toBool() : is_dark(QGuiApplication::palette());
    return dark ? dark_theme() : light_theme();
}

QFont page_title_font() {
    return scaled(1.5, QFont::DemiBold);
}
QFont title_font() {
    return scaled(1.1, QFont::DemiBold);
}
QFont caption_font() {
    return scaled(0.88, QFont::Normal);
}

QFont monospace_font() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (QApplication::font().pointSizeF() > 0)
        font.setPointSizeF(QApplication::font().pointSizeF());
    font.setStyleHint(QFont::Monospace);
    return font;
}

} // namespace sparsight

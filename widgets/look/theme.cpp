#include "widgets/look/theme.h"

#include "widgets/look/style.h"

#include <QApplication>
#include <QCoreApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QPalette>
#include <QVariant>
#include <QWidget>

namespace sparsight {

namespace {

constexpr const char* theme_property = "sparsight_dark_theme";

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

/// The desktop's choice shows in the palette that Qt makes when we set none.
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
        // Asked before our palette is set; asking afterwards would repaint everything twice.
        const bool dark = system_is_dark(application);
        choice = dark ? ThemeChoice::Dark : ThemeChoice::Light;
    }
    const bool dark = choice == ThemeChoice::Dark;
    application.setProperty(theme_property, dark);
    if (dynamic_cast<SparsightStyle*>(QApplication::style()) == nullptr)
        QApplication::setStyle(std::make_unique<SparsightStyle>().release()); // the application owns it
    application.setPalette(palette_of(dark ? dark_theme() : light_theme()));
}

const Theme& current_theme() {
    const QCoreApplication* const application = QCoreApplication::instance();
    if (application == nullptr)
        return light_theme();
    const QVariant chosen = application->property(theme_property);
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

QFont bold_monospace_font() {
    QFont font = monospace_font();
    font.setWeight(QFont::Bold);
    return font;
}

// The two themes. tests/widgets/look/look_test.cpp checks contrast and colour blindness.

namespace {

QColor rgb(QRgb value) {
    return QColor::fromRgb(value);
}

Theme make_light() {
    Theme theme;
    theme.dark = false;
    theme.window = rgb(0xF3F4F7);
    theme.surface = rgb(0xFFFFFF);
    theme.raised = rgb(0xFFFFFF);
    theme.hover = rgb(0xE9EBF0);
    theme.border = rgb(0xDDE0E6);
    theme.outline = rgb(0xC3C8D1);
    theme.text = rgb(0x1B2029);
    theme.dim_text = rgb(0x5A6372);
    theme.disabled_text = rgb(0xA0A7B3);
    theme.accent = rgb(0x4653C9);
    theme.accent_text = rgb(0xFFFFFF);
    theme.selection = rgb(0xDFE3FA);
    theme.grid = rgb(0xE7E9EE);
    theme.win = rgb(0x1B76D2);
    theme.lose = rgb(0xDD7311);
    theme.reference = rgb(0x7D8592);
    theme.simulated = QColor(0, 0, 0, 90);
    theme.warning = rgb(0x9A6200);
    theme.error = rgb(0xBA2D25);
    theme.code = {rgb(0x8430A8), rgb(0x0B6E75), rgb(0xA34A00), rgb(0x6A7382), rgb(0x1F5FB0), theme.text};
    theme.series = {rgb(0x0055A6), rgb(0xC0A027), rgb(0x026E64), rgb(0xE66BBC),
                    rgb(0x10AAFF), rgb(0xA83900), rgb(0x586DF8), rgb(0x46926E)};
    return theme;
}

Theme make_dark() {
    Theme theme;
    theme.dark = true;
    theme.window = rgb(0x15181D);
    theme.surface = rgb(0x1D2127);
    theme.raised = rgb(0x282D35);
    theme.hover = rgb(0x323842);
    theme.border = rgb(0x31373F);
    theme.outline = rgb(0x474F5B);
    theme.text = rgb(0xE6E9EE);
    theme.dim_text = rgb(0xA6AFBD);
    theme.disabled_text = rgb(0x626B78);
    theme.accent = rgb(0x93A0FF);
    theme.accent_text = rgb(0x12151A);
    theme.selection = rgb(0x343D63);
    theme.grid = rgb(0x2B3038);
    theme.win = rgb(0x58A6F5);
    theme.lose = rgb(0xF0964A);
    theme.reference = rgb(0x8D96A3);
    theme.simulated = QColor(0, 0, 0, 120);
    theme.warning = rgb(0xE8B75A);
    theme.error = rgb(0xFF8078);
    theme.code = {rgb(0xCF9BF0), rgb(0x62CAD1), rgb(0xF0A868), rgb(0x8791A0), rgb(0x86B8F5), theme.text};
    theme.series = {rgb(0x4D7AB6), rgb(0xECCA35), rgb(0x5DA0AD), rgb(0xF7B6BD),
                    rgb(0x9EB0FF), rgb(0xAD6541), rgb(0x8C83FF), rgb(0xBCA869)};
    return theme;
}

} // namespace

const Theme& light_theme() {
    static const Theme theme = make_light();
    return theme;
}

const Theme& dark_theme() {
    static const Theme theme = make_dark();
    return theme;
}

namespace {

class FontKeeper : public QObject {
public:
    FontKeeper(QWidget& widget, QFont (*font)())
        : QObject(&widget)
        , widget_(widget)
        , font_(font) {
        widget.setFont(font());
        // Qt notifies the application and its windows, but not widgets with their own font.
        QCoreApplication::instance()->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* receiver, QEvent* event) override {
        if (event->type() == QEvent::ApplicationFontChange && receiver == QCoreApplication::instance())
            widget_.setFont(font_());
        return false;
    }

private:
    QWidget& widget_;
    QFont (*font_)();
};

} // namespace

void keep_font(QWidget& widget, QFont (*font)()) {
    new FontKeeper(widget, font); // the widget owns it
}

} // namespace sparsight

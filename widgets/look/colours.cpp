// The two themes. tests/widgets/look/theme_test.cpp checks contrast and colour blindness.
#include "widgets/look/theme.h"

namespace sparsight {

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

} // namespace sparsight

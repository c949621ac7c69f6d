// Pictures to look at: SPARSIGHT_SCREENSHOTS=FOLDER makes tests leave them there.
#pragma once

#include "widgets/look/theme.h"

#include <QApplication>
#include <QDir>
#include <QTest>
#include <QWidget>

namespace sparsight {

/// Shows the widget in both themes; calls back with each picture.
template <class Check>
void in_both_themes(QWidget& widget, const QString& name, Check check) {
    widget.show();
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        apply_theme(*qApp, choice);
        QTest::qWait(20);
        const QImage picture = widget.grab().toImage();
        const QString folder = qEnvironmentVariable("SPARSIGHT_SCREENSHOTS");
        if (!folder.isEmpty())
            picture.save(
                QDir(folder).filePath(name + (choice == ThemeChoice::Dark ? QStringLiteral("-dark.png")
                                                                          : QStringLiteral("-light.png"))));
        check(picture);
    }
    apply_theme(*qApp, ThemeChoice::Light);
}

/// How many pixels are about this colour.
inline int pixels_like(const QImage& picture, const QColor& colour, int tolerance = 6) {
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) {
            const QColor there = picture.pixelColor(x, y);
            count += std::abs(there.red() - colour.red()) <= tolerance &&
                             std::abs(there.green() - colour.green()) <= tolerance &&
                             std::abs(there.blue() - colour.blue()) <= tolerance
                         ? 1
                         : 0;
        }
    return count;
}

} // namespace sparsight

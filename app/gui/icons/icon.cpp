#include "gui/icons/icon.h"

#include "gui/icons/drawing_icon_engine.h"
#include "gui/program/program.h"

#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QPalette>

namespace sparsight {

namespace {

QColor of_palette(QPalette::ColorGroup group, QPalette::ColorRole role) {
    return QGuiApplication::palette().color(group, role);
}

QColor paler(QColor colour) {
    colour.setAlphaF(0.38F);
    return colour;
}

QColor text_colour(QIcon::Mode mode) {
    if (mode == QIcon::Disabled)
        return paler(of_palette(QPalette::Active, QPalette::WindowText));
    return of_palette(QPalette::Active,
                      mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::WindowText);
}

/// A button that is disabled is not filled any more.
QColor accent_colour(QIcon::Mode mode) {
    return mode == QIcon::Disabled ? text_colour(mode) : of_palette(QPalette::Active, QPalette::BrightText);
}

QIcon make_icon(const QString& name, const DrawingIconEngine::Colour& colour) {
    const QString path = QStringLiteral(":/icons/%1.svg").arg(name);
    if (!QFile::exists(path))
        return {};
    return QIcon(new DrawingIconEngine(path, colour)); // QIcon owns its engine
}

} // namespace

QIcon icon(const QString& name) {
    return make_icon(name, text_colour);
}

QIcon icon(const QString& name, const QColor& colour) {
    return make_icon(name,
                     [colour](QIcon::Mode mode) { return mode == QIcon::Disabled ? paler(colour) : colour; });
}

QIcon icon_on_accent(const QString& name) {
    return make_icon(name, accent_colour);
}

QStringList icon_names() {
    QStringList names = QDir(QStringLiteral(":/icons")).entryList({QStringLiteral("*.svg")}, QDir::Files);
    for (QString& name : names)
        name.chop(4);
    names.sort();
    return names;
}

QIcon application_icon() {
    return QIcon(QStringLiteral(":/application/%1.svg").arg(QLatin1StringView(application_id)));
}

} // namespace sparsight

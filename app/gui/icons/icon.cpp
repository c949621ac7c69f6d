#include "gui/icons/icon.h"

#include "gui/icons/drawing_icon_engine.h"
#include "gui/program/program.h"

#include <QDir>
#include <QFile>

namespace sparsight {

namespace {

QIcon make_icon(const QString& name, const std::optional<QColor>& colour) {
    const QString path = QStringLiteral(":/icons/%1.svg").arg(name);
    if (!QFile::exists(path))
        return {};
    return QIcon(new DrawingIconEngine(path, colour)); // QIcon owns its engine
}

} // namespace

QIcon icon(const QString& name) {
    return make_icon(name, std::nullopt);
}

QIcon icon(const QString& name, const QColor& colour) {
    return make_icon(name, colour);
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

// What stands in JSON that a command of ours printed.
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

namespace sparsight {

/// Undefined where there is none.
[[nodiscard]] inline QJsonValue member(const QJsonObject& object, const char* key) {
    return object.value(QLatin1String(key));
}

[[nodiscard]] inline QStringList texts_of(const QJsonArray& array) {
    QStringList texts;
    for (const QJsonValue& one : array)
        texts << one.toString();
    return texts;
}

} // namespace sparsight

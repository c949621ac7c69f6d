#include "gui/jobs/job_words.h"

#include <QFileInfo>

namespace sparsight {

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString option(const char* name, const QString& value) {
    return QStringLiteral("--%1=%2").arg(QLatin1String(name), value);
}

QString option(const char* name, qint64 value) {
    return option(name, QString::number(value));
}

void add_common(QStringList& words, const QString& workspace) {
    if (!workspace.isEmpty())
        words << option("workspace", QFileInfo(workspace).absoluteFilePath());
    words << QStringLiteral("--progress=json") << QStringLiteral("--quiet");
}

} // namespace sparsight

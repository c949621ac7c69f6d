#include "widgets/table/delimited_text.h"

#include <algorithm>

namespace sparsight {

QString csv_field(const QString& text) {
    const bool quoted = std::any_of(
        text.begin(), text.end(), [](QChar c) { return c == u',' || c == u'"' || c == u'\n' || c == u'\r'; });
    if (!quoted)
        return text;
    QString doubled = text;
    doubled.replace(QStringLiteral("\""), QStringLiteral("\"\""));
    return u'"' + doubled + u'"';
}

QString csv_text(const QList<QStringList>& lines) {
    QString text;
    for (const QStringList& line : lines) {
        for (qsizetype i = 0; i < line.size(); ++i) {
            if (i > 0)
                text += u',';
            text += csv_field(line[i]);
        }
        text += QStringLiteral("\r\n");
    }
    return text;
}

QString tsv_text(const QList<QStringList>& lines) {
    QString text;
    for (const QStringList& line : lines) {
        for (qsizetype i = 0; i < line.size(); ++i) {
            if (i > 0)
                text += u'\t';
            QString field = line[i];
            for (QChar& c : field)
                if (c == u'\t' || c == u'\n' || c == u'\r')
                    c = u' ';
            text += field;
        }
        text += u'\n';
    }
    return text;
}

} // namespace sparsight

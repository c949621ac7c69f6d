#include "widgets/look/whole_numbers.h"

#include <QRegularExpression>

namespace sparsight {

QString with_whole_numbers(QString text) {
    static const QRegularExpression before_unit(QStringLiteral("(?<=\\d) (?=[±×%]|\\p{L}{1,10}\\b)"),
                                                QRegularExpression::UseUnicodePropertiesOption);
    static const QRegularExpression behind_sign(QStringLiteral("(?<=[±×~≈]) (?=\\d)"));
    static const QRegularExpression between_thousands(QStringLiteral("(?<=\\d)\\x{2009}(?=\\d)"));
    const QString whole(QChar(QChar::Nbsp));
    text.replace(before_unit, whole);
    text.replace(behind_sign, whole);
    return text.replace(between_thousands, QString(QChar(0x202F)));
}

} // namespace sparsight

#include "widgets/table/cell_values.h"
#include "widgets/look/number_text.h"

#include <QCollator>
#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

bool is_whole(int type) {
    switch (type) {
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::LongLong:
    case QMetaType::Long:
    case QMetaType::Short:
    case QMetaType::UShort:
        return true;
    default:
        return false;
    }
}

bool is_unsigned(int type) {
    return type == QMetaType::ULongLong || type == QMetaType::ULong;
}

} // namespace

bool is_number(const QVariant& value) {
    const int type = value.typeId();
    return is_whole(type) || is_unsigned(type) || type == QMetaType::Double || type == QMetaType::Float;
}

bool is_missing(const QVariant& value) {
    if (!value.isValid() || value.isNull())
        return true;
    const int type = value.typeId();
    return (type == QMetaType::Double || type == QMetaType::Float) && std::isnan(value.toDouble());
}

bool raw_less(const QVariant& left, const QVariant& right) {
    if (is_number(left) && is_number(right)) {
        if (is_whole(left.typeId()) && is_whole(right.typeId()))
            return left.toLongLong() < right.toLongLong();
        if (is_unsigned(left.typeId()) && is_unsigned(right.typeId()))
            return left.toULongLong() < right.toULongLong();
        return left.toDouble() < right.toDouble();
    }
    if (left.typeId() == QMetaType::QDateTime && right.typeId() == QMetaType::QDateTime)
        return left.toDateTime() < right.toDateTime();
    if (left.typeId() == QMetaType::Bool && right.typeId() == QMetaType::Bool)
        return !left.toBool() && right.toBool();
    static const QCollator natural = [] {
        QCollator collator(QLocale(QLocale::English)); // the C locale compares plain code points
        collator.setNumericMode(true);
        collator.setCaseSensitivity(Qt::CaseInsensitive);
        return collator;
    }();
    return natural.compare(left.toString(), right.toString()) < 0;
}

QString exported_number(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', QLocale::FloatingPointShortest) : QString();
}

QString exported_text(const QModelIndex& cell) {
    const QVariant raw = cell.data(raw_value_role);
    if (!is_number(raw))
        return cell.data(Qt::DisplayRole).toString();
    if (is_missing(raw))
        return {};
    const int type = raw.typeId();
    if (is_whole(type) || is_unsigned(type))
        return raw.toString();
    return exported_number(raw.toDouble());
}

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

namespace {

QVariant sort_value(const QModelIndex& cell) {
    const QVariant raw = cell.data(raw_value_role);
    if (raw.isValid())
        return raw;
    const QString text = cell.data(Qt::DisplayRole).toString();
    return text.isEmpty() || text == unknown_text() ? QVariant() : QVariant(text);
}

} // namespace

namespace {

/// One types an ordinary space where a number has one that does not break.
QString with_plain_spaces(QString text) {
    for (const char16_t space : {u'\u00A0', u'\u2009', u'\u202F'})
        text.replace(QChar(space), u' ');
    return text;
}

} // namespace

TableFilter::TableFilter(QObject* parent)
    : QSortFilterProxyModel(parent) {
    setDynamicSortFilter(true);
}

void TableFilter::set_filter_text(const QString& text) {
    if (text == text_)
        return;
    text_ = text;
    pattern_ =
        QRegularExpression(with_plain_spaces(text), QRegularExpression::CaseInsensitiveOption |
                                                        QRegularExpression::UseUnicodePropertiesOption);
    plain_ = !pattern_.isValid();
    if (plain_)
        pattern_.setPattern(QRegularExpression::escape(with_plain_spaces(text)));
    invalidateFilter();
}

bool TableFilter::filterAcceptsRow(int source_row, const QModelIndex& source_parent) const {
    if (text_.isEmpty())
        return true;
    const QAbstractItemModel* const model = sourceModel();
    for (int column = 0; column < model->columnCount(source_parent); ++column) {
        const QModelIndex cell = model->index(source_row, column, source_parent);
        if (pattern_.match(with_plain_spaces(cell.data(Qt::DisplayRole).toString())).hasMatch())
            return true;
        // A text that is shown shortened is found as it stands, too.
        const QVariant raw = cell.data(raw_value_role);
        if (raw.typeId() == QMetaType::QString && pattern_.match(raw.toString()).hasMatch())
            return true;
    }
    return false;
}

bool TableFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant left_value = sort_value(left);
    const QVariant right_value = sort_value(right);
    const bool left_missing = is_missing(left_value);
    const bool right_missing = is_missing(right_value);
    if (left_missing && right_missing)
        return false;
    // Descending, the base class asks the other way around.
    if (left_missing || right_missing)
        return sortOrder() == Qt::AscendingOrder ? right_missing : left_missing;
    return raw_less(left_value, right_value);
}

} // namespace sparsight

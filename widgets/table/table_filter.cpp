#include "widgets/table/table_filter.h"

#include "widgets/look/number_text.h"
#include "widgets/table/cell_values.h"

namespace sparsight {

namespace {

QVariant sort_value(const QModelIndex& cell) {
    const QVariant raw = cell.data(raw_value_role);
    if (raw.isValid())
        return raw;
    const QString text = cell.data(Qt::DisplayRole).toString();
    return text.isEmpty() || text == unknown_text() ? QVariant() : QVariant(text);
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
    pattern_ = QRegularExpression(text, QRegularExpression::CaseInsensitiveOption |
                                            QRegularExpression::UseUnicodePropertiesOption);
    plain_ = !pattern_.isValid();
    if (plain_)
        pattern_.setPattern(QRegularExpression::escape(text));
    invalidateFilter();
}

bool TableFilter::filterAcceptsRow(int source_row, const QModelIndex& source_parent) const {
    if (text_.isEmpty())
        return true;
    const QAbstractItemModel* const model = sourceModel();
    for (int column = 0; column < model->columnCount(source_parent); ++column) {
        const QModelIndex cell = model->index(source_row, column, source_parent);
        if (pattern_.match(cell.data(Qt::DisplayRole).toString()).hasMatch())
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

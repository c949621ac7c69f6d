// Columns of records that many tables have.
#pragma once

#include "widgets/look/number_text.h"
#include "widgets/table/record_model.h"

namespace sparsight {

/// Of numbers that may be unknown: `value_of` is Row → std::optional<Value>, `text_of` is Value → QString.
/// What is unknown is a dash, sorts last and is exported as nothing.
template <class Row, class ValueOf, class TextOf>
[[nodiscard]] RecordColumn<Row> value_column(const QString& title, const QString& tooltip, ValueOf value_of,
                                             TextOf text_of) {
    RecordColumn<Row> column;
    column.title = title;
    column.tooltip = tooltip;
    column.text = [=](const Row& row) {
        const auto value = value_of(row);
        return value ? text_of(*value) : unknown_text();
    };
    column.raw = [=](const Row& row) {
        const auto value = value_of(row);
        return value ? QVariant::fromValue(*value) : QVariant();
    };
    return column;
}

/// Of texts that may be longer than the column: the cell tells them in full.
template <class Row, class TextOf>
[[nodiscard]] RecordColumn<Row> text_column(const QString& title, const QString& tooltip, TextOf text_of) {
    RecordColumn<Row> column;
    column.title = title;
    column.tooltip = tooltip;
    column.text = text_of;
    column.hint = text_of;
    return column;
}

} // namespace sparsight

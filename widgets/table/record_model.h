// A table model of plain records. Each record has a key, so that new data change, insert and remove rows
// instead of resetting the model: selection, scrolling and sorting survive live updates.
#pragma once

#include "widgets/look/number_text.h"
#include "widgets/table/cell_values.h"

#include <QAbstractTableModel>
#include <algorithm>
#include <concepts>
#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sparsight {

template <class Row>
struct RecordColumn {
    QString title{};
    QString tooltip{};                             ///< of the header: the meaning of the column
    std::function<QString(const Row&)> text{};     ///< for people
    std::function<QVariant(const Row&)> raw{};     ///< for sorting and export; absent: the text
    std::optional<Qt::Alignment> alignment{};      ///< absent: numbers right, texts left
    QString export_title{};                        ///< with the unit of the raw value; empty: the title
    std::function<QVariant(const Row&)> picture{}; ///< QImage or QPixmap, drawn as a thumbnail
    std::function<QString(const Row&)> hint{};     ///< tooltip of the cell
    std::function<QVariant(const Row&)> colour{};  ///< text colour: a QColor, or nothing
};

template <class Row, class Key = QString>
class RecordModel : public QAbstractTableModel {
public:
    using KeyOf = std::function<Key(const Row&)>;

    RecordModel(std::vector<RecordColumn<Row>> columns, KeyOf key_of, QObject* parent = nullptr)
        : QAbstractTableModel(parent)
        , columns_(std::move(columns))
        , key_of_(std::move(key_of)) {}

    /// Shows other columns of the same rows.
    void set_columns(std::vector<RecordColumn<Row>> columns) {
        beginResetModel();
        columns_ = std::move(columns);
        endResetModel();
    }

    /// Sets exactly these rows in this order. Of rows with equal keys only the first counts.
    void set_rows(std::vector<Row> rows) {
        drop_repeated(rows);
        remove_rows_that_are_not_in(rows);
        order_like(rows);
        insert_new_of(rows);
        replace_changed(0, rows);
    }

    /// Changes rows whose keys are known and appends the others.
    void update_rows(std::vector<Row> rows) {
        std::vector<Row> appended;
        std::unordered_map<Key, std::size_t> place_among_appended;
        for (Row& row : rows) {
            const Key key = key_of_(row);
            if (const auto known = places_.find(key); known != places_.end()) {
                replace(known->second, std::move(row));
            } else if (const auto again = place_among_appended.find(key);
                       again != place_among_appended.end()) {
                appended[again->second] = std::move(row);
            } else {
                place_among_appended.emplace(key, appended.size());
                appended.push_back(std::move(row));
            }
        }
        if (!appended.empty())
            insert(static_cast<int>(rows_.size()), std::move(appended));
    }

    void update_row(Row row) {
        std::vector<Row> one;
        one.push_back(std::move(row));
        update_rows(std::move(one));
    }

    bool remove_row(const Key& key) {
        const std::optional<int> place = row_of(key);
        if (!place)
            return false;
        remove(*place, *place);
        index_from(0);
        return true;
    }

    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
    [[nodiscard]] const Row& row(int place) const { return rows_[static_cast<std::size_t>(place)]; }
    [[nodiscard]] Key key(int place) const { return key_of_(row(place)); }
    [[nodiscard]] std::optional<int> row_of(const Key& key) const {
        const auto found = places_.find(key);
        return found == places_.end() ? std::nullopt : std::optional(found->second);
    }

    /// Renews all texts, after a change of number style or theme.
    void texts_changed() {
        if (!rows_.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(rows_.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(columns_.size());
    }

    QVariant data(const QModelIndex& cell, int role) const override {
        if (!checkIndex(cell, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
            return {};
        const RecordColumn<Row>& column = columns_[static_cast<std::size_t>(cell.column())];
        const Row& record = row(cell.row());
        switch (role) {
        case Qt::DisplayRole:
            return column.text ? QVariant(column.text(record)) : QVariant();
        case raw_value_role:
            return column.raw ? column.raw(record) : QVariant();
        case Qt::TextAlignmentRole:
            return alignment(column);
        case Qt::DecorationRole:
            return column.picture ? column.picture(record) : QVariant();
        case Qt::ToolTipRole:
            return column.hint ? QVariant(column.hint(record)) : QVariant();
        case Qt::ForegroundRole:
            return column.colour ? column.colour(record) : QVariant();
        default:
            return {};
        }
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
            return {};
        const RecordColumn<Row>& column = columns_[static_cast<std::size_t>(section)];
        switch (role) {
        case Qt::DisplayRole:
            return column.title;
        case Qt::ToolTipRole:
            return column.tooltip.isEmpty() ? QVariant() : QVariant(column.tooltip);
        case Qt::TextAlignmentRole:
            return alignment(column);
        case export_title_role:
            return column.export_title.isEmpty() ? column.title : column.export_title;
        default:
            return {};
        }
    }

private:
    /// In a column of numbers the title, the numbers and the dashes are all right-aligned.
    [[nodiscard]] QVariant alignment(const RecordColumn<Row>& column) const {
        if (column.alignment)
            return QVariant::fromValue(*column.alignment | Qt::AlignVCenter);
        constexpr std::size_t most_rows_looked_at = 50;
        bool number = false;
        for (std::size_t i = 0; column.raw && i < std::min(rows_.size(), most_rows_looked_at); ++i) {
            const QVariant raw = column.raw(rows_[i]);
            number = is_number(raw);
            if (raw.isValid())
                break;
        }
        return QVariant::fromValue((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }

    void drop_repeated(std::vector<Row>& rows) const {
        std::unordered_set<Key> seen;
        std::erase_if(rows, [&](const Row& row) { return !seen.insert(key_of_(row)).second; });
    }

    void remove_rows_that_are_not_in(const std::vector<Row>& rows) {
        std::unordered_set<Key> kept;
        for (const Row& row : rows)
            kept.insert(key_of_(row));
        for (int last = rowCount() - 1; last >= 0;) {
            if (kept.contains(key(last))) {
                --last;
                continue;
            }
            int first = last;
            while (first > 0 && !kept.contains(key(first - 1)))
                --first;
            remove(first, last);
            last = first - 1;
        }
        index_from(0);
    }

    /// Puts the existing rows into the order of `rows`.
    void order_like(const std::vector<Row>& rows) {
        std::vector<int> order; // old indices in the new order
        for (const Row& row : rows)
            if (const auto place = row_of(key_of_(row)))
                order.push_back(*place);
        if (std::is_sorted(order.begin(), order.end()))
            return;
        Q_EMIT layoutAboutToBeChanged();
        std::vector<Row> ordered;
        ordered.reserve(rows_.size());
        std::vector<int> new_place(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            ordered.push_back(std::move(rows_[static_cast<std::size_t>(order[i])]));
            new_place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
        }
        rows_ = std::move(ordered);
        index_from(0);
        const QModelIndexList before = persistentIndexList();
        QModelIndexList after;
        for (const QModelIndex& old : before)
            after.push_back(index(new_place[static_cast<std::size_t>(old.row())], old.column()));
        changePersistentIndexList(before, after);
        Q_EMIT layoutChanged();
    }

    void insert_new_of(const std::vector<Row>& rows) {
        for (std::size_t first = 0; first < rows.size();) {
            if (places_.contains(key_of_(rows[first]))) {
                ++first;
                continue;
            }
            std::size_t end = first + 1;
            while (end < rows.size() && !places_.contains(key_of_(rows[end])))
                ++end;
            insert(static_cast<int>(first), {rows.begin() + static_cast<std::ptrdiff_t>(first),
                                             rows.begin() + static_cast<std::ptrdiff_t>(end)});
            first = end;
        }
    }

    void replace_changed(int first, std::vector<Row>& rows) {
        for (Row& row : rows)
            replace(first++, std::move(row));
    }

    void replace(int place, Row row) {
        Row& there = rows_[static_cast<std::size_t>(place)];
        if constexpr (std::equality_comparable<Row>) {
            if (there == row)
                return;
        }
        there = std::move(row);
        Q_EMIT dataChanged(index(place, 0), index(place, columnCount() - 1));
    }

    void insert(int place, std::vector<Row> rows) {
        beginInsertRows({}, place, place + static_cast<int>(rows.size()) - 1);
        rows_.insert(rows_.begin() + place, std::make_move_iterator(rows.begin()),
                     std::make_move_iterator(rows.end()));
        index_from(place);
        endInsertRows();
    }

    /// After the last removal, index_from() must be called.
    void remove(int first, int last) {
        beginRemoveRows({}, first, last);
        rows_.erase(rows_.begin() + first, rows_.begin() + last + 1);
        endRemoveRows();
    }

    void index_from(int first) {
        if (first == 0)
            places_.clear();
        for (int i = first; i < rowCount(); ++i)
            places_[key(i)] = i;
    }

    std::vector<RecordColumn<Row>> columns_;
    KeyOf key_of_;
    std::vector<Row> rows_;
    std::unordered_map<Key, int> places_;
};

/// A column of numbers that may be unknown: `value_of` is Row → std::optional<Value>, `text_of` is Value →
/// QString. Unknown values are shown as a dash, sort last and are exported as an empty text.
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

/// A column of texts that may be longer than the column is wide: the tooltip shows the whole text.
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

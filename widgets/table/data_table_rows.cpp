// Rows of the model and rows as they are shown: sorted, some filtered out.
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QItemSelectionModel>
#include <algorithm>

namespace sparsight {

int DataTable::current_source_row() const {
    return filter_.mapToSource(view_->selectionModel()->currentIndex()).row();
}

std::vector<int> DataTable::selected_proxy_rows() const {
    std::vector<int> rows;
    for (const QItemSelectionRange& range : view_->selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.push_back(row);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

std::vector<int> DataTable::selected_source_rows() const {
    std::vector<int> rows = selected_proxy_rows();
    for (int& row : rows)
        row = filter_.mapToSource(filter_.index(row, 0)).row();
    return rows;
}

std::vector<int> DataTable::displayed_source_rows() const {
    std::vector<int> rows(static_cast<std::size_t>(filter_.rowCount()));
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = filter_.mapToSource(filter_.index(static_cast<int>(i), 0)).row();
    return rows;
}

void DataTable::select_source_row(int row) {
    if (row < 0 || model() == nullptr || row >= model()->rowCount()) {
        view_->clearSelection();
        view_->setCurrentIndex({});
        return;
    }
    const QModelIndex cell = filter_.mapFromSource(model()->index(row, 0));
    if (!cell.isValid())
        return; // filtered out: the selection of the program is kept, this table cannot show it
    const std::vector<int> columns = shown_columns();
    const QModelIndex shown = columns.empty() ? cell : cell.siblingAtColumn(columns.front());
    view_->selectionModel()->setCurrentIndex(shown,
                                             QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    view_->scrollTo(shown);
}

void DataTable::select_source_rows(const std::vector<int>& rows) {
    QItemSelection selection;
    for (const int row : rows) {
        const QModelIndex cell = filter_.mapFromSource(model()->index(row, 0));
        if (cell.isValid())
            selection.select(cell, cell);
    }
    view_->selectionModel()->select(selection,
                                    QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void DataTable::select_all() {
    view_->selectAll();
}

} // namespace sparsight

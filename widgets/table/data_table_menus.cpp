#include "widgets/look/glyph.h"
#include "widgets/table/cell_values.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QSaveFile>
#include <QShortcut>
#include <QToolButton>

namespace sparsight {

// Actions and menus of the table.

void DataTable::make_actions() {
    copy_ = new QAction(glyph_icon(Glyph::Copy), tr("&Copy selected rows"), this);
    copy_->setShortcut(QKeySequence::Copy);
    copy_->setShortcutContext(Qt::WidgetShortcut);
    copy_->setEnabled(false);
    connect(copy_, &QAction::triggered, this, &DataTable::copy_selection);
    select_all_ = new QAction(tr("Select &all"), this);
    select_all_->setShortcut(QKeySequence::SelectAll);
    select_all_->setShortcutContext(Qt::WidgetShortcut);
    connect(select_all_, &QAction::triggered, this, &DataTable::select_all);
    export_ = new QAction(glyph_icon(Glyph::Export), tr("&Export rows as CSV…"), this);
    connect(export_, &QAction::triggered, this, &DataTable::export_csv);
    view_->addActions({copy_, select_all_});

    auto* const menu = new QMenu(menu_button_);
    QMenu* const columns = menu->addMenu(glyph_icon(Glyph::Columns), tr("C&olumns"));
    menu->addSeparator();
    menu->addActions({copy_, select_all_, export_});
    menu_button_->setMenu(menu);
    connect(columns, &QMenu::aboutToShow, this, [this, columns] { fill_columns_menu(*columns); });

    auto* const find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, this, [this] {
        filter_edit_->setFocus(Qt::ShortcutFocusReason);
        filter_edit_->selectAll();
    });
}

void DataTable::fill_columns_menu(QMenu& menu) {
    menu.clear();
    const std::vector<int> shown = shown_columns();
    for (int column = 0; column < filter_.columnCount(); ++column) {
        const bool visible = !view_->isColumnHidden(column);
        QAction* const action = menu.addAction(filter_.headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(visible);
        action->setEnabled(!visible || shown.size() > 1);
        connect(action, &QAction::toggled, this,
                [this, column](bool checked) { set_column_shown(column, checked); });
    }
    menu.addSeparator();
    connect(menu.addAction(tr("&Show all")), &QAction::triggered, this, [this] {
        for (int column = 0; column < filter_.columnCount(); ++column)
            set_column_shown(column, true);
    });
    connect(menu.addAction(tr("&Fit widths")), &QAction::triggered, this, &DataTable::fit_columns);
}

void DataTable::show_columns_menu(const QPoint& place) {
    auto* const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fill_columns_menu(*menu);
    menu->popup(view_->horizontalHeader()->viewport()->mapToGlobal(place));
}

void DataTable::show_row_menu(const QPoint& place) {
    auto* const menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true); // why an action can't be done
    if (!row_actions_.isEmpty()) {
        menu->addActions(row_actions_);
        menu->addSeparator();
    }
    menu->addActions({copy_, select_all_, export_});
    menu->popup(view_->viewport()->mapToGlobal(place));
}

// What leaves the table: to the clipboard and into files.

QList<QStringList> DataTable::lines(const std::vector<int>& proxy_rows) const {
    const std::vector<int> columns = shown_columns();
    QStringList titles;
    for (const int column : columns) {
        const QVariant title = filter_.headerData(column, Qt::Horizontal, export_title_role);
        titles << (title.isValid() ? title : filter_.headerData(column, Qt::Horizontal)).toString();
    }
    QList<QStringList> result{titles};
    for (const int row : proxy_rows) {
        QStringList fields;
        for (const int column : columns)
            fields << exported_text(filter_.index(row, column));
        result << fields;
    }
    return result;
}

QString DataTable::selection_as_tsv() const {
    return tsv_text(lines(selected_proxy_rows()));
}

void DataTable::copy_selection() const {
    QGuiApplication::clipboard()->setText(selection_as_tsv());
}

QString DataTable::displayed_as_csv() const {
    std::vector<int> rows(static_cast<std::size_t>(filter_.rowCount()));
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = static_cast<int>(i);
    return csv_text(lines(rows));
}

std::expected<void, QString> DataTable::write_csv(const QString& path) const {
    QSaveFile file(path);
    const QByteArray bytes = displayed_as_csv().toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return std::unexpected(tr("%1 could not be written: %2").arg(path, file.errorString()));
    return {};
}

void DataTable::export_csv() {
    auto* const dialog = new QFileDialog(this, tr("Export rows"), {}, tr("Comma-separated values (*.csv)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->selectFile((accessibleName().isEmpty() ? tr("table") : accessibleName()) +
                       QStringLiteral(".csv"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        if (const auto written = write_csv(path); written)
            Q_EMIT exported_to(path);
        else
            Q_EMIT export_failed(written.error());
    });
    dialog->open();
}

} // namespace sparsight

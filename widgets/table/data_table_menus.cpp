// Actions and menus of the table.
#include "widgets/table/data_table.h"

#include "widgets/look/glyph.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>

namespace sparsight {

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

} // namespace sparsight

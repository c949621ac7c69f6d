#include "gui/page/export_notices.h"

#include "gui/page/page.h"
#include "widgets/chart/chart.h"
#include "widgets/plot/sparsity_plot.h"
#include "widgets/schedule/coordinate_tree_view.h"
#include "widgets/schedule/storage_bars.h"
#include "widgets/table/data_table.h"

#include <QDir>

namespace sparsight {

namespace {

template <class Widget, class Saved>
void tell_of_saved(Page& page, Saved Widget::* saved) {
    for (Widget* widget : page.findChildren<Widget*>())
        QObject::connect(widget, saved, &page, [&page](const QString& path) {
            Q_EMIT page.notice(Page::tr("Saved as %1").arg(QDir::toNativeSeparators(path)), false);
        });
}

template <class Widget>
void tell_of_failures(Page& page) {
    for (Widget* widget : page.findChildren<Widget*>())
        QObject::connect(widget, &Widget::export_failed, &page,
                         [&page](const QString& reason) { Q_EMIT page.notice(reason, true); });
}

} // namespace

void tell_of_exports(Page& page) {
    tell_of_saved(page, &Chart::exported);
    tell_of_saved(page, &DataTable::exported);
    tell_of_saved(page, &SparsityPlot::exported);
    tell_of_saved(page, &CoordinateTreeView::exported_to);
    tell_of_saved(page, &StorageBars::exported_to);
    tell_of_failures<Chart>(page);
    tell_of_failures<DataTable>(page);
    tell_of_failures<CoordinateTreeView>(page);
    tell_of_failures<StorageBars>(page);
    for (SparsityPlot* plot : page.findChildren<SparsityPlot*>())
        QObject::connect(
            plot, &SparsityPlot::export_failed, &page, [&page](const QString& path, const QString& reason) {
                Q_EMIT page.notice(Page::tr("%1 could not be written: %2").arg(path, reason), true);
            });
}

} // namespace sparsight

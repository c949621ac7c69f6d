#include "gui/shell/window_search.h"

#include "gui/page/page.h"
#include "gui/selection/selection.h"
#include "gui/settings/settings_dialog.h"
#include "gui/workspace/workspace_session.h"

namespace sparsight {

WindowSearch::WindowSearch(Services services, QWidget* window)
    : QObject(window)
    , services_(services)
    , window_(window) {
    add_source([this] { return page_items(); });
    add_source([this] { return matrix_items(); });
    add_source([this] { return setting_items(); });
}

void WindowSearch::ask() {
    auto* search = new SearchEverything(sources_, window_);
    search->setAttribute(Qt::WA_DeleteOnClose);
    search->ask();
}

std::vector<SearchItem> WindowSearch::page_items() const {
    std::vector<SearchItem> items;
    for (const Page* page : pages_)
        items.push_back({page->title(), tr("page"), page->icon_name(),
                         [&selection = services_.selection, id = page->id()] { selection.select_page(id); }});
    return items;
}

std::vector<SearchItem> WindowSearch::matrix_items() const {
    std::vector<SearchItem> items;
    for (const MatrixRecord& matrix : services_.session.contents().matrices)
        items.push_back({QString::fromStdString(matrix.name), tr("matrix"), QStringLiteral("matrices"),
                         [&selection = services_.selection, name = QString::fromStdString(matrix.name)] {
                             Selected target = selection.current();
                             target.matrix = name;
                             target.page = QStringLiteral("matrices");
                             selection.select(target);
                         }});
    return items;
}

std::vector<SearchItem> WindowSearch::setting_items() {
    std::vector<SearchItem> items;
    for (const SettingsDialog::Entry& entry : SettingsDialog(services_.settings).entries())
        items.push_back(
            {entry.title,
             entry.choices.isEmpty() ? tr("setting")
                                     : tr("setting · %1").arg(entry.choices.join(QStringLiteral(", "))),
             QStringLiteral("settings"), [this, key = entry.key] { Q_EMIT setting_chosen(key); }});
    return items;
}

} // namespace sparsight

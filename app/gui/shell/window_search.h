// What "search everything" finds: pages, matrices, settings, and what others add.
#pragma once

#include "gui/page/services.h"
#include "gui/search/search_everything.h"

#include <QObject>
#include <vector>

class QWidget;

namespace sparsight {

class Page;

class WindowSearch : public QObject {
    Q_OBJECT

public:
    WindowSearch(Services services, QWidget* window);

    void add_source(SearchSource source) { sources_.push_back(std::move(source)); }
    void add_page(const Page& page) { pages_.push_back(&page); }
    /// Opens the field.
    void ask();

Q_SIGNALS:
    void setting_chosen(const QString& key);

private:
    [[nodiscard]] std::vector<SearchItem> page_items() const;
    [[nodiscard]] std::vector<SearchItem> matrix_items() const;
    [[nodiscard]] std::vector<SearchItem> setting_items();

    Services services_;
    QWidget* window_;
    std::vector<const Page*> pages_;
    std::vector<SearchSource> sources_;
};

} // namespace sparsight

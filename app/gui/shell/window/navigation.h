// Navigation in the window: the bar of pages at the left edge, the search over pages, workloads and settings,
// and links that name a page and a selection.
#pragma once

#include "gui/page/page.h"
#include "gui/search/search_everything.h"

#include <QButtonGroup>
#include <QObject>
#include <QString>
#include <QWidget>
#include <vector>

class QVBoxLayout;

namespace sparsight {

class DomainPages;
class Notices;
class Page;
struct Selected;

class NavigationBar : public QWidget {
    Q_OBJECT

public:
    explicit NavigationBar(QWidget* parent = nullptr);

    /// Exactly these, in their order, with titles in the words of the domain.
    void set_pages(const std::vector<Page*>& pages, const Domain& domain);
    void set_current(const QString& id);
    /// Icons alone, for a narrow window; their tooltips name the pages.
    void set_folded(bool is_folded);

Q_SIGNALS:
    void page_chosen(const QString& id);

private:
    void add_page(const QString& id, const QString& title, const QString& icon);
    [[nodiscard]] Qt::ToolButtonStyle button_style() const;

    QButtonGroup buttons_;
    bool is_folded_ = false;
    QVBoxLayout* column_;
};

/// The sources of "search everything": pages with their parts, workloads, settings, and the sources that
/// others add.
class WindowSearch : public QObject {
    Q_OBJECT

public:
    WindowSearch(Services services, QWidget* window);

    void add_source(SearchSource source) { sources_.push_back(std::move(source)); }
    void set_pages(const std::vector<Page*>& pages) { pages_ = pages; }
    /// Opens the search field.
    void ask();

Q_SIGNALS:
    void setting_chosen(const QString& key);

private:
    [[nodiscard]] std::vector<SearchItem> page_items() const;
    [[nodiscard]] std::vector<SearchItem> part_items() const;
    [[nodiscard]] std::vector<SearchItem> workload_items() const;
    [[nodiscard]] std::vector<SearchItem> setting_items();

    Services services_;
    QWidget* window_;
    std::vector<Page*> pages_;
    std::vector<SearchSource> sources_;
};

/// Links to what the window shows (selection.h), copied to the clipboard or pasted from it.
class WindowLinks : public QObject {
    Q_OBJECT

public:
    WindowLinks(const Services& services, const DomainPages& pages, Notices& notices);

    /// Selects what is named. What this workspace does not have is told, and not selected: a sentence for
    /// each, with what there is; none where all is here. A model stays selected: its evaluations may be here.
    QString open(Selected target);
    void copy();
    void paste();

private:
    Services services_;
    const DomainPages& pages_;
    Notices& notices_;
};

} // namespace sparsight

// The pages, one button each, at the window's left edge.
#pragma once

#include "gui/page/page.h"
#include "gui/search/search_everything.h"

#include <QButtonGroup>
#include <QObject>
#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

class QVBoxLayout;
class QWidget;

namespace sparsight {

class NavigationBar : public QWidget {
    Q_OBJECT

public:
    explicit NavigationBar(QWidget* parent = nullptr);

    void add_page(const QString& id, const QString& title, const QString& icon);
    void set_current(const QString& id);

Q_SIGNALS:
    void page_chosen(const QString& id);

private:
    QButtonGroup buttons_;
    QVBoxLayout* column_;
};

// What "search everything" finds: pages, matrices, settings, and what others add.

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

// Links to what the window shows (selection.h), for the clipboard and from it.

class Notices;

class WindowLinks : public QObject {
    Q_OBJECT

public:
    /// `has_page`: whether the window has the page of this id.
    WindowLinks(const Services& services, Notices& notices, std::function<bool(const QString&)> has_page);

    /// Looks at what a link names, and says what of it this workspace does not have.
    void open(const QString& link);
    void copy();
    void paste();

private:
    Services services_;
    Notices& notices_;
    std::function<bool(const QString&)> has_page_;
};

} // namespace sparsight

// The pages of the domain that is looked at: its own, those that serve every domain, and the general ones,
// which are made when a domain is looked at and removed when it is left. The kind of page stays from one
// domain to another, and each domain keeps its selection.
#pragma once

#include "gui/page/page.h"
#include "gui/selection/selection.h"

#include <QObject>
#include <QStackedWidget>
#include <QStringList>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sparsight {

/// Needs the room of the page that is shown, not of all.
class PageStack : public QStackedWidget {
public:
    using QStackedWidget::QStackedWidget;

    [[nodiscard]] QSize minimumSizeHint() const override {
        return currentWidget() == nullptr ? QSize() : currentWidget()->minimumSizeHint();
    }
};

class DomainPages : public QObject {
    Q_OBJECT

public:
    /// Makes a page, which the stack takes over, in the words of the domain.
    using PageMaker = std::function<Page*(const Domain& domain)>;

    /// `nothing` is shown in the stack while no page is.
    DomainPages(Services services, PageStack& stack, QWidget& nothing, QObject* parent);

    /// The stack takes it over. Without a domain it serves all of them.
    void add(Page* page, const std::string& domain);
    /// For each domain that has no page of its own for the place.
    void add_general(PagePlace place, PageMaker make);

    /// By their places.
    [[nodiscard]] const std::vector<Page*>& shown() const { return shown_; }
    /// Also by the general id of its place. Null: there is none.
    [[nodiscard]] Page* find(const QString& id) const;
    /// By its id, or by its title as the window shows it; in any case, with or without spaces and hyphens.
    [[nodiscard]] Page* find_named(const QString& name) const;
    /// Null where the stack shows something else.
    [[nodiscard]] Page* current() const;
    [[nodiscard]] QStringList ids() const;
    [[nodiscard]] QStringList titles() const;

Q_SIGNALS:
    void added(Page* page, const std::string& domain);
    void removing(Page* page); ///< it is deleted next
    void changed();            ///< others are shown

private:
    /// A page and the domain that it serves alone; empty: all of them.
    struct KnownPage {
        Page* page;
        std::string domain;
        bool is_general = false; ///< made for the domain that is looked at
    };
    struct GeneralPage {
        PagePlace place;
        PageMaker make;
    };

    void take(const KnownPage& known);
    void make_general(const GeneralPage& general);
    void remove_general();
    void show();
    void change_domain();

    Services services_;
    PageStack& stack_;
    QWidget& nothing_;
    std::vector<GeneralPage> general_;
    std::vector<KnownPage> known_; ///< of all domains
    std::vector<Page*> shown_;
    std::string domain_shown_;
    std::map<std::string, Selected> left_; ///< what was selected when a domain was left
};

} // namespace sparsight

#include "gui/shell/window/domain_pages.h"

#include "gui/workspace/workspace_session.h"

#include <algorithm>
#include <utility>

namespace sparsight {

DomainPages::DomainPages(Services services, PageStack& stack, QWidget& nothing, QObject* parent)
    : QObject(parent)
    , services_(services)
    , stack_(stack)
    , nothing_(nothing)
    , domain_shown_(services.session.domain().name()) {
    connect(&services_.session, &WorkspaceSession::domain_changed, this, &DomainPages::change_domain);
    connect(&services_.session, &WorkspaceSession::opened, this, [this] { left_.clear(); });
}

void DomainPages::add(Page* page, const std::string& domain) {
    take({page, domain});
    show();
}

void DomainPages::add_general(PagePlace place, PageMaker make) {
    general_.push_back({place, std::move(make)});
    make_general(general_.back());
    show();
}

void DomainPages::take(const KnownPage& known) {
    known_.push_back(known);
    stack_.addWidget(known.page);
    Q_EMIT added(known.page, known.domain);
}

/// Unless the domain that is looked at has a page of its own for the place.
void DomainPages::make_general(const GeneralPage& general) {
    const bool is_there = std::ranges::any_of(known_, [&](const KnownPage& known) {
        return known.page->place() == general.place && known.domain == domain_shown_;
    });
    if (!is_there)
        take({general.make(services_.session.domain()), domain_shown_, true});
}

void DomainPages::remove_general() {
    // A stack shows the neighbour of a page that leaves it: one that goes as well, and would select
    // something.
    shown_.clear();
    stack_.setCurrentWidget(&nothing_);
    for (const KnownPage& known : known_)
        if (known.is_general) {
            Q_EMIT removing(known.page);
            delete known.page;
        }
    std::erase_if(known_, &KnownPage::is_general);
}

void DomainPages::show() {
    const Domain& domain = services_.session.domain();
    std::map<PagePlace, Page*> by_place;
    for (const KnownPage& known : known_) {
        if (known.domain == domain.name() || known.domain.empty())
            by_place.try_emplace(known.page->place(), known.page);
    }
    shown_.clear();
    for (const auto& [place, page] : by_place)
        shown_.push_back(page);
    Q_EMIT changed();
}

/// What was selected in the domain that is left means nothing in the other; the kind of page stays.
void DomainPages::change_domain() {
    const Page* const before = current();
    const PagePlace place = before != nullptr ? before->place() : PagePlace::Workloads;
    left_[domain_shown_] = services_.selection.current();
    domain_shown_ = services_.session.domain().name();
    remove_general();
    for (const GeneralPage& general : general_)
        make_general(general);
    show();
    Selected selected = left_[domain_shown_];
    const auto same = std::ranges::find_if(shown_, [&](const Page* page) { return page->place() == place; });
    if (same != shown_.end())
        selected.page = (*same)->id();
    else if (find(selected.page) == nullptr && !shown_.empty())
        selected.page = shown_.front()->id();
    services_.selection.reset(selected);
}

Page* DomainPages::find(const QString& id) const {
    auto found = std::ranges::find(shown_, id, [](const Page* page) { return page->id(); });
    if (found == shown_.end())
        found = std::ranges::find(shown_, id, [](const Page* page) { return general_id(page->place()); });
    return found == shown_.end() ? nullptr : *found;
}

Page* DomainPages::find_named(const QString& name) const {
    const auto plain = [](QString text) {
        text.removeIf([](QChar letter) { return !letter.isLetterOrNumber(); });
        return text.toCaseFolded();
    };
    if (Page* const known = find(name); known != nullptr)
        return known;
    const auto found = std::ranges::find_if(shown_, [&](const Page* page) {
        return plain(page->id()) == plain(name) ||
               plain(page->title(services_.session.domain())) == plain(name);
    });
    return found == shown_.end() ? nullptr : *found;
}

Page* DomainPages::current() const {
    return qobject_cast<Page*>(stack_.currentWidget());
}

QStringList DomainPages::ids() const {
    QStringList ids;
    for (const Page* const page : shown_)
        ids << page->id();
    return ids;
}

QStringList DomainPages::titles() const {
    QStringList titles;
    for (const Page* const page : shown_)
        titles << page->title(services_.session.domain());
    return titles;
}

} // namespace sparsight

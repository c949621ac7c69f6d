#include "gui/shell/window/navigation.h"

#include "gui/icons/icon.h"
#include "gui/page/domain_words.h"
#include "gui/page/page.h"
#include "gui/selection/selection.h"
#include "gui/settings/settings_dialog.h"
#include "gui/shell/window/domain_pages.h"
#include "gui/shell/window/notices.h"
#include "gui/workspace/workspace_session.h"

#include <QApplication>
#include <QClipboard>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

namespace sparsight {

namespace {

constexpr const char* page_property = "page";

} // namespace

NavigationBar::NavigationBar(QWidget* parent)
    : QWidget(parent)
    , column_(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("navigation"));
    setAccessibleName(tr("Pages"));
    setAttribute(Qt::WA_StyledBackground);
    column_->setContentsMargins(8, 12, 8, 12);
    column_->setSpacing(4);
    column_->addStretch();
    buttons_.setExclusive(true);
    connect(&buttons_, &QButtonGroup::buttonClicked, this, [this](const QAbstractButton* button) {
        Q_EMIT page_chosen(button->property(page_property).toString());
    });
}

void NavigationBar::set_pages(const std::vector<Page*>& pages, const Domain& domain) {
    qDeleteAll(buttons_.buttons());
    for (const Page* const page : pages)
        add_page(page->id(), page->title(domain), page->icon_name());
}

void NavigationBar::add_page(const QString& id, const QString& title, const QString& icon) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("navigate-") + id);
    button->setProperty(page_property, id);
    button->setText(title);
    button->setIcon(sparsight::icon(icon));
    button->setIconSize({20, 20});
    button->setToolButtonStyle(button_style());
    button->setAccessibleName(title);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const auto number = buttons_.buttons().size() + 1;
    const QKeySequence shortcut(QStringLiteral("Ctrl+%1").arg(number));
    button->setShortcut(shortcut);
    button->setToolTip(tr("%1 (%2)").arg(title, shortcut.toString(QKeySequence::NativeText)));
    buttons_.addButton(button);
    column_->insertWidget(column_->count() - 1, button);
}

void NavigationBar::set_current(const QString& id) {
    buttons_.setExclusive(false); // an exclusive group keeps one button checked even where no page is shown
    for (QAbstractButton* button : buttons_.buttons())
        button->setChecked(button->property(page_property).toString() == id);
    buttons_.setExclusive(true);
}

Qt::ToolButtonStyle NavigationBar::button_style() const {
    return is_folded_ ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon;
}

void NavigationBar::set_folded(bool is_folded) {
    is_folded_ = is_folded;
    for (QAbstractButton* const button : buttons_.buttons())
        static_cast<QToolButton*>(button)->setToolButtonStyle(button_style());
}

WindowSearch::WindowSearch(Services services, QWidget* window)
    : QObject(window)
    , services_(services)
    , window_(window) {
    add_source([this] { return page_items(); });
    add_source([this] { return workload_items(); });
    add_source([this] { return part_items(); });
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
        items.push_back({page->title(services_.session.domain()), tr("page"), page->icon_name(),
                         [&selection = services_.selection, id = page->id()] { selection.select_page(id); }});
    return items;
}

/// What pages have inside: it is shown, and has the focus then.
std::vector<SearchItem> WindowSearch::part_items() const {
    std::vector<SearchItem> items;
    for (Page* const page : pages_)
        for (const PagePart& part : page->parts())
            items.push_back({part.name, tr("%1 · %2").arg(part.kind, page->title(services_.session.domain())),
                             page->icon_name(),
                             [&selection = services_.selection, page, key = part.key] {
                                 selection.select_page(page->id());
                                 if (page->isVisible())
                                     page->focus_part(key);
                             },
                             part.text});
    return items;
}

std::vector<SearchItem> WindowSearch::workload_items() const {
    const QString kind = one(services_.session.domain().words().workload);
    const auto listed = std::ranges::find(pages_, PagePlace::Workloads, &Page::place);
    const QString page = listed == pages_.end() ? QString() : (*listed)->id();
    std::vector<SearchItem> items;
    for (const WorkloadRecord& workload : services_.session.contents().workloads)
        items.push_back(
            {QString::fromStdString(workload.name), kind, QStringLiteral("matrices"),
             [&selection = services_.selection, page, name = QString::fromStdString(workload.name)] {
                 Selected target = selection.current();
                 target.workload = name;
                 target.page = page;
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
             QStringLiteral("settings"), [this, key = entry.key] { Q_EMIT setting_chosen(key); }, entry.tip});
    return items;
}

namespace {

constexpr qsizetype most_names = 8; ///< that a message lists

struct Links {
    Q_DECLARE_TR_FUNCTIONS(sparsight::WindowLinks)
};

QString cause_of_links() {
    return QStringLiteral("link");
}

template <typename Range, typename Name>
QStringList names_of(const Range& all, Name name) {
    QStringList names;
    for (const auto& each : all)
        names << QString::fromStdString(std::invoke(name, each));
    return names;
}

/// "There is no matrix “rubbish” here. Matrices: demo-mesh, demo-weights."
QString not_here(const QString& noun, const QString& name, const QString& title, QStringList names) {
    const QString complaint = Links::tr("There is no %1 “%2” here.").arg(noun, name);
    if (names.isEmpty())
        return complaint;
    if (names.size() > most_names) {
        const auto more = names.size() - most_names;
        names.resize(most_names);
        return Links::tr("%1 %2: %3 and %4 more.")
            .arg(complaint, title, names.join(QStringLiteral(", ")))
            .arg(more);
    }
    return Links::tr("%1 %2: %3.").arg(complaint, title, names.join(QStringLiteral(", ")));
}

/// A link that a person writes has the machine's name, one that was copied its fingerprint.
QString fingerprint_of(const WorkspaceSession& session, const QString& machine) {
    const auto& machines = session.contents().machines;
    const auto is_it = [name = machine.toStdString()](const MachineRecord& each) {
        return each.name == name;
    };
    const auto found = std::ranges::find_if(machines, is_it);
    const bool is_name = session.machine(machine) == nullptr && found != machines.end();
    return is_name ? QString::fromStdString(found->fingerprint) : machine;
}

} // namespace

WindowLinks::WindowLinks(const Services& services, const DomainPages& pages, Notices& notices)
    : QObject(&notices)
    , services_(services)
    , pages_(pages)
    , notices_(notices) {}

void WindowLinks::copy() {
    QApplication::clipboard()->setText(to_link(services_.selection.current()));
    notices_.tell(tr("The link to this view is on the clipboard."), false);
}

void WindowLinks::paste() {
    const Selected target = from_link(QApplication::clipboard()->text());
    if (target == Selected{})
        notices_.tell_of(cause_of_links(), tr("There is no link to a view on the clipboard."));
    else
        open(target);
}

QString WindowLinks::open(Selected target) {
    const WorkspaceSession& session = services_.session;
    const Noun& workload = session.domain().words().workload;
    QStringList problems;
    const auto require = [&](bool is_here, QString& part, const QString& noun, const QString& title,
                             const QStringList& names) {
        if (part.isEmpty() || is_here)
            return;
        problems << not_here(noun, part, title, names);
        part.clear();
    };
    const Page* const page = target.page.isEmpty() ? nullptr : pages_.find_named(target.page);
    if (page != nullptr)
        target.page = page->id();
    else
        require(false, target.page, tr("page"), tr("Pages"), pages_.ids());
    require(session.workload(target.workload) != nullptr, target.workload, one(workload),
            title_of_many(workload), names_of(session.contents().workloads, &WorkloadRecord::name));
    target.machine = fingerprint_of(session, target.machine);
    const bool is_this_computer = target.machine == session.this_machine(); // also before it is measured
    require(is_this_computer || session.machine(target.machine) != nullptr, target.machine, tr("machine"),
            tr("Machines"), names_of(session.contents().machines, &MachineRecord::name));
    QString model = target.model; // stays: what it was evaluated on may be there without it
    require(session.contents().models.contains(model.toStdString()), model, tr("model"), tr("Models"),
            names_of(session.contents().models, std::identity{}));
    const QString problem = problems.join(u' ');
    if (problem.isEmpty())
        notices_.settle(cause_of_links());
    else
        notices_.tell_of(cause_of_links(), problem);
    services_.selection.follow_link(target);
    return problem;
}

} // namespace sparsight

#include "gui/shell/screenshot.h"

#include "gui/page/page.h"
#include "gui/shell/window/main_window.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QObject>
#include <QPixmap>
#include <QStringList>
#include <QTabWidget>
#include <QTimer>
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds interval{50};
constexpr int quiet_looks = 8;    ///< complete for this many looks in a row
constexpr int looks_for_tab = 40; ///< on a complete page, until its tab is taken as hidden

struct Target {
    QString page;
    QString tab; ///< empty: the one that the page shows
};

Target target_of(const QString& text) {
    return {text.section(u':', 0, 0), text.section(u':', 1)};
}

struct Tab {
    QTabWidget* tabs;
    int at;
};

std::vector<Tab> tabs_of(const Page& page) {
    std::vector<Tab> all;
    for (QTabWidget* const tabs : page.findChildren<QTabWidget*>())
        for (int at = 0; at < tabs->count(); ++at)
            all.push_back({tabs, at});
    return all;
}

/// As the window shows it, for a command line: "row-lengths".
QString name_of(const Tab& tab) {
    return tab.tabs->tabText(tab.at).remove(u'&').toLower().replace(u' ', u'-');
}

std::optional<Tab> find_tab(const Page& page, const QString& name) {
    const QString wanted = name.toLower().replace(u' ', u'-');
    const auto all = tabs_of(page);
    const auto found = std::ranges::find(all, wanted, name_of);
    return found == all.end() ? std::nullopt : std::optional(*found);
}

/// The tab, and those that it is in; false while it is hidden, as it has nothing to show.
bool show_tab(const Tab& tab, const Page& page) {
    if (!tab.tabs->isTabVisible(tab.at))
        return false;
    QWidget* inside = tab.tabs->widget(tab.at);
    for (; inside != nullptr && inside != &page; inside = inside->parentWidget()) {
        // What stands in a tab is a child of the stack within it.
        auto* const stack = inside->parentWidget();
        auto* const tabs = qobject_cast<QTabWidget*>(stack != nullptr ? stack->parentWidget() : nullptr);
        if (tabs != nullptr && tabs->indexOf(inside) >= 0)
            tabs->setCurrentWidget(inside);
    }
    return true;
}

} // namespace

QStringList tab_names(const Page& page) {
    QStringList names;
    for (const Tab& tab : tabs_of(page))
        names << name_of(tab);
    return names;
}

namespace {

QString no_such_tab(const Page& page, const Target& target) {
    const QStringList names = tab_names(page);
    const QString complaint = QObject::tr("The page “%1” has no tab “%2”.").arg(target.page, target.tab);
    return names.isEmpty() ? complaint
                           : QObject::tr("%1 Tabs: %2").arg(complaint, names.join(QStringLiteral(", ")));
}

/// Empty when it is complete.
QString wait_until_settled(MainWindow& window, const Target& target, std::chrono::milliseconds longest) {
    QEventLoop loop;
    QElapsedTimer clock;
    clock.start();
    int quiet = 0;
    int without_tab = 0;
    QString problem;
    QTimer look;
    look.setInterval(interval);
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        const Page* shown = window.current_page();
        if (shown == nullptr || shown->id() != target.page) // a workspace that opens meanwhile shows its own
            window.show_page(target.page);
        bool is_there = shown != nullptr && shown->id() == target.page && shown->is_settled();
        if (is_there && !target.tab.isEmpty()) {
            const auto tab = find_tab(*shown, target.tab);
            is_there = tab && show_tab(*tab, *shown);
            without_tab = is_there ? 0 : without_tab + 1;
            is_there = is_there && shown->is_settled();
        }
        quiet = is_there ? quiet + 1 : 0;
        if (without_tab >= looks_for_tab)
            problem = QObject::tr("The tab “%1” of the page “%2” is hidden: it has nothing to show here.")
                          .arg(target.tab, target.page);
        else if (clock.elapsed() > longest.count())
            problem = QObject::tr("The page “%1” was not complete after %2 s.")
                          .arg(target.page)
                          .arg(static_cast<double>(longest.count()) / 1000);
        if (quiet >= quiet_looks || !problem.isEmpty())
            loop.quit();
    });
    look.start();
    loop.exec();
    return problem;
}

} // namespace

std::expected<void, QString> take_screenshot(MainWindow& window, const QString& page, const QString& file,
                                             std::chrono::milliseconds longest_wait) {
    if (page.compare(QStringLiteral("welcome"), Qt::CaseInsensitive) != 0) {
        Target target = target_of(page);
        const Page* const shown = window.page_named(target.page);
        if (shown == nullptr)
            return std::unexpected(QObject::tr("There is no page “%1”. Pages: %2")
                                       .arg(target.page, window.page_titles().join(QStringLiteral(", "))));
        target.page = shown->id();
        if (!target.tab.isEmpty() && !find_tab(*shown, target.tab))
            return std::unexpected(no_such_tab(*shown, target));
        if (QString problem = wait_until_settled(window, target, longest_wait); !problem.isEmpty())
            return std::unexpected(std::move(problem));
    }
    if (QWidget* const focused = window.focusWidget(); focused != nullptr)
        focused->clearFocus(); // a picture has no keyboard
    if (!window.grab().save(file))
        return std::unexpected(QObject::tr("%1 can't be written.").arg(file));
    return {};
}

} // namespace sparsight

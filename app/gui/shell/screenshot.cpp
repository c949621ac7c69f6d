#include "gui/shell/screenshot.h"

#include "gui/page/page.h"
#include "gui/shell/main_window.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QObject>
#include <QPixmap>
#include <QTimer>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds interval{50};
constexpr int quiet_looks = 8; ///< complete for this many looks in a row

/// False when it has not become complete in time.
bool wait_until_settled(MainWindow& window, const QString& page, std::chrono::milliseconds longest) {
    QEventLoop loop;
    QElapsedTimer clock;
    clock.start();
    int quiet = 0;
    bool settled = false;
    QTimer look;
    look.setInterval(interval);
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        const Page* shown = window.current_page();
        if (shown == nullptr || shown->id() != page) // a workspace that opens meanwhile shows its own page
            window.show_page(page);
        const bool is_there = shown != nullptr && shown->id() == page && shown->is_settled();
        quiet = is_there ? quiet + 1 : 0;
        settled = quiet >= quiet_looks;
        if (settled || clock.elapsed() > longest.count())
            loop.quit();
    });
    look.start();
    loop.exec();
    return settled;
}

} // namespace

std::expected<void, QString> take_screenshot(MainWindow& window, const QString& page, const QString& file,
                                             std::chrono::milliseconds longest_wait) {
    if (page != QStringLiteral("welcome")) {
        if (window.page(page) == nullptr)
            return std::unexpected(QObject::tr("There is no page “%1”. Pages: %2")
                                       .arg(page, window.page_ids().join(QStringLiteral(", "))));
        if (!wait_until_settled(window, page, longest_wait))
            return std::unexpected(QObject::tr("The page “%1” was not complete after %2 s.")
                                       .arg(page)
                                       .arg(static_cast<double>(longest_wait.count()) / 1000));
    }
    if (!window.grab().save(file))
        return std::unexpected(QObject::tr("%1 can't be written.").arg(file));
    return {};
}

} // namespace sparsight

#include "gui/shell/window_links.h"

#include "gui/selection/selection.h"
#include "gui/shell/notices.h"
#include "gui/workspace/workspace_session.h"

#include <QApplication>
#include <QClipboard>

namespace sparsight {

namespace {

QString cause_of_links() {
    return QStringLiteral("link");
}

} // namespace

WindowLinks::WindowLinks(const Services& services, Notices& notices,
                         std::function<bool(const QString&)> has_page)
    : QObject(&notices)
    , services_(services)
    , notices_(notices)
    , has_page_(std::move(has_page)) {}

void WindowLinks::copy() {
    QApplication::clipboard()->setText(to_link(services_.selection.current()));
    notices_.tell(tr("The link to this view is on the clipboard."), false);
}

void WindowLinks::paste() {
    const QString link = QApplication::clipboard()->text();
    if (from_link(link) == Selected{})
        notices_.tell_of(cause_of_links(), tr("There is no link to a view on the clipboard."));
    else
        open(link);
}

void WindowLinks::open(const QString& link) {
    const Selected target = from_link(link);
    QStringList unknown;
    if (!target.page.isEmpty() && !has_page_(target.page))
        unknown << tr("no page “%1”").arg(target.page);
    if (!target.matrix.isEmpty() && services_.session.matrix(target.matrix) == nullptr)
        unknown << tr("no matrix “%1”").arg(target.matrix);
    if (!target.machine.isEmpty() && services_.session.machine(target.machine) == nullptr)
        unknown << tr("no machine “%1”").arg(target.machine);
    if (unknown.isEmpty())
        notices_.settle(cause_of_links());
    else
        notices_.tell_of(
            cause_of_links(),
            tr("There is %1 here; the link may be of another workspace.").arg(unknown.join(tr(", and "))));
    services_.selection.select(target);
}

} // namespace sparsight

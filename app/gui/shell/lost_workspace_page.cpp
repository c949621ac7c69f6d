#include "gui/shell/lost_workspace_page.h"

#include "gui/icons/icon.h"
#include "widgets/look/empty_state.h"

#include <QFileInfo>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace sparsight {

LostWorkspacePage::LostWorkspacePage(QMenu& recent, QWidget* parent)
    : QWidget(parent)
    , state_(new EmptyState(this)) {
    setObjectName(QStringLiteral("lost-workspace"));
    state_->set_icon(icon(QStringLiteral("warning")));
    auto* retry = state_->add_button(tr("&Try again"), icon_on_accent(QStringLiteral("refresh")));
    auto* open = state_->add_button(tr("&Open workspace…"), icon(QStringLiteral("open")));
    auto* others = state_->add_button(tr("&Recent"));
    auto* close = state_->add_button(tr("&Close it"), icon(QStringLiteral("close")));
    others->setMenu(&recent);
    connect(retry, &QPushButton::clicked, this, &LostWorkspacePage::retry_requested);
    connect(open, &QPushButton::clicked, this, &LostWorkspacePage::open_requested);
    connect(close, &QPushButton::clicked, this, &LostWorkspacePage::close_requested);
    auto* column = new QVBoxLayout(this);
    column->addStretch(2);
    column->addWidget(state_);
    column->addStretch(3);
}

void LostWorkspacePage::show_workspace(const QString& path) {
    const QFileInfo file(path);
    state_->set_title(tr("%1 is not there any more").arg(file.completeBaseName()));
    state_->set_text(
        tr("<p>%1</p><p>The file was moved, renamed or removed, or the disk that it is on is not "
           "connected. As soon as it is back, the window shows it again.</p>")
            .arg(path.toHtmlEscaped()));
}

} // namespace sparsight

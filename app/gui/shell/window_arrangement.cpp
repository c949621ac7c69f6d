#include "gui/shell/window_arrangement.h"

#include "gui/page/page.h"
#include "gui/settings/settings.h"
#include "gui/shell/panel_title.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds save_delay{1500};

QString layout_name(const Page& page) {
    return QStringLiteral("page:") + page.id();
}

} // namespace

WindowArrangement::WindowArrangement(UserSettings& settings, QMainWindow* window)
    : QObject(window)
    , settings_(settings)
    , window_(window) {
    save_soon_.setSingleShot(true);
    save_soon_.setInterval(save_delay);
    connect(&save_soon_, &QTimer::timeout, this, &WindowArrangement::save);
}

void WindowArrangement::add_page(Page& page) {
    pages_.push_back(&page);
    page.restore_layout(settings_.layout(layout_name(page)));
}

void WindowArrangement::add_panel(const QString& id, const QString& title, QWidget* panel, QMenu& menu) {
    auto* dock = new QDockWidget(title, window_);
    dock->setObjectName(id);
    dock->setWidget(panel);
    dock->setTitleBarWidget(new PanelTitle(title, *dock));
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    dock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    window_->addDockWidget(Qt::RightDockWidgetArea, dock);
    window_->resizeDocks({dock}, {panel->sizeHint().width()}, Qt::Horizontal);
    menu.addAction(dock->toggleViewAction());
    connect(dock->toggleViewAction(), &QAction::triggered, this, [this, id](bool shown) {
        if (shown)
            hidden_panels_.remove(id);
        else
            hidden_panels_.insert(id);
        save_soon();
    });
}

void WindowArrangement::show_panels(bool shown) {
    for (QDockWidget* panel : window_->findChildren<QDockWidget*>())
        panel->setVisible(shown && !hidden_panels_.contains(panel->objectName()));
}

void WindowArrangement::restore() {
    window_->restoreGeometry(settings_.geometry.get());
    window_->restoreState(settings_.docks.get());
    const QStringList hidden = settings_.hidden_panels.get();
    hidden_panels_ = QSet<QString>(hidden.begin(), hidden.end());
}

void WindowArrangement::save() {
    if (!window_->isFullScreen()) { // that is for teaching: the next window begins as this one was before
        settings_.geometry.set(window_->saveGeometry());
        settings_.docks.set(window_->saveState());
    }
    settings_.hidden_panels.set(hidden_panels_.values());
    for (const Page* page : pages_)
        settings_.set_layout(layout_name(*page), page->layout_state());
    Q_EMIT saving();
}

} // namespace sparsight

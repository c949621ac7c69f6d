#include "gui/shell/window/window_arrangement.h"

#include "gui/icons/icon.h"
#include "gui/page/page.h"
#include "gui/settings/settings.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QApplication>
#include <QCoreApplication>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QScreen>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds save_delay{1500};

} // namespace

WindowArrangement::WindowArrangement(UserSettings& settings, QMainWindow* window)
    : QObject(window)
    , settings_(settings)
    , window_(window) {
    save_soon_.setSingleShot(true);
    save_soon_.setInterval(save_delay);
    connect(&save_soon_, &QTimer::timeout, this, &WindowArrangement::save);
}

void WindowArrangement::add_page(Page& page, const std::string& domain) {
    QString name = QStringLiteral("page:") + page.id();
    if (std::ranges::count(pages_, name, &std::pair<Page*, QString>::second) > 0)
        name += u':' + QString::fromStdString(domain);
    pages_.emplace_back(&page, name);
    page.restore_layout(settings_.layout(name));
}

void WindowArrangement::remove_page(const Page& page) {
    const auto found = std::ranges::find(pages_, &page, [](const auto& known) { return known.first; });
    settings_.set_layout(found->second, page.layout_state());
    pages_.erase(found);
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
    // full screen is for teaching: the next window starts with the geometry before it
    if (!window_->isFullScreen()) {
        settings_.geometry.set(window_->saveGeometry());
        settings_.docks.set(window_->saveState());
    }
    settings_.hidden_panels.set(hidden_panels_.values());
    for (const auto& [page, name] : pages_)
        settings_.set_layout(name, page->layout_state());
    Q_EMIT saving();
}

PanelTitle::PanelTitle(const QString& title, QDockWidget& panel)
    : QWidget(&panel) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2 * grid_step, grid_step, grid_step, 0);
    auto* name = new QLabel(title, this);
    keep_font(*name, title_font);
    auto* close = new QToolButton(this);
    close->setIcon(icon(QStringLiteral("close")));
    close->setIconSize({14, 14});
    close->setAutoRaise(true);
    close->setToolTip(
        QCoreApplication::translate("PanelTitle", "Hide this panel; View › Panels shows it again"));
    close->setAccessibleName(QCoreApplication::translate("PanelTitle", "Hide %1").arg(title));
    connect(close, &QToolButton::clicked, panel.toggleViewAction(), &QAction::trigger);
    row->addWidget(name, 1);
    row->addWidget(close);
}

namespace {

constexpr double teaching_scale = 1.4;
constexpr std::chrono::milliseconds type_settles_after{100};

} // namespace

TeachingView::TeachingView(QMainWindow* window)
    : QObject(window)
    , window_(window) {}

void TeachingView::set_on(bool on) {
    if (on == is_on_)
        return;
    is_on_ = on;
    QFont font = QApplication::font();
    if (on) {
        font_size_before_ = font.pointSizeF();
        remember();
        font.setPointSizeF(font_size_before_ * teaching_scale);
        window_->showFullScreen();
    } else {
        font.setPointSizeF(font_size_before_);
        if (was_maximized_)
            window_->showMaximized();
        else
            window_->showNormal();
    }
    QApplication::setFont(font);
    // While the widgets take the new font one after the other, they may together need more space than the
    // screen has.
    QTimer::singleShot(type_settles_after, this,
                       is_on_ ? &TeachingView::take_screen : &TeachingView::restore);
}

void TeachingView::remember() {
    was_maximized_ = window_->isMaximized();
    geometry_before_ = window_->geometry();
    panel_widths_.clear();
    for (auto* panel : window_->findChildren<QDockWidget*>())
        panel_widths_.insert(panel, panel->width());
}

void TeachingView::take_screen() {
    if (is_on_)
        window_->setGeometry(window_->screen()->geometry());
}

/// A panel that large type has widened does not become narrower by itself.
void TeachingView::restore() {
    if (is_on_)
        return;
    if (!was_maximized_)
        window_->setGeometry(geometry_before_);
    window_->resizeDocks(panel_widths_.keys(), panel_widths_.values(), Qt::Horizontal);
}

} // namespace sparsight

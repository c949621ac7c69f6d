#include "gui/shell/window/window_arrangement.h"

#include "gui/icons/icon.h"
#include "gui/page/page.h"
#include "gui/selection/selection_panel.h"
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

void WindowArrangement::add_panel(const QString& id, const QString& title, SelectionPanel* panel,
                                  QMenu& menu) {
    auto* dock = new QDockWidget(title, window_);
    panel_ = panel;
    dock_ = dock;
    title_ = new PanelTitle(title, *dock);
    dock->setObjectName(id);
    dock->setWidget(panel);
    dock->setTitleBarWidget(title_);
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    dock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    window_->addDockWidget(Qt::RightDockWidgetArea, dock);
    connect(&title_->button(), &QToolButton::clicked, this, &WindowArrangement::show_cards_or_icons);
    connect(panel, &SelectionPanel::cards_requested, this, &WindowArrangement::show_cards_or_icons);
    fit_panel();
    menu.addAction(dock->toggleViewAction());
    connect(dock->toggleViewAction(), &QAction::triggered, this, [this, id](bool shown) {
        if (shown)
            hidden_panels_.remove(id);
        else
            hidden_panels_.insert(id);
        save_soon();
    });
}

bool WindowArrangement::is_narrow() const {
    // In large type a wider window has no room either.
    const int needed = window_->centralWidget()->minimumSizeHint().width() + panel_->cards_width();
    return window_->width() < std::max(narrow_window, needed);
}

void WindowArrangement::fit_panel() {
    if (panel_ == nullptr)
        return;
    const bool is_folded = is_narrow() || !settings_.selection_unfolded.get();
    if (is_folded == panel_->is_folded())
        return;
    panel_->set_folded(is_folded);
    title_->set_folded(is_folded);
    if (!is_folded)
        window_->resizeDocks({dock_}, {panel_->sizeHint().width()}, Qt::Horizontal);
}

void WindowArrangement::show_cards_or_icons() {
    if (is_narrow())
        return panel_->pop_up();
    settings_.selection_unfolded.set(panel_->is_folded());
    fit_panel();
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
    : QWidget(&panel)
    , title_(title)
    , row_(new QHBoxLayout(this))
    , name_(new QLabel(title, this))
    , button_(new QToolButton(this)) {
    keep_font(*name_, title_font);
    button_->setObjectName(QStringLiteral("fold-panel"));
    button_->setIconSize({14, 14});
    button_->setAutoRaise(true);
    row_->addWidget(name_, 1);
    row_->addWidget(button_);
    set_folded(false);
}

void PanelTitle::set_folded(bool is_folded) {
    name_->setVisible(!is_folded);
    row_->setContentsMargins(is_folded ? grid_step / 2 : 2 * grid_step, grid_step,
                             is_folded ? grid_step / 2 : grid_step, 0);
    button_->setSizePolicy(is_folded ? QSizePolicy::Expanding : QSizePolicy::Fixed, QSizePolicy::Fixed);
    button_->setIcon(icon(is_folded ? QStringLiteral("chevron-left") : QStringLiteral("chevron-right")));
    const QString what = is_folded ? QCoreApplication::translate("PanelTitle", "Show what is selected")
                                   : QCoreApplication::translate("PanelTitle", "Fold this panel to icons");
    button_->setToolTip(what);
    button_->setAccessibleName(QStringLiteral("%1: %2").arg(title_, what));
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

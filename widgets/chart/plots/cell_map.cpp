#include "widgets/chart/plots/cell_map.h"

#include "widgets/chart/plot_menu.h"
#include "widgets/look/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <utility>

namespace sparsight {

CellMap::CellMap(const QString& name, Rows rows, QWidget* parent)
    : QWidget(parent)
    , rows_(rows)
    , tools_(new PlotMenuButton(*this, tr("Copy, export"), tr("Menu of the map"), {},
                                [this] { return exported(); })) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(name);
    tools_->set_offered(false);
}

void CellMap::picture_changed() {
    lit_.reset();
    tools_->set_offered(!is_empty());
    update();
}

void CellMap::set_selected(const QString& key) {
    selected_ = key;
    update();
}

void CellMap::set_empty_text(const QString& text) {
    empty_text_ = text;
    update();
}

QSizeF CellMap::room_of_tools() const {
    return tools_->room();
}

void CellMap::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const Theme& theme = current_theme();
    painter.fillRect(rect(), theme.surface);
    if (is_empty()) {
        paint_empty_plot(painter, rect(), empty_text_, theme);
        return;
    }
    draw(painter, theme);
    if (hasFocus())
        paint_plot_focus(painter, rect(), theme);
}

bool CellMap::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && !is_empty()) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        const auto cell = cell_at(help->pos());
        QToolTip::showText(help->globalPos(), cell ? tooltip_of(*cell) : QString(), this);
        return true;
    }
    return QWidget::event(event);
}

void CellMap::mouseMoveEvent(QMouseEvent* event) {
    if (is_empty())
        return;
    const auto before = std::exchange(lit_, cell_at(event->position()));
    setCursor(lit_ || is_clickable(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (lit_ == before)
        return;
    update();
    if (lit_ && event->buttons().testFlag(Qt::LeftButton))
        drag_to(MapCell(*lit_)); // a copy: whoever hears of it may change the picture
}

void CellMap::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || is_empty())
        return event->ignore();
    if (const auto cell = cell_at(event->position()))
        go(*cell);
    else if (is_clickable(event->position()))
        click_beside(event->position());
    else
        event->ignore();
}

void CellMap::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    lit_.reset();
    update();
}

void CellMap::step(int columns, int rows) {
    if (is_empty())
        return;
    const auto from = here();
    if (!from) // the first key only shows where the keys are
        return go({0, 0});
    const auto moved = [](std::size_t at, int by, std::size_t count) {
        return static_cast<std::size_t>(
            std::clamp(static_cast<int>(at) + by, 0, static_cast<int>(count) - 1));
    };
    const MapCell all = counts();
    go({moved(from->column, columns, all.column), moved(from->row, rows, all.row)});
}

void CellMap::keyPressEvent(QKeyEvent* event) {
    const int down = rows_ == Rows::Downwards ? 1 : -1;
    switch (event->key()) {
    case Qt::Key_Left:
        return step(-1, 0);
    case Qt::Key_Right:
        return step(1, 0);
    case Qt::Key_Up:
        return step(0, -down);
    case Qt::Key_Down:
        return step(0, down);
    default:
        QWidget::keyPressEvent(event);
    }
}

void CellMap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        updateGeometry();
    update();
}

} // namespace sparsight

#include "widgets/chart/plots/heat_map.h"

#include "widgets/chart/plot_menu.h"
#include "widgets/chart/plot_parts.h"
#include "widgets/look/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace sparsight {

HeatMap::HeatMap(QWidget* parent)
    : QWidget(parent)
    , tools_(new PlotMenuButton(*this, tr("Copy, export"), tr("Menu of the map"), {},
                                [this] { return exported(); })) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Heat map"));
    tools_->set_offered(false);
}

void HeatMap::set_picture(HeatPicture picture) {
    picture_ = std::move(picture);
    lit_.reset();
    here_.reset();
    tools_->set_offered(!picture_.empty());
    update();
}

void HeatMap::set_selected(const QString& key) {
    selected_ = key;
    update();
}

void HeatMap::set_empty_text(const QString& text) {
    empty_text_ = text;
    update();
}

HeatLayout HeatMap::laid_out() const {
    return lay_out_heat(picture_, size(), tools_->room());
}

QPointF HeatMap::place_of(const HeatCell& cell) const {
    return laid_out().cell(cell).center();
}

QString HeatMap::tooltip_of(const HeatCell& cell) const {
    const auto line = [](const QString& title, const QString& value) {
        return QStringLiteral("%1: <b>%2</b>").arg(title.toHtmlEscaped(), value.toHtmlEscaped());
    };
    QStringList lines{line(picture_.y_title, picture_.rows[cell.row].name),
                      line(picture_.x_title, picture_.columns[cell.column].name),
                      line(picture_.value_title, picture_.text_of(cell))};
    if (!picture_.notes.empty() && !picture_.notes[picture_.place(cell)].isEmpty())
        lines << picture_.notes[picture_.place(cell)].toHtmlEscaped();
    return lines.join(QStringLiteral("<br>"));
}

ExportedPicture HeatMap::exported() const {
    HeatPicture picture = picture_;
    if (picture.title.isEmpty())
        picture.title = accessibleName();
    const QSizeF size(std::max(640, width()), std::max(480, height()));
    return {size,
            [picture, size](QPainter& painter) {
                painter.fillRect(QRectF({0, 0}, size), light_theme().surface);
                paint_heat(painter, picture, lay_out_heat(picture, size, {}), light_theme(), {});
            },
            heat_csv(picture_), QString(picture.title).replace(u'/', u'-')};
}

QSize HeatMap::sizeHint() const {
    return {560, 420};
}

QSize HeatMap::minimumSizeHint() const {
    const QFontMetrics metrics(caption_font());
    return {metrics.averageCharWidth() * 36, metrics.height() * 12};
}

void HeatMap::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const Theme& theme = current_theme();
    painter.fillRect(rect(), theme.surface);
    if (picture_.empty()) {
        paint_empty_plot(painter, rect(), empty_text_, theme);
        return;
    }
    paint_heat(painter, picture_, laid_out(), theme, {selected_, hasFocus() ? here_ : std::nullopt, lit_});
    if (hasFocus())
        paint_plot_focus(painter, rect(), theme);
}

bool HeatMap::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && !picture_.empty()) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        const auto cell = heat_cell_at(picture_, laid_out(), help->pos());
        QToolTip::showText(help->globalPos(), cell ? tooltip_of(*cell) : QString(), this);
        return true;
    }
    return QWidget::event(event);
}

void HeatMap::mouseMoveEvent(QMouseEvent* event) {
    lit_ = heat_cell_at(picture_, laid_out(), event->position());
    setCursor(lit_ ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void HeatMap::mousePressEvent(QMouseEvent* event) {
    const auto cell = heat_cell_at(picture_, laid_out(), event->position());
    if (event->button() == Qt::LeftButton && cell)
        go(*cell);
    else
        event->ignore();
}

void HeatMap::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    lit_.reset();
    update();
}

/// Screen readers say the cell that the keys have reached.
void HeatMap::go(const HeatCell& cell) {
    here_ = cell;
    setAccessibleDescription(QStringLiteral("%1: %2; %3: %4; %5: %6")
                                 .arg(picture_.y_title, picture_.rows[cell.row].name, picture_.x_title,
                                      picture_.columns[cell.column].name, picture_.value_title,
                                      picture_.text_of(cell)));
    update();
    const QString row = picture_.rows[cell.row].key; // the receiver may change the picture
    const QString column = picture_.columns[cell.column].key;
    Q_EMIT went(row, column);
}

void HeatMap::step(int columns, int rows) {
    if (picture_.empty())
        return;
    const auto moved = [](std::size_t at, int by, std::size_t count) {
        return static_cast<std::size_t>(
            std::clamp(static_cast<int>(at) + by, 0, static_cast<int>(count) - 1));
    };
    if (!here_) // the first key only shows where the keys are
        return go({0, 0});
    go({moved(here_->column, columns, picture_.columns.size()),
        moved(here_->row, rows, picture_.rows.size())});
}

void HeatMap::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return step(-1, 0);
    case Qt::Key_Right:
        return step(1, 0);
    case Qt::Key_Up:
        return step(0, -1);
    case Qt::Key_Down:
        return step(0, 1);
    default:
        QWidget::keyPressEvent(event);
    }
}

void HeatMap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        updateGeometry();
    update();
}

} // namespace sparsight

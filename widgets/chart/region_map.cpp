#include "widgets/chart/region_map.h"

#include "widgets/chart/plot_ground.h"
#include "widgets/chart/plot_menu_button.h"
#include "widgets/look/theme.h"
#include "widgets/schedule/picture_export.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace sparsight {

RegionMap::RegionMap(QWidget* parent)
    : QWidget(parent)
    , tools_(new PlotMenuButton(*this, tr("Copy, export"), tr("Menu of the map"), {},
                                [this] { return exported(); })) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Who wins"));
    tools_->set_offered(false);
    connect(tools_, &PlotMenuButton::exported_to, this, &RegionMap::exported_to);
    connect(tools_, &PlotMenuButton::export_failed, this, &RegionMap::export_failed);
}

void RegionMap::set_picture(RegionPicture picture) {
    picture_ = std::move(picture);
    lit_.reset();
    is_stale_ = false;
    QStringList said;
    const std::vector<double> shares = owner_shares(picture_);
    for (std::size_t owner = 0; owner < picture_.owners.size(); ++owner)
        said
            << QStringLiteral("%1 %2 %").arg(picture_.owners[owner].name).arg(100 * shares[owner], 0, 'f', 1);
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    tools_->set_offered(!picture_.empty());
    update();
}

void RegionMap::set_here(const std::optional<QPointF>& here) {
    picture_.here = here;
    update();
}

void RegionMap::set_selected(const QString& key) {
    selected_ = key;
    update();
}

void RegionMap::set_empty_text(const QString& text) {
    empty_text_ = text;
    update();
}

void RegionMap::set_stale(bool stale) {
    is_stale_ = stale;
    update();
}

RegionScene RegionMap::scene() const {
    return region_scene(picture_, size(), tools_->room());
}

QPointF RegionMap::place_of(const RegionCell& cell) const {
    return scene().cell(cell).center();
}

QPointF RegionMap::place_of_owner(std::size_t owner) const {
    return scene().owner_row(owner).center();
}

QString RegionMap::tooltip_of(const RegionCell& cell) const {
    const NumberStyle style = current_number_style();
    const RegionOwner& owner = picture_.owners[picture_.owner(cell.column, cell.row)];
    QStringList lines{QStringLiteral("<b>%1</b>").arg(owner.name.toHtmlEscaped())};
    const auto named = [&](const ChartAxis& axis, double value) {
        const QString unit = axis.unit.isEmpty() ? QString() : u' ' + axis.unit;
        return QStringLiteral("%1: %2%3").arg(axis.title, value_text(value, axis.format, style), unit);
    };
    lines << named(picture_.x, picture_.x_values[cell.column])
          << named(picture_.y, picture_.y_values[cell.row]);
    if (!picture_.notes.empty())
        lines << picture_.notes[cell.row * picture_.x_values.size() + cell.column];
    return lines.join(QStringLiteral("<br>"));
}

ExportedPicture RegionMap::exported() const {
    RegionPicture picture = picture_;
    if (picture.title.isEmpty())
        picture.title = accessibleName();
    const QSizeF size(std::max(640, width()), std::max(400, height()));
    return {size,
            [picture, size](QPainter& painter) {
                painter.fillRect(QRectF({0, 0}, size), light_theme().surface);
                paint_regions(painter, region_scene(picture, size, {}), light_theme(), {});
            },
            region_csv(picture_), QString(picture.title).replace(u'/', u'-')};
}

QSize RegionMap::sizeHint() const {
    return {560, 320};
}

QSize RegionMap::minimumSizeHint() const {
    const QFontMetrics metrics(caption_font());
    return {metrics.averageCharWidth() * 30, metrics.height() * 11};
}

void RegionMap::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const Theme& theme = current_theme();
    painter.fillRect(rect(), theme.surface);
    if (picture_.empty()) {
        paint_empty_plot(painter, rect(), empty_text_, theme);
        return;
    }
    painter.setOpacity(is_stale_ ? 0.45 : 1);
    paint_regions(painter, scene(), theme, {selected_, lit_});
    painter.setOpacity(1);
    if (hasFocus())
        paint_plot_focus(painter, rect(), theme);
}

bool RegionMap::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && !picture_.empty()) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        const auto cell = cell_at(scene(), help->pos());
        QToolTip::showText(help->globalPos(), cell ? tooltip_of(*cell) : QString(), this);
        return true;
    }
    return QWidget::event(event);
}

void RegionMap::mouseMoveEvent(QMouseEvent* event) {
    if (picture_.empty())
        return;
    const RegionScene shown = scene();
    lit_ = cell_at(shown, event->position());
    setCursor(lit_ || owner_at(shown, event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (lit_ && event->buttons().testFlag(Qt::LeftButton))
        go(*lit_);
    update();
}

void RegionMap::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || picture_.empty()) {
        event->ignore();
        return;
    }
    const RegionScene shown = scene();
    if (const auto cell = cell_at(shown, event->position())) {
        go(*cell);
    } else if (const auto owner = owner_at(shown, event->position())) {
        const QString key = picture_.owners[*owner].key; // the slot may change the picture
        Q_EMIT picked(key);
    }
}

void RegionMap::go(const RegionCell& cell) {
    const QPointF here(picture_.x_values[cell.column], picture_.y_values[cell.row]);
    set_here(here);
    Q_EMIT went(here.x(), here.y());
}

void RegionMap::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    lit_.reset();
    update();
}

void RegionMap::step(int columns, int rows) {
    if (picture_.empty())
        return;
    const RegionScene shown = scene();
    const QPointF here =
        picture_.here.value_or(QPointF(picture_.x_values.front(), picture_.y_values.front()));
    const auto moved = [](std::size_t at, int by, std::size_t count) {
        return static_cast<std::size_t>(
            std::clamp(static_cast<int>(at) + by, 0, static_cast<int>(count) - 1));
    };
    go({moved(cell_of(shown.x_edges, here.x()), columns, picture_.x_values.size()),
        moved(cell_of(shown.y_edges, here.y()), rows, picture_.y_values.size())});
}

void RegionMap::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return step(-1, 0);
    case Qt::Key_Right:
        return step(1, 0);
    case Qt::Key_Up:
        return step(0, 1);
    case Qt::Key_Down:
        return step(0, -1);
    default:
        QWidget::keyPressEvent(event);
    }
}

void RegionMap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        updateGeometry();
    update();
}

} // namespace sparsight

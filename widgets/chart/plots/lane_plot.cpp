#include "widgets/chart/plots/lane_plot.h"

#include "widgets/chart/plot_menu.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>

namespace sparsight {

LanePlot::LanePlot(QWidget* parent)
    : QWidget(parent)
    , tools_(new PlotMenuButton(
          *this, tr("Copy, export"), tr("Menu of the timeline"), [this](QMenu& menu) { fill_menu(menu); },
          [this] { return exported(); }))
    , axis_({.shown = [this] { return scale_; },
             .whole = [this] { return whole_scale(picture_); },
             .area = [this] { return laid_out().area; },
             .is_zoomed = [this] { return is_zoomed(); },
             .show = [this](const ChartScale& scale) { set_scale(scale); },
             .show_all = [this] { reset_zoom(); },
             .wheel_alone = true}) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Timeline"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    tools_->set_offered(false);
}

void LanePlot::set_picture(LanePicture picture) {
    picture_ = std::move(picture);
    scale_ = whole_scale(picture_);
    lit_.reset();
    axis_.let_go();
    QStringList said;
    for (const LaneGroup& group : picture_.groups)
        said << group.name;
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    tools_->set_offered(!picture_.empty());
    update();
}

void LanePlot::set_empty_text(const QString& text) {
    empty_text_ = text;
    update();
}

LaneLayout LanePlot::laid_out() const {
    return lay_out_lanes(picture_, size(), tools_->room(), scale_);
}

QPointF LanePlot::place_of(std::size_t group, std::size_t lane, double time) const {
    const LaneLayout layout = laid_out();
    return {layout.pixel(time), layout.lane(group, lane).center().y()};
}

QString LanePlot::tooltip_of(const LaneHit& hit) const {
    const LaneGroup& group = picture_.groups[hit.group];
    QStringList lines{QStringLiteral("<b>%1 %2</b>")
                          .arg(picture_.lane_title, count_text(static_cast<qint64>(hit.lane) + 1))};
    if (hit.bar) {
        const LaneBar& bar = group.bars[*hit.bar];
        lines << bar.note.toHtmlEscaped()
              << tr("%1, from %2 to %3")
                     .arg(duration_text(bar.end - bar.begin), duration_text(bar.begin),
                          duration_text(bar.end));
    } else if (hit.time < group.opening) {
        lines << group.opening_note.toHtmlEscaped();
    } else {
        lines << (hit.time <= group.total ? tr("Idle") : tr("Run is over"));
    }
    return lines.join(QStringLiteral("<br>"));
}

ExportedPicture LanePlot::exported() const {
    const QSizeF size(std::max(640, width()), std::max(240, height()));
    return {size,
            [picture = picture_, scale = scale_, size](QPainter& painter) {
                painter.fillRect(QRectF({0, 0}, size), light_theme().surface);
                paint_lanes(painter, picture, lay_out_lanes(picture, size, {}, scale), light_theme(), {});
            },
            picture_.csv,
            QString(picture_.title.isEmpty() ? accessibleName() : picture_.title).replace(u'/', u'-')};
}

QSize LanePlot::sizeHint() const {
    return {560, 320};
}

QSize LanePlot::minimumSizeHint() const {
    const QFontMetrics metrics(caption_font());
    return {metrics.averageCharWidth() * 30, metrics.height() * 10};
}

void LanePlot::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const Theme& theme = current_theme();
    painter.fillRect(rect(), theme.surface);
    if (picture_.empty()) {
        paint_empty_plot(painter, rect(), empty_text_, theme);
        return;
    }
    paint_lanes(painter, picture_, laid_out(), theme, lit_);
    if (hasFocus())
        paint_plot_focus(painter, rect(), theme);
}

void LanePlot::light(const std::optional<LaneHit>& hit) {
    const bool is_same = hit && lit_ && hit->group == lit_->group && hit->bar == lit_->bar;
    lit_ = hit;
    if (!is_same)
        update();
}

bool LanePlot::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && !picture_.empty()) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        const auto hit = lane_at(picture_, laid_out(), help->pos());
        QToolTip::showText(help->globalPos(), hit ? tooltip_of(*hit) : QString(), this);
        return true;
    }
    if (event->type() == QEvent::Leave)
        light(std::nullopt);
    return QWidget::event(event);
}

void LanePlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || picture_.empty())
        return event->ignore();
    axis_.press(event->position());
}

void LanePlot::mouseMoveEvent(QMouseEvent* event) {
    if (axis_.is_pressed())
        axis_.drag(event->position());
    else
        light(lane_at(picture_, laid_out(), event->position()));
}

void LanePlot::mouseReleaseEvent(QMouseEvent* /*event*/) {
    axis_.release();
}

void LanePlot::mouseDoubleClickEvent(QMouseEvent* event) {
    axis_.double_click(*event);
}

void LanePlot::wheelEvent(QWheelEvent* event) {
    if (picture_.empty() || !axis_.turn(*event))
        event->ignore();
}

void LanePlot::reset_zoom() {
    set_scale(whole_scale(picture_));
}

void LanePlot::set_scale(const ChartScale& scale) {
    scale_ = scale;
    update();
}

void LanePlot::keyPressEvent(QKeyEvent* event) {
    if (picture_.empty() || !axis_.press_key(event->key()))
        QWidget::keyPressEvent(event);
}

void LanePlot::fill_menu(QMenu& menu) {
    QAction* const all = menu.addAction(tr("Show &all"));
    all->setEnabled(is_zoomed());
    connect(all, &QAction::triggered, this, &LanePlot::reset_zoom);
}

void LanePlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        updateGeometry();
    update();
}

} // namespace sparsight

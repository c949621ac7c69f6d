#include "widgets/chart/plots/stacked_bars.h"

#include "widgets/chart/plot_menu.h"
#include "widgets/chart/plot_parts.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QEasingCurve>
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>
#include <QToolTip>
#include <algorithm>

namespace sparsight {

namespace {

constexpr int longest_motion_ms = 220;

} // namespace

StackedBars::StackedBars(QWidget* parent)
    : QAbstractScrollArea(parent)
    , tools_(new PlotMenuButton(
          *this, tr("Zoom, copy, export"), tr("Menu of the ranking"),
          [this](QMenu& menu) { fill_menu(menu); }, [this] { return exported(); }))
    , axis_({.shown = [this] { return axis(); },
             .whole = [this] { return reach_of(picture_); },
             .area = [this] { return laid_out().area(); },
             .is_zoomed = [this] { return is_zoomed(); },
             .show = [this](const ChartScale& scale) { set_axis(scale); },
             .show_all = [this] { reset_zoom(); },
             .kept_by_keys = 0}) { // bars begin at 0: what is there stays there
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Ranking"));
    motion_.setStartValue(0.0);
    motion_.setEndValue(1.0);
    motion_.setEasingCurve(QEasingCurve::OutCubic);
    connect(&motion_, &QVariantAnimation::valueChanged, this, [this](const QVariant& share) {
        shown_ = between(from_, target_, share.toDouble());
        viewport()->update();
    });
    tools_->set_offered(false);
}

void StackedBars::set_picture(StackedPicture picture, bool at_once) {
    const int duration =
        std::min(longest_motion_ms, style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this));
    const bool was_empty = picture_.bars.empty();
    picture_ = std::move(picture);
    from_ = shown_;
    target_ = pose_of(picture_);
    if (zoom_ && zoom_->low < reach_of(picture_).high) { // a slider moves the bars under a zoom that stays
        target_.start = zoom_->low;
        target_.limit = zoom_->high;
    } else {
        zoom_.reset();
    }
    motion_.stop();
    if (at_once || was_empty || duration <= 0 || !isVisible()) {
        shown_ = target_;
    } else {
        motion_.setDuration(duration);
        shown_ = between(from_, target_, 0);
        motion_.start();
    }
    lit_.reset();
    describe();
    fit_scroll_bar();
    tools_->set_offered(!picture_.bars.empty());
    viewport()->update();
}

void StackedBars::describe() {
    QStringList said;
    for (const StackedBar& bar : picture_.bars)
        said << QStringLiteral("%1 %2").arg(
            bar.label, value_text(bar.total(), picture_.axis.format, current_number_style()));
    setAccessibleDescription(said.join(QStringLiteral("; ")));
}

void StackedBars::set_selected(const QString& key) {
    selected_ = key;
    viewport()->update();
}

void StackedBars::set_empty_text(const QString& text) {
    empty_text_ = text;
    viewport()->update();
}

StackedLayout StackedBars::laid_out() const {
    StackedLayout layout = lay_out_stacked(picture_, viewport()->size(), tools_->room(), 0);
    layout.scrolled = std::round(verticalScrollBar()->value() / layout.row_height) * layout.row_height;
    return layout;
}

QPointF StackedBars::place_of(std::size_t bar) const {
    const StackedLayout layout = laid_out();
    const QRectF row = layout.row(static_cast<double>(bar));
    return {layout.area().left() + 2, row.center().y()};
}

QString StackedBars::tooltip_of(StackedPlace place) const {
    const StackedBar& bar = picture_.bars[place.bar];
    const NumberStyle style = current_number_style();
    const double total = bar.total();
    QStringList lines{QStringLiteral("<b>%1</b>  %2")
                          .arg(bar.label.toHtmlEscaped(), value_text(total, picture_.axis.format, style))};
    if (place.term) {
        const StackedTerm& term = picture_.terms[*place.term];
        lines << tr("%1: %2, %3 of it")
                     .arg(term.name, value_text(bar.parts[*place.term], picture_.axis.format, style),
                          share_text(bar.parts[*place.term] / total));
        lines << term.meaning.toHtmlEscaped();
    }
    if (bar.marker)
        lines << tr("%1: %2").arg(picture_.marker_name, value_text(*bar.marker, picture_.axis.format, style));
    if (bar.low && bar.high)
        lines << tr("95 % interval: %1 to %2")
                     .arg(value_text(*bar.low, picture_.axis.format, style),
                          value_text(*bar.high, picture_.axis.format, style));
    if (!bar.note.isEmpty())
        lines << bar.note.toHtmlEscaped();
    return lines.join(QStringLiteral("<br>"));
}

ExportedPicture StackedBars::exported() const {
    StackedPicture picture = picture_;
    if (picture.title.isEmpty())
        picture.title = accessibleName();
    const double width = std::max(640, viewport()->width());
    const QSizeF size(width, whole_height(picture, width, {}));
    return {size,
            [picture, size](QPainter& painter) {
                painter.fillRect(QRectF({0, 0}, size), light_theme().surface);
                paint_stacked(painter, picture, pose_of(picture), lay_out_stacked(picture, size, {}, 0),
                              light_theme(), {});
            },
            stacked_csv(picture_), QString(picture.title).replace(u'/', u'-')};
}

QSize StackedBars::sizeHint() const {
    return {560, 320};
}

QSize StackedBars::minimumSizeHint() const {
    const QFontMetrics metrics(caption_font());
    return {metrics.averageCharWidth() * 26, metrics.height() * 9};
}

void StackedBars::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(viewport());
    const Theme& theme = current_theme();
    painter.fillRect(viewport()->rect(), theme.surface);
    if (picture_.bars.empty()) {
        paint_empty_plot(painter, viewport()->rect(), empty_text_, theme);
        return;
    }
    paint_stacked(painter, picture_, shown_, laid_out(), theme, {selected_, lit_});
    if (hasFocus())
        paint_plot_focus(painter, viewport()->rect(), theme);
}

void StackedBars::light(const std::optional<StackedPlace>& place) {
    if (place == lit_)
        return;
    lit_ = place;
    viewport()->setCursor(lit_ ? Qt::PointingHandCursor : Qt::ArrowCursor);
    viewport()->update();
}

bool StackedBars::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip && !picture_.bars.empty()) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        const auto place = place_at(picture_, shown_, laid_out(), help->pos());
        QToolTip::showText(help->globalPos(), place ? tooltip_of(*place) : QString(), viewport());
        return true;
    }
    if (event->type() == QEvent::Leave)
        light(std::nullopt);
    return QAbstractScrollArea::viewportEvent(event);
}

void StackedBars::mouseMoveEvent(QMouseEvent* event) {
    if (axis_.is_pressed())
        axis_.drag(event->position());
    else
        light(place_at(picture_, shown_, laid_out(), event->position()));
}

void StackedBars::mouseReleaseEvent(QMouseEvent* /*event*/) {
    axis_.release();
}

void StackedBars::mouseDoubleClickEvent(QMouseEvent* event) {
    axis_.double_click(*event);
}

void StackedBars::wheelEvent(QWheelEvent* event) {
    if (picture_.bars.empty() || !axis_.turn(*event))
        QAbstractScrollArea::wheelEvent(event); // the rows scroll
}

void StackedBars::reset_zoom() {
    const StackedPose whole = pose_of(picture_);
    set_axis({false, whole.start, whole.limit});
    zoom_.reset();
}

void StackedBars::set_axis(const ChartScale& scale) {
    if (picture_.bars.empty())
        return;
    motion_.stop();
    zoom_ = scale;
    target_.start = scale.low;
    target_.limit = scale.high;
    shown_ = target_;
    viewport()->update();
}

void StackedBars::mousePressEvent(QMouseEvent* event) {
    const auto place = place_at(picture_, target_, laid_out(), event->position());
    if (event->button() == Qt::LeftButton)
        axis_.press(event->position());
    if (event->button() == Qt::LeftButton && place)
        pick(place->bar);
    else
        event->ignore();
}

void StackedBars::pick(std::size_t bar) {
    const QString key = picture_.bars[bar].key; // the slot may change the picture
    const QRectF row = laid_out().row(static_cast<double>(bar));
    const QRectF rows = laid_out().rows;
    if (row.top() < rows.top())
        verticalScrollBar()->setValue(verticalScrollBar()->value() -
                                      static_cast<int>(std::ceil(rows.top() - row.top())));
    else if (row.bottom() > rows.bottom())
        verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                      static_cast<int>(std::ceil(row.bottom() - rows.bottom())));
    set_selected(key);
    Q_EMIT picked(key);
}

void StackedBars::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(picture_.bars.size()) - 1;
    const auto found = std::ranges::find(picture_.bars, selected_, &StackedBar::key);
    const int now = found == picture_.bars.end() ? -1 : static_cast<int>(found - picture_.bars.begin());
    const auto go = [&](int bar) {
        if (last >= 0)
            pick(static_cast<std::size_t>(std::clamp(bar, 0, last)));
    };
    switch (event->key()) {
    case Qt::Key_Down:
        return go(now + 1);
    case Qt::Key_Up:
        return go(now - 1);
    case Qt::Key_Home:
        return go(0);
    case Qt::Key_End:
        return go(last);
    default:
        if (!axis_.press_key(event->key()))
            QAbstractScrollArea::keyPressEvent(event);
    }
}

void StackedBars::fit_scroll_bar() {
    const StackedLayout layout = laid_out();
    const double all = layout.row_height * static_cast<double>(picture_.bars.size());
    verticalScrollBar()->setPageStep(static_cast<int>(layout.rows.height()));
    verticalScrollBar()->setSingleStep(static_cast<int>(layout.row_height));
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(all - layout.rows.height()))));
    tools_->set_beside(verticalScrollBar()->isVisible() ? verticalScrollBar()->width() : 0);
}

void StackedBars::fill_menu(QMenu& menu) {
    QAction* const all = menu.addAction(tr("Show &all"));
    all->setEnabled(is_zoomed());
    connect(all, &QAction::triggered, this, &StackedBars::reset_zoom);
}

void StackedBars::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    fit_scroll_bar();
}

void StackedBars::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange) {
        fit_scroll_bar();
        updateGeometry();
    }
    viewport()->update();
}

} // namespace sparsight

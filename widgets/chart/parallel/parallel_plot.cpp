#include "widgets/chart/parallel/parallel_plot.h"

#include "widgets/chart/plot_menu.h"
#include "widgets/chart/plot_parts.h"
#include "widgets/look/theme.h"

#include <QFontMetrics>
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QSemaphore>
#include <QThreadPool>
#include <QToolTip>
#include <QtConcurrent>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace sparsight {

namespace {

constexpr double least_brush_drag = 4;  ///< pixels
constexpr double steps_of_measure = 40; ///< of the keys, over the whole axis

bool have_same_axes(const ParallelPicture& one, const ParallelPicture& other) {
    return std::ranges::equal(one.axes, other.axes, [](const ParallelAxis& a, const ParallelAxis& b) {
        return a.title == b.title && a.values == b.values;
    });
}

} // namespace

ParallelPlot::ParallelPlot(QWidget* parent)
    : QWidget(parent)
    , tools_(new PlotMenuButton(
          *this, tr("Clear brushes, copy, export"), tr("Menu of the plot"),
          [this](QMenu& menu) { fill_menu(menu); }, [this] { return exported(); })) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Parallel coordinates"));
    tools_->set_offered(false);
}

void ParallelPlot::set_picture(ParallelPicture picture) {
    const QString selected = this->selected();
    if (!have_same_axes(picture, picture_) || brushes_.size() != picture.axis_count())
        brushes_.assign(picture.axis_count(), std::nullopt);
    picture_ = std::move(picture);
    lines_.clear();
    lines_.reserve(static_cast<qsizetype>(picture_.lines.size()));
    for (std::size_t line = 0; line < picture_.lines.size(); ++line)
        lines_.insert(picture_.lines[line].key, line);
    lit_.reset();
    cursor_.reset();
    press_.reset();
    tools_->set_offered(!picture_.empty());
    set_selected(selected);
    brushes_are_others();
}

void ParallelPlot::set_selected(const QString& key) {
    const auto found = lines_.constFind(key);
    selected_ = found == lines_.cend() ? std::nullopt : std::optional(*found);
    update();
}

QString ParallelPlot::selected() const {
    return selected_ ? picture_.lines[*selected_].key : QString();
}

void ParallelPlot::set_empty_text(const QString& text) {
    empty_text_ = text;
    update();
}

void ParallelPlot::set_brush(std::size_t axis, const std::optional<ParallelBrush>& brush) {
    if (brushes_[axis] == brush)
        return;
    brushes_[axis] = brush;
    brushes_are_others();
}

void ParallelPlot::clear_brushes() {
    brushes_.assign(picture_.axis_count(), std::nullopt);
    brushes_are_others();
}

void ParallelPlot::brushes_are_others() {
    fitting_ = brushed_lines(picture_, brushes_);
    drawn_ = drawn_lines(picture_, fitting_);
    forget_lines();
    update();
    Q_EMIT brushes_changed();
}

ParallelLayout ParallelPlot::laid_out() const {
    return lay_out_parallel(picture_, size(), tools_->room());
}

ParallelLook ParallelPlot::look() const {
    return {brushes_, selected_, lit_, hasFocus() ? cursor_ : std::nullopt,
            parallel_caption(picture_, fitting_.size(), has_brush(brushes_))};
}

QPointF ParallelPlot::place_of(std::size_t axis, std::size_t line) const {
    const ParallelLayout layout = laid_out();
    return {layout.across[axis], layout.y_of_line(picture_, axis, line)};
}

QPointF ParallelPlot::place_of_value(std::size_t axis, std::size_t value) const {
    const ParallelLayout layout = laid_out();
    return {layout.across[axis], layout.y_of(picture_, axis, value)};
}

QPointF ParallelPlot::place_between(std::size_t axis, std::size_t line) const {
    return (place_of(axis, line) + place_of(axis + 1, line)) / 2;
}

QString ParallelPlot::tooltip_of_value(std::size_t axis, std::size_t value) const {
    std::size_t count = 0;
    std::optional<std::size_t> best;
    for (const std::size_t line : fitting_)
        if (picture_.place(line, axis) == value) {
            ++count;
            best = best ? best : line;
        }
    QStringList lines{
        QStringLiteral("%1: <b>%2</b>")
            .arg(picture_.axes[axis].title.toHtmlEscaped(),
                 picture_.axes[axis].values[value].toHtmlEscaped()),
        QStringLiteral("%1 %2").arg(count_text(static_cast<qint64>(count)), picture_.noun.toHtmlEscaped())};
    if (best)
        lines << tr("the fastest: %1")
                     .arg(value_text(picture_.lines[*best].measure, picture_.measure.format,
                                     current_number_style()));
    return lines.join(QStringLiteral("<br>"));
}

QString ParallelPlot::tooltip_at(const QPointF& place) const {
    if (picture_.empty())
        return {};
    const ParallelLayout layout = laid_out();
    if (const auto axis = layout.axis_at(place); axis && !picture_.is_measure(*axis))
        return tooltip_of_value(*axis, layout.place_at(picture_, *axis, place.y()));
    const auto line = parallel_line_at(picture_, layout, drawn_, place);
    if (!line)
        return {};
    const ParallelLine& shown = picture_.lines[*line];
    return QStringLiteral("<b>%1</b><br>%2: %3")
        .arg(shown.key.toHtmlEscaped(), picture_.measure.title.toHtmlEscaped(),
             value_text(shown.measure, picture_.measure.format, current_number_style()));
}

ExportedPicture ParallelPlot::exported() const {
    ParallelPicture picture = picture_;
    if (picture.title.isEmpty())
        picture.title = accessibleName();
    const QSizeF size(std::max(720, width()), std::max(420, height()));
    const auto paint = [picture, size, brushes = brushes_, fitting = fitting_,
                        selected = selected_](QPainter& painter) {
        const Theme& theme = light_theme();
        const ParallelLayout layout = lay_out_parallel(picture, size, {});
        const bool is_brushed = has_brush(brushes);
        painter.fillRect(QRectF({0, 0}, size), theme.surface);
        paint_parallel_lines(painter, picture, layout, fitting, is_brushed, /*is_draft=*/false, theme);
        paint_parallel_axes(painter, picture, layout,
                            {brushes, selected, std::nullopt, std::nullopt,
                             parallel_caption(picture, fitting.size(), is_brushed)},
                            theme);
    };
    return {size, paint, parallel_csv(picture_, fitting_), QString(picture.title).replace(u'/', u'-')};
}

QSize ParallelPlot::sizeHint() const {
    return {720, 360};
}

QSize ParallelPlot::minimumSizeHint() const {
    const QFontMetrics metrics(caption_font());
    return {metrics.averageCharWidth() * 40, metrics.height() * 14};
}

void ParallelPlot::fill_menu(QMenu& menu) {
    QAction* const clear = menu.addAction(tr("Clear &brushes"));
    clear->setEnabled(has_brush(brushes_));
    connect(clear, &QAction::triggered, this, &ParallelPlot::clear_brushes);
}

namespace {

/// Waits for it. Elsewhere Qt's painter parts each line among the threads of this pool, which takes many
/// times as long as to draw it.
void on_a_pooled_thread(const std::function<void()>& paint) {
    QSemaphore done;
    if (QThreadPool::globalInstance()->tryStart([&] {
            paint();
            done.release();
        }))
        done.acquire();
    else
        paint(); // all of them are busy
}

/// All that a picture of the lines depends on, so that another thread can draw it.
struct LinesToPaint {
    ParallelPicture picture;
    ParallelLayout layout;
    std::vector<std::size_t> fitting;
    bool is_brushed = false;
    bool is_draft = false;
    QSize size;
    double pixel_ratio = 1;
    Theme theme;

    [[nodiscard]] QImage painted() const {
        QImage lines((QSizeF(size) * pixel_ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
        lines.setDevicePixelRatio(pixel_ratio);
        lines.fill(theme.surface);
        QPainter painter(&lines);
        paint_parallel_lines(painter, picture, layout, fitting, is_brushed, is_draft, theme);
        return lines;
    }
};

constexpr std::size_t smooth_at_once = 500; ///< lines that are drawn within a frame

} // namespace

void ParallelPlot::forget_lines() {
    painted_ = {};
    is_draft_ = false;
    ++wanted_;
}

/// Of many lines a draft, while another thread draws them smoothly: the window answers meanwhile.
void ParallelPlot::paint_lines() {
    const bool is_draft = is_dragging() || drawn_.size() > smooth_at_once;
    const LinesToPaint lines{picture_,
                             laid_out(),
                             fitting_,
                             has_brush(brushes_),
                             is_draft,
                             size(),
                             is_draft ? 1 : devicePixelRatioF(),
                             current_theme()};
    QImage painted;
    on_a_pooled_thread([&] { painted = lines.painted(); });
    painted_ = QPixmap::fromImage(std::move(painted));
    is_draft_ = is_draft;
    if (is_draft && !is_dragging())
        ask_for_smooth_lines();
}

void ParallelPlot::ask_for_smooth_lines() {
    const LinesToPaint lines{picture_,
                             laid_out(),
                             fitting_,
                             has_brush(brushes_),
                             /*is_draft=*/false,
                             size(),
                             devicePixelRatioF(),
                             current_theme()};
    QtConcurrent::run([lines] {
        return lines.painted();
    }).then(this, [this, number = ++wanted_](const QImage& painted) {
        if (number != wanted_)
            return;
        painted_ = QPixmap::fromImage(painted);
        is_draft_ = false;
        update();
    });
}

void ParallelPlot::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const Theme& theme = current_theme();
    if (picture_.empty()) {
        painter.fillRect(rect(), theme.surface);
        paint_empty_plot(painter, rect(), empty_text_, theme);
        return;
    }
    const ParallelLayout layout = laid_out();
    if (painted_.isNull())
        paint_lines();
    painter.drawPixmap(0, 0, painted_);
    paint_parallel_axes(painter, picture_, layout, look(), theme);
    if (hasFocus())
        paint_plot_focus(painter, rect(), theme);
}

void ParallelPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    forget_lines();
}

void ParallelPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        updateGeometry();
    forget_lines();
    update();
}

bool ParallelPlot::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && !picture_.empty()) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), tooltip_at(help->pos()), this);
        return true;
    }
    if (event->type() == QEvent::Leave)
        light(std::nullopt);
    return QWidget::event(event);
}

void ParallelPlot::light(const std::optional<std::size_t>& line) {
    if (std::exchange(lit_, line) != line)
        update();
}

void ParallelPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || picture_.empty())
        return event->ignore();
    press_ = {event->position(), laid_out().axis_at(event->position()), false};
}

void ParallelPlot::mouseMoveEvent(QMouseEvent* event) {
    if (picture_.empty())
        return;
    if (press_) {
        press_->brushes |= std::abs(event->position().y() - press_->place.y()) >= least_brush_drag;
        if (press_->axis && press_->brushes)
            drag_brush(event->position());
        return;
    }
    const ParallelLayout layout = laid_out();
    const bool is_on_axis = layout.axis_at(event->position()).has_value();
    light(is_on_axis ? std::nullopt : parallel_line_at(picture_, layout, drawn_, event->position()));
    setCursor(is_on_axis ? Qt::SplitVCursor : lit_ ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void ParallelPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (is_dragging()) { // the draft will do no longer
        forget_lines();
        update();
    }
    const auto press = std::exchange(press_, std::nullopt);
    if (event->button() == Qt::LeftButton && press && !press->brushes)
        click(press->place);
}

void ParallelPlot::drag_brush(const QPointF& to) {
    const ParallelLayout layout = laid_out();
    const std::size_t axis = *press_->axis;
    const auto value_at = [&](double y) {
        return picture_.is_measure(axis) ? layout.measure_at(y)
                                         : static_cast<double>(layout.place_at(picture_, axis, y));
    };
    const auto [low, high] = std::minmax({value_at(press_->place.y()), value_at(to.y())});
    set_brush(axis, ParallelBrush{low, high});
}

/// On an axis a click brushes a value, or removes the brush; between the axes it picks a line.
void ParallelPlot::click(const QPointF& place) {
    const ParallelLayout layout = laid_out();
    const auto axis = layout.axis_at(place);
    if (axis && brushes_[*axis]) {
        set_brush(*axis, std::nullopt);
    } else if (axis && !picture_.is_measure(*axis)) {
        const auto value = static_cast<double>(layout.place_at(picture_, *axis, place.y()));
        set_brush(*axis, ParallelBrush{value, value});
    } else if (const auto line = parallel_line_at(picture_, layout, drawn_, place)) {
        pick(*line);
    }
}

void ParallelPlot::pick(std::size_t line) {
    const QString key = picture_.lines[line].key; // the receiver may change the picture
    selected_ = line;
    update();
    Q_EMIT picked(key);
}

/// Among those that the brushes leave.
void ParallelPlot::pick_next(int step) {
    if (fitting_.empty())
        return;
    const auto at = selected_ ? std::ranges::lower_bound(fitting_, *selected_) : fitting_.end();
    if (at == fitting_.end() || *at != *selected_) // it is not among them: begin with the best
        return pick(fitting_.front());
    const auto place = std::clamp<std::ptrdiff_t>(at - fitting_.begin() + step, 0,
                                                  static_cast<std::ptrdiff_t>(fitting_.size()) - 1);
    pick(fitting_[static_cast<std::size_t>(place)]);
}

void ParallelPlot::go_to_axis(int step) {
    if (picture_.empty())
        return;
    const auto last = static_cast<int>(picture_.axis_count()) - 1;
    const int axis = cursor_ ? std::clamp(static_cast<int>(cursor_->axis) + step, 0, last) : 0;
    cursor_ = ParallelCursor{static_cast<std::size_t>(axis), 0};
    if (const auto& brush = brushes_[cursor_->axis])
        cursor_->at = brush->low;
    else if (picture_.is_measure(cursor_->axis))
        cursor_->at = picture_.extent().first;
    anchor_ = cursor_->at;
    say_cursor();
}

void ParallelPlot::go_along_axis(int step, bool extends) {
    if (!cursor_)
        return go_to_axis(0);
    if (!extends)
        anchor_ = cursor_->at;
    if (picture_.is_measure(cursor_->axis)) {
        const ChartScale scale = laid_out().measure;
        const double moved = scale.drawn(cursor_->at) + step * (scale.high - scale.low) / steps_of_measure;
        cursor_->at = scale.value(std::clamp(moved, scale.low, scale.high));
    } else {
        const auto last = static_cast<double>(picture_.axes[cursor_->axis].values.size() - 1);
        cursor_->at = std::clamp(cursor_->at + step, 0.0, last);
    }
    if (extends)
        set_brush(cursor_->axis,
                  ParallelBrush{std::min(anchor_, cursor_->at), std::max(anchor_, cursor_->at)});
    say_cursor();
}

/// Of the measure all that is at most as large as where the keys are.
void ParallelPlot::brush_here() {
    if (!cursor_)
        go_to_axis(0);
    if (!cursor_) // the picture is empty
        return;
    anchor_ = cursor_->at;
    if (brushes_[cursor_->axis])
        set_brush(cursor_->axis, std::nullopt);
    else if (picture_.is_measure(cursor_->axis))
        set_brush(cursor_->axis, ParallelBrush{picture_.extent().first, cursor_->at});
    else
        set_brush(cursor_->axis, ParallelBrush{cursor_->at, cursor_->at});
    say_cursor();
}

/// Screen readers say what the keys have reached.
void ParallelPlot::say_cursor() {
    const std::size_t axis = cursor_->axis;
    const auto value = static_cast<std::size_t>(cursor_->at);
    const QString where =
        picture_.is_measure(axis)
            ? QStringLiteral("%1: %2").arg(
                  picture_.measure.title,
                  value_text(cursor_->at, picture_.measure.format, current_number_style()))
            : QStringLiteral("%1: %2").arg(picture_.axes[axis].title, picture_.axes[axis].values[value]);
    setAccessibleDescription(QStringLiteral("%1; %2").arg(
        where, parallel_caption(picture_, fitting_.size(), has_brush(brushes_))));
    update();
}

void ParallelPlot::keyPressEvent(QKeyEvent* event) {
    const bool extends = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
    case Qt::Key_Left:
        return go_to_axis(-1);
    case Qt::Key_Right:
        return go_to_axis(1);
    case Qt::Key_Up:
        return go_along_axis(1, extends);
    case Qt::Key_Down:
        return go_along_axis(-1, extends);
    case Qt::Key_Space:
        return brush_here();
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        if (cursor_)
            set_brush(cursor_->axis, std::nullopt);
        return;
    case Qt::Key_PageUp:
        return pick_next(-1);
    case Qt::Key_PageDown:
        return pick_next(1);
    case Qt::Key_Escape:
        if (has_brush(brushes_))
            return clear_brushes();
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

} // namespace sparsight

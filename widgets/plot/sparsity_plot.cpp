#include "widgets/plot/sparsity_plot.h"

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/plot/plot_view.h"

#include <QEvent>
#include <QResizeEvent>
#include <QToolButton>
#include <utility>

namespace sparsight {

namespace {

constexpr int frame_time = 33; // milliseconds between frames of the moving bar

} // namespace

SparsityPlot::SparsityPlot(QWidget* parent)
    : QWidget(parent)
    , hint_(tr("Choose a matrix in the table, or drop a matrix file here.")) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Sparsity plot"));
    setAccessibleDescription(
        tr("Where the entries of the matrix are. Plus and minus zoom, the arrow keys move, "
           "Home shows the whole matrix."));
    busy_timer_.setInterval(frame_time);
    connect(&busy_timer_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    make_actions();
    lay_out();
    update_actions();
}

SparsityPlot::~SparsityPlot() = default;

QSize SparsityPlot::sizeHint() const {
    const int line = fontMetrics().height();
    return {48 * line, 36 * line};
}

QSize SparsityPlot::minimumSizeHint() const {
    const int line = fontMetrics().height();
    return {12 * line, 12 * line};
}

void SparsityPlot::set_source(std::shared_ptr<const PatternSource> source) {
    source_ = std::move(source);
    ++source_number_;
    shown_request_ = asked_request_;
    worker_.clear();
    picture_.reset();
    backdrop_.reset();
    wanted_area_.reset();
    error_.clear();
    gesture_ = Gesture::None;
    end_hover();
    view_ = {};
    lay_out();
    if (source_) {
        const bool equal = PlotView::suits_equal_aspect(source_->rows(), source_->cols());
        view_ = PlotView(source_->rows(), source_->cols(), layout_.viewport.size(), equal);
    }
    update_actions();
    view_changed();
}

void SparsityPlot::set_title(const QString& title) {
    title_ = title;
}

void SparsityPlot::set_hint(const QString& hint, const QString& title) {
    hint_ = hint;
    hint_title_ = title;
    update();
}

void SparsityPlot::set_busy(const QString& text) {
    if (busy_.isEmpty() != text.isEmpty())
        busy_since_.start();
    busy_ = text;
    if (busy_.isEmpty())
        busy_timer_.stop();
    else
        busy_timer_.start();
    update();
}

void SparsityPlot::set_error(const QString& text) {
    error_ = text;
    if (!error_.isEmpty())
        end_hover();
    update_actions();
    update();
}

void SparsityPlot::set_tile_guides(std::int64_t rows, std::int64_t cols) {
    guides_ = {rows, cols};
    update();
}

void SparsityPlot::set_note(const QString& note) {
    note_ = note;
    update();
}

QString SparsityPlot::note() const {
    const auto are_hidden = [](std::int64_t step, double pixels) {
        return step > 0 && static_cast<double>(step) * pixels < legible_guides;
    };
    const bool rows = are_hidden(guides_.rows, view_.row_pixels());
    const bool cols = are_hidden(guides_.cols, view_.col_pixels());
    if (rows && cols)
        return tr("Tiles of %1 × %2: zoom in to see them")
            .arg(count_text(guides_.rows), count_text(guides_.cols));
    if (rows)
        return tr("Row blocks of %1: zoom in to see them").arg(count_text(guides_.rows));
    if (cols)
        return tr("Column blocks of %1: zoom in to see them").arg(count_text(guides_.cols));
    return note_;
}

void SparsityPlot::set_overlay(std::vector<PlotOverlayRect> overlay) {
    overlay_ = std::move(overlay);
    update();
}

PatternArea SparsityPlot::current_area() const {
    return view_.visible_area();
}

void SparsityPlot::show_area(const PatternArea& area) {
    if (!isVisible())
        wanted_area_ = area;
    view_.show(to_rect(area));
    view_changed();
}

void SparsityPlot::show_whole() {
    wanted_area_.reset();
    view_.show_whole();
    view_changed();
}

void SparsityPlot::zoom(double factor) {
    view_.zoom_at(QPointF(view_.size().width() / 2, view_.size().height() / 2), factor);
    view_changed();
}

void SparsityPlot::set_equal_aspect(bool equal_aspect) {
    view_.set_equal_aspect(equal_aspect);
    update_actions();
    view_changed();
}

void SparsityPlot::lay_out() {
    const std::int64_t rows = source_ ? source_->rows() : 1;
    const std::int64_t nnz = source_ ? source_->nnz() : 1;
    layout_ = lay_out_plot(size(), caption_font(), rows, nnz, current_number_style());
    view_.resize(layout_.viewport.size());
    place_buttons();
    if (wanted_area_)
        view_.show(to_rect(*wanted_area_));
}

/// At the upper right corner, from the right.
void SparsityPlot::place_buttons() {
    const QSize button = menu_button_->sizeHint();
    menu_button_->setGeometry(width() - button.width() - grid_step / 2, grid_step / 2, button.width(),
                              button.height());
    int right = menu_button_->x();
    for (QToolButton* const other : {stretch_button_, whole_button_}) {
        const QSize wanted = other->sizeHint();
        right -= other->isHidden() ? 0 : wanted.width() + grid_step / 2;
        other->setGeometry(right, grid_step / 2, wanted.width(), wanted.height());
    }
}

void SparsityPlot::view_changed() {
    const PatternArea area = current_area();
    if (area != announced_area_) {
        announced_area_ = area;
        Q_EMIT area_changed(area);
    }
    show_way_back();
    ask_for_picture();
    ask_for_readout();
    update();
}

void SparsityPlot::ask_for_readout() {
    const std::optional<PatternArea> area =
        cursor_ && shows_matrix() && gesture_ != Gesture::Pan ? pixel_area(view_, *cursor_) : std::nullopt;
    if (!area) {
        if (hovered_area_)
            end_hover();
        return;
    }
    if (area == hovered_area_)
        return;
    hovered_area_ = area;
    worker_.post(
        PlotWorker::Lane::Readout,
        [this, source = source_, area = *area, number = source_number_] {
            const PatternCounts counts = source->counts(area, 1, 1);
            qint64 sum = 0;
            for (const std::uint32_t count : counts.counts)
                sum += count;
            return [this, area, sum, number] {
                if (hovered_area_ != area || number != source_number_)
                    return;
                readout_ = readout_text(area, sum, current_number_style());
                update();
                Q_EMIT hovered(area.row_begin, area.col_begin, sum);
            };
        },
        failure_of_source());
}

void SparsityPlot::end_hover() {
    hovered_area_.reset();
    if (readout_.isEmpty())
        return;
    readout_.clear();
    update();
    Q_EMIT hover_ended();
}

bool SparsityPlot::event(QEvent* event) {
    if (event->type() == QEvent::NativeGesture) {
        auto* const gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture && shows_matrix()) {
            view_.zoom_at(in_viewport(gesture->position()), 1 + gesture->value());
            view_changed();
            return true;
        }
    }
    return QWidget::event(event);
}

void SparsityPlot::changeEvent(QEvent* event) {
    switch (event->type()) {
    case QEvent::PaletteChange: // another theme
        backdrop_.reset();
        ask_for_picture();
        ask_for_backdrop();
        update();
        break;
    case QEvent::FontChange:
    case QEvent::LanguageChange: // the number style may change, too
        lay_out();
        hovered_area_.reset();
        view_changed();
        break;
    default:
        break;
    }
    QWidget::changeEvent(event);
}

void SparsityPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    lay_out();
    view_changed();
}

void SparsityPlot::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    wanted_area_.reset();
}

namespace {

// logical pixels that a drag can uncover before the next picture arrives
constexpr double picture_margin = 96;
constexpr int busy_after_ms = 300; // milliseconds without a picture before the plot says that it is busy

} // namespace

void SparsityPlot::ask_for_picture() {
    if (!source_ || view_.empty())
        return;
    const quint64 number = ++asked_request_;
    asked_at_.start();
    asked_ = {view_, devicePixelRatioF(), picture_margin, plot_theme(current_theme()), PictureQuality::Quick};
    worker_.clear(PlotWorker::Lane::Fine);
    post_picture(PlotWorker::Lane::Quick, asked_, number);
    QTimer::singleShot(busy_after_ms, this, [this, number] {
        if (shown_request_ < number && shows_matrix())
            busy_timer_.start();
    });
}

bool SparsityPlot::is_of_nothing() const {
    return source_ != nullptr && (source_->rows() < 1 || source_->cols() < 1);
}

PlotWorker::Failure SparsityPlot::failure_of_source() {
    return [this, number = source_number_](const QString& problem) {
        if (number == source_number_)
            set_error(tr("The pattern can't be shown: %1").arg(problem));
    };
}

void SparsityPlot::post_picture(PlotWorker::Lane lane, const PictureRequest& request, quint64 number) {
    worker_.post(
        lane,
        [this, source = source_, request, number] {
            auto picture = std::make_shared<const PlotPicture>(render_picture(*source, request));
            return [this, picture, number] { take_picture(picture, number); };
        },
        failure_of_source());
}

/// A screen with another resolution, or another theme, needs another picture.
bool SparsityPlot::picture_fits_screen() const {
    return asked_.device_pixel_ratio == devicePixelRatioF() && asked_.theme == plot_theme(current_theme());
}

void SparsityPlot::ask_for_backdrop() {
    if (!source_ || view_.empty())
        return;
    const PictureRequest request{PlotView(view_.rows(), view_.cols(), QSizeF(512, 512), false), 1, 0,
                                 plot_theme(current_theme()), PictureQuality::Quick};
    worker_.post(
        PlotWorker::Lane::Backdrop,
        [this, source = source_, request, number = source_number_] {
            auto picture = std::make_shared<const PlotPicture>(render_picture(*source, request));
            return [this, picture, number, theme = request.theme] {
                if (number == source_number_ && theme == plot_theme(current_theme()))
                    backdrop_ = picture;
            };
        },
        failure_of_source());
}

void SparsityPlot::take_picture(std::shared_ptr<const PlotPicture> picture, quint64 number) {
    if (number <= shown_request_ || !source_) // belongs to an earlier matrix
        return;
    const bool first = picture_ == nullptr;
    picture_ = std::move(picture);
    update();
    if (number == asked_request_ && !picture_->is_fine) {
        PictureRequest request = asked_;
        request.quality = PictureQuality::Fine;
        post_picture(PlotWorker::Lane::Fine, request, number);
    } else {
        shown_request_ = number;
    }
    if (first)
        ask_for_backdrop();
    if (shown_request_ < asked_request_)
        return;
    if (busy_.isEmpty())
        busy_timer_.stop();
    Q_EMIT picture_shown();
}

} // namespace sparsight

// The pictures of the matrix that a sparsity plot asks for: a quick one, a fine one, a backdrop of all of it.
#include "widgets/look/theme.h"
#include "widgets/plot/sparsity_plot.h"

#include <utility>

namespace sparsight {

namespace {

constexpr double picture_margin = 96; // logical pixels that a drag can uncover before the next picture comes
constexpr int patience = 300; // milliseconds without a picture before the plot says that it is working

} // namespace

void SparsityPlot::ask_for_picture() {
    if (!source_ || view_.empty())
        return;
    const quint64 number = ++asked_request_;
    asked_at_.start();
    asked_ = {view_, devicePixelRatioF(), picture_margin, plot_theme(current_theme()), PictureQuality::Quick};
    worker_.clear(PlotWorker::Lane::Fine);
    post_picture(PlotWorker::Lane::Quick, asked_, number);
    QTimer::singleShot(patience, this, [this, number] {
        if (shown_request_ < number && shows_matrix())
            busy_timer_.start();
    });
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

/// A screen of another resolution and another theme need another picture.
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
    if (number <= shown_request_ || !source_) // about an earlier matrix
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

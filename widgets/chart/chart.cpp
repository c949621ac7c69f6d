#include "widgets/chart/chart.h"

#include "widgets/chart/chart_content.h"
#include "widgets/chart/chart_view.h"
#include "widgets/chart/plot_menu.h"
#include "widgets/look/glyph.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QBuffer>
#include <QClipboard>
#include <QCoreApplication>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QVBoxLayout>

namespace sparsight {

QImage chart_image(ChartView& view, double scale) {
    const QSize size = view.export_size();
    QImage image(size * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    view.paint(painter, size, light_theme());
    return image;
}

QByteArray chart_svg(ChartView& view) {
    const QSize size = view.export_size();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setTitle(view.content().title);
    QPainter painter(&generator);
    view.paint(painter, size, light_theme());
    painter.end();
    return bytes;
}

std::expected<void, QString> write_chart(ChartView& view, const QString& path) {
    QByteArray bytes;
    if (path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)) {
        bytes = chart_svg(view);
    } else if (path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive)) {
        bytes = chart_csv(view.content()).toUtf8();
    } else if (path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive)) {
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        chart_image(view).save(&buffer, "PNG");
    } else {
        return std::unexpected(
            QCoreApplication::translate("sparsight::Chart", "%1 does not end in .png, .svg or .csv.")
                .arg(path));
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return std::unexpected(QCoreApplication::translate("sparsight::Chart", "%1 could not be written: %2")
                                   .arg(path, file.errorString()));
    return {};
}

namespace {

template <class Series>
std::vector<ChartSeries> as_chart_series(std::vector<Series> series) {
    return {std::make_move_iterator(series.begin()), std::make_move_iterator(series.end())};
}

/// An axis for the same quantity as before keeps the scale that the user chose for it.
ChartAxis with_chosen_scale(ChartAxis axis, const ChartAxis& given, const ChartAxis& now) {
    if (axis.title == given.title && axis.unit == given.unit && axis.logarithmic == given.logarithmic)
        axis.logarithmic = now.logarithmic;
    return axis;
}

} // namespace

Chart::Chart(QWidget* parent)
    : QWidget(parent)
    , view_(new ChartView(this))
    , tools_(new PlotMenuButton(*this, tr("Zoom, scale, copy, export"), tr("Menu of the chart"),
                                [this](QMenu& menu) { fill_menu(menu); })) {
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(view_);
    setFocusProxy(view_);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);

    connect(view_, &ChartView::picked, this, &Chart::picked);
    set_empty_text(tr("Nothing to show yet."));
    setAccessibleName(tr("Chart"));
    const auto leave_room = [this] { view_->set_tools_size(tools_->room()); };
    connect(tools_, &PlotMenuButton::placed, this, leave_room);
    leave_room();
}

void Chart::set_title(const QString& title) {
    view_->set_title(title);
    setAccessibleName(title);
}

void Chart::set_x_axis(const ChartAxis& axis) {
    view_->set_axes(with_chosen_scale(axis, given_x_, view_->content().x), view_->content().y);
    given_x_ = axis;
}

void Chart::set_y_axis(const ChartAxis& axis) {
    view_->set_axes(view_->content().x, with_chosen_scale(axis, given_y_, view_->content().y));
    given_y_ = axis;
}

void Chart::set_series(std::vector<ChartSeries> series) {
    view_->set_series(std::move(series));
}

void Chart::set_bars(BarSeries bars) {
    std::vector<ChartSeries> series;
    series.emplace_back(std::move(bars));
    set_series(std::move(series));
}

void Chart::set_histogram(Histogram histogram) {
    std::vector<ChartSeries> series;
    series.emplace_back(std::move(histogram));
    set_series(std::move(series));
}

void Chart::set_lines(std::vector<LineSeries> lines) {
    set_series(as_chart_series(std::move(lines)));
}

void Chart::set_points(std::vector<ScatterSeries> points) {
    set_series(as_chart_series(std::move(points)));
}

void Chart::clear() {
    set_series({});
}

void Chart::set_reference(double y, const QString& label) {
    view_->set_reference(ReferenceLine{y, label});
}

void Chart::clear_reference() {
    view_->set_reference(std::nullopt);
}

void Chart::set_selected(const QVariant& key) {
    view_->set_selected(key);
}

QVariant Chart::selected() const {
    return view_->content().selected;
}

void Chart::set_empty_text(const QString& text) {
    view_->set_empty_text(text);
}

void Chart::set_series_shown(std::size_t series, bool shown) {
    view_->set_shown(series, shown);
}

void Chart::set_x_logarithmic(bool logarithmic) {
    ChartAxis axis = view_->content().x;
    axis.logarithmic = logarithmic;
    view_->set_axes(axis, view_->content().y);
}

void Chart::set_y_logarithmic(bool logarithmic) {
    ChartAxis axis = view_->content().y;
    axis.logarithmic = logarithmic;
    view_->set_axes(view_->content().x, axis);
}

void Chart::reset_zoom() {
    view_->reset_zoom();
}

bool Chart::is_zoomed() const {
    return view_->is_zoomed();
}

void Chart::copy_image() {
    QGuiApplication::clipboard()->setImage(chart_image(*view_));
}

std::expected<void, QString> Chart::write(const QString& path) {
    return write_chart(*view_, path);
}

QString Chart::csv() const {
    return chart_csv(view_->content());
}

void Chart::export_file() {
    auto* const dialog = new QFileDialog(this, tr("Export the chart"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    const QStringList filters{tr("Picture (*.png)"), tr("Drawing (*.svg)"), tr("Its values (*.csv)")};
    const QStringList endings{QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("csv")};
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(endings.front());
    const QString& title = view_->content().title;
    dialog->selectFile((title.isEmpty() ? tr("chart") : QString(title).replace(u'/', u'-')) +
                       QStringLiteral(".png"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, filters, endings](const QString& filter) {
        dialog->setDefaultSuffix(endings.value(filters.indexOf(filter), endings.front()));
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        if (const auto written = write(path); written)
            Q_EMIT exported_to(path);
        else
            Q_EMIT export_failed(written.error());
    });
    dialog->open();
}

void Chart::fill_menu(QMenu& menu) {
    const ChartContent& content = view_->content();
    QAction* const reset =
        menu.addAction(glyph_icon(Glyph::ZoomFit), tr("&Reset zoom"), this, &Chart::reset_zoom);
    reset->setEnabled(is_zoomed());
    const auto add_scale = [&menu, this](const QString& text, bool checked, void (Chart::*change)(bool)) {
        QAction* const action = menu.addAction(text);
        action->setCheckable(true);
        action->setChecked(checked);
        connect(action, &QAction::toggled, this, change);
    };
    if (!content.has_bars())
        add_scale(tr("Logarithmic &x axis"), content.x.logarithmic, &Chart::set_x_logarithmic);
    add_scale(tr("Logarithmic &y axis"), content.y.logarithmic, &Chart::set_y_logarithmic);
    if (content.series.size() > 1) {
        QMenu* const series = menu.addMenu(tr("&Show"));
        for (std::size_t i = 0; i < content.series.size(); ++i) {
            QAction* const action = series->addAction(name_of(content.series[i]));
            action->setCheckable(true);
            action->setChecked(content.shown(i));
            connect(action, &QAction::toggled, this, [this, i](bool shown) { set_series_shown(i, shown); });
        }
    }
    menu.addSeparator();
    QAction* const copy =
        menu.addAction(glyph_icon(Glyph::Copy), tr("&Copy picture"), this, &Chart::copy_image);
    QAction* const save =
        menu.addAction(glyph_icon(Glyph::Export), tr("&Export PNG, SVG or CSV…"), this, &Chart::export_file);
    copy->setEnabled(!content.empty());
    save->setEnabled(!content.empty());
}

void Chart::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), current_theme().surface);
}

} // namespace sparsight

#include "widgets/chart/plots/waterfall_chart.h"

#include "widgets/chart/plot_menu.h"
#include "widgets/chart/plot_parts.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr double exported_width = 760;

} // namespace

WaterfallChart::WaterfallChart(QWidget* parent)
    : QWidget(parent)
    , tools_(new PlotMenuButton(
          *this, tr("Copy, export"), tr("Menu of the waterfall"), [this](QMenu& menu) { fill_menu(menu); },
          [this] { return exported(); }))
    , axis_({.shown = [this] { return scale_; },
             .whole = [this] { return whole_scale(picture_); },
             .area = [this] { return laid_out().area(); },
             .is_zoomed = [this] { return is_zoomed(); },
             .show = [this](const ChartScale& scale) { set_scale(scale); },
             .show_all = [this] { reset_zoom(); }}) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Decisions and what they cost"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    tools_->set_offered(false);
}

void WaterfallChart::set_picture(WaterfallPicture picture) {
    picture_ = std::move(picture);
    scale_ = whole_scale(picture_);
    lit_.reset();
    axis_.let_go();
    describe();
    tools_->set_offered(!picture_.empty());
    updateGeometry();
    update();
}

void WaterfallChart::describe() {
    QStringList said;
    for (std::size_t row = 0; row < picture_.rows(); ++row) {
        const bool is_step = row > 0 && row <= picture_.steps.size();
        const QString label = is_step    ? picture_.steps[row - 1].label
                              : row == 0 ? picture_.from.label
                                         : picture_.to.label;
        said << QStringLiteral("%1 %2").arg(label, amount_text(picture_, row));
    }
    setAccessibleDescription(said.join(QStringLiteral("; ")));
}

void WaterfallChart::set_selected(const QString& key) {
    selected_ = key;
    update();
}

void WaterfallChart::set_empty_text(const QString& text) {
    empty_text_ = text;
    update();
}

WaterfallLayout WaterfallChart::laid_out() const {
    return lay_out_waterfall(picture_, size(), tools_->room(), scale_);
}

QPointF WaterfallChart::place_of(std::size_t row) const {
    const QRectF place = laid_out().row(row);
    return {place.left() + 12, place.center().y()};
}

QString WaterfallChart::tooltip_of(std::size_t row) const {
    const auto title = [&](const QString& label) {
        return QStringLiteral("<b>%1</b>  %2").arg(label.toHtmlEscaped(), amount_text(picture_, row));
    };
    if (row == 0 || row > picture_.steps.size()) {
        const WaterfallEnd& end = row == 0 ? picture_.from : picture_.to;
        QStringList lines{title(end.label)};
        if (end.spread > 0)
            lines << tr("Measured again, it may be off by ±%1 %2.")
                         .arg(significant(end.spread, 2), picture_.axis.unit);
        if (end.is_at_least)
            lines << tr("It was stopped after that long: it takes longer.");
        return lines.join(QStringLiteral("<br>"));
    }
    const WaterfallBar& step = picture_.steps[row - 1];
    QStringList lines{title(step.label)};
    if (!step.change.isEmpty())
        lines << step.change.toHtmlEscaped();
    if (!picture_.axis.logarithmic) // the uncertainty is that of the amount
        lines << (std::isfinite(step.uncertainty)
                      ? tr("± %1 %2").arg(significant(step.uncertainty, 2), picture_.axis.unit)
                      : tr("How far off it may be is not known."));
    if (!step.is_significant)
        lines << tr("This may be noise.");
    if (!step.note.isEmpty())
        lines << step.note.toHtmlEscaped();
    return lines.join(QStringLiteral("<br>"));
}

ExportedPicture WaterfallChart::exported() const {
    WaterfallPicture picture = picture_;
    if (picture.title.isEmpty())
        picture.title = accessibleName();
    const QSizeF size(std::max<double>(exported_width, width()), waterfall_height(picture));
    return {size,
            [picture, size](QPainter& painter) {
                painter.fillRect(QRectF({0, 0}, size), light_theme().surface);
                paint_waterfall(painter, picture, lay_out_waterfall(picture, size, {}, whole_scale(picture)),
                                light_theme(), {});
            },
            waterfall_csv(picture_), QString(picture.title).replace(u'/', u'-')};
}

QSize WaterfallChart::sizeHint() const {
    return {560, static_cast<int>(picture_.empty() ? 120 : waterfall_height(picture_))};
}

QSize WaterfallChart::minimumSizeHint() const {
    return {QFontMetrics(caption_font()).averageCharWidth() * 40, sizeHint().height()};
}

void WaterfallChart::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const Theme& theme = current_theme();
    painter.fillRect(rect(), theme.surface);
    if (picture_.empty()) {
        paint_empty_plot(painter, rect(), empty_text_, theme);
        return;
    }
    paint_waterfall(painter, picture_, laid_out(), theme, {selected_, lit_});
    if (hasFocus())
        paint_plot_focus(painter, rect(), theme);
}

void WaterfallChart::light(const std::optional<std::size_t>& row) {
    if (row == lit_)
        return;
    lit_ = row;
    setCursor(lit_ ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

bool WaterfallChart::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && !picture_.empty()) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        const auto row = row_at(picture_, laid_out(), help->pos());
        QToolTip::showText(help->globalPos(), row ? tooltip_of(*row) : QString(), this);
        return true;
    }
    if (event->type() == QEvent::Leave)
        light(std::nullopt);
    return QWidget::event(event);
}

void WaterfallChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || picture_.empty())
        return event->ignore();
    axis_.press(event->position());
}

void WaterfallChart::mouseMoveEvent(QMouseEvent* event) {
    if (axis_.is_pressed())
        axis_.drag(event->position());
    else
        light(row_at(picture_, laid_out(), event->position()));
}

void WaterfallChart::mouseReleaseEvent(QMouseEvent* event) {
    const auto pressed = axis_.release();
    if (event->button() != Qt::LeftButton || !pressed)
        return;
    const WaterfallLayout layout = laid_out();
    const auto row = row_at(picture_, layout, event->position());
    if (row && row == row_at(picture_, layout, *pressed))
        pick(*row);
}

void WaterfallChart::mouseDoubleClickEvent(QMouseEvent* event) {
    axis_.double_click(*event);
}

void WaterfallChart::wheelEvent(QWheelEvent* event) {
    if (picture_.empty() || !axis_.turn(*event))
        event->ignore(); // the page scrolls
}

void WaterfallChart::reset_zoom() {
    set_scale(whole_scale(picture_));
}

void WaterfallChart::set_scale(const ChartScale& scale) {
    scale_ = scale;
    update();
}

void WaterfallChart::pick(std::size_t row) {
    const QString key = picture_.key_of(row); // the slot may change the picture
    set_selected(key);
    Q_EMIT picked(key);
}

void WaterfallChart::keyPressEvent(QKeyEvent* event) {
    if (picture_.empty())
        return event->ignore();
    const int last = static_cast<int>(picture_.rows()) - 1;
    int now = -1;
    for (int row = 0; row <= last; ++row)
        if (picture_.key_of(static_cast<std::size_t>(row)) == selected_)
            now = row;
    const auto go = [&](int row) { pick(static_cast<std::size_t>(std::clamp(row, 0, last))); };
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
            QWidget::keyPressEvent(event);
    }
}

void WaterfallChart::fill_menu(QMenu& menu) {
    QAction* const all = menu.addAction(tr("Show &all"));
    all->setEnabled(is_zoomed());
    connect(all, &QAction::triggered, this, &WaterfallChart::reset_zoom);
}

void WaterfallChart::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        updateGeometry();
    update();
}

} // namespace sparsight

#include "widgets/chart/plots/waterfall_chart.h"

#include "widgets/chart/plot_menu.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

constexpr double exported_width = 760;

} // namespace

WaterfallChart::WaterfallChart(QWidget* parent)
    : AxisPlot(tr("Menu of the waterfall"), Wheel::WithCtrl, parent) {
    setAccessibleName(tr("Decisions and what they cost"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void WaterfallChart::set_picture(WaterfallPicture picture) {
    picture_ = std::move(picture);
    lit_.reset();
    describe();
    picture_changed();
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

WaterfallLayout WaterfallChart::laid_out() const {
    return lay_out_waterfall(picture_, size(), room_of_tools(), shown());
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

void WaterfallChart::draw(QPainter& painter, const Theme& theme) const {
    paint_waterfall(painter, picture_, laid_out(), theme, {selected_, lit_});
}

QString WaterfallChart::tooltip_at(const QPointF& place) const {
    const auto row = row_at(picture_, laid_out(), place);
    return row ? tooltip_of(*row) : QString();
}

void WaterfallChart::light(const std::optional<QPointF>& place) {
    const auto row = place ? row_at(picture_, laid_out(), *place) : std::nullopt;
    if (row == lit_)
        return;
    lit_ = row;
    setCursor(lit_ ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void WaterfallChart::click(const QPointF& pressed, const QPointF& released) {
    const WaterfallLayout layout = laid_out();
    const auto row = row_at(picture_, layout, released);
    if (row && row == row_at(picture_, layout, pressed))
        pick(*row);
}

void WaterfallChart::pick(std::size_t row) {
    const QString key = picture_.key_of(row); // the slot may change the picture
    set_selected(key);
    Q_EMIT picked(key);
}

void WaterfallChart::keyPressEvent(QKeyEvent* event) {
    if (picture_.empty())
        return AxisPlot::keyPressEvent(event);
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
        AxisPlot::keyPressEvent(event);
    }
}

} // namespace sparsight

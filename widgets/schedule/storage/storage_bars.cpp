#include "widgets/schedule/storage/storage_bars.h"

#include "widgets/chart/chart_values.h"
#include "widgets/chart/plot_menu.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>
#include <limits>

namespace sparsight {

namespace {

QString exact_bytes(quint64 bytes) {
    constexpr auto most = static_cast<quint64>(std::numeric_limits<qint64>::max());
    return bytes > most ? QStringLiteral("≥ ") + count_text(std::numeric_limits<qint64>::max())
                        : count_text(static_cast<qint64>(bytes));
}

} // namespace

StorageBars::StorageBars(QWidget* parent)
    : QWidget(parent)
    , empty_text_(tr("Choose a matrix and a schedule to see what they take in memory.")) {
    setMouseTracking(true);
    setAccessibleName(tr("Storage by level"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void StorageBars::set_bars(const std::vector<StorageBar>& bars, std::optional<std::size_t> reference) {
    if (bars == painting_.bars())
        return;
    painting_ = StoragePainting(bars, reference);
    lit_.reset();
    QStringList said;
    for (std::size_t bar = 0; bar < bars.size(); ++bar)
        said << QStringLiteral("%1: %2 %3")
                    .arg(bars[bar].title, painting_.total_text(bar), painting_.ratio_text(bar))
                    .trimmed();
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

void StorageBars::set_empty_text(const QString& text) {
    empty_text_ = text;
    update();
}

int StorageBars::heightForWidth(int width) const {
    return static_cast<int>(std::ceil(painting_.height(width)));
}

QSize StorageBars::sizeHint() const {
    return {560, heightForWidth(560)};
}

QSize StorageBars::minimumSizeHint() const {
    const auto width = static_cast<int>(painting_.margins()) + 12 * grid_step;
    return {width, heightForWidth(width)};
}

StorageBarsLayout StorageBars::bars_layout() const {
    return painting_.laid_out(size());
}

void StorageBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (painting_.bars().empty()) {
        painter.setPen(current_theme().dim_text);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, empty_text_);
        return;
    }
    painting_.paint(painter, size(), current_theme(), lit_);
}

std::optional<StorageBarPlace> StorageBars::place_at(QPointF point) const {
    return painting_.bars().empty() ? std::nullopt : bars_layout().at(point);
}

QString StorageBars::tooltip_of(StorageBarPlace place) const {
    const StorageBar& bar = painting_.bars()[place.bar];
    const StorageSegment& segment = bar.segments[place.segment];
    const QString what =
        segment.array == StorageArray::Values
            ? tr("<b>values</b>: one float for each position of the last level")
        : segment.array == StorageArray::Coordinates
            ? tr("<b>%1 crd</b>: the coordinates that occur on this level").arg(segment.level)
            : tr("<b>%1 pos</b>: where the children of each parent begin").arg(segment.level);
    const auto bytes = static_cast<double>(segment.bytes);
    QString text = tr("%1<br>%2 bytes (%3), %4 % of %5")
                       .arg(what, exact_bytes(segment.bytes), bytes_text(bytes),
                            significant(bar.bytes() > 0 ? 100 * bytes / bar.bytes() : 0), bar.title);
    if (segment.padding > 0)
        text += tr("<br>Padding: %1 bytes, %2 %")
                    .arg(exact_bytes(segment.padding),
                         significant(100 * static_cast<double>(segment.padding) / bytes));
    return text;
}

bool StorageBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* const help = static_cast<QHelpEvent*>(event);
    if (const auto place = place_at(help->pos()))
        QToolTip::showText(help->globalPos(), tooltip_of(*place), this);
    else
        QToolTip::hideText();
    return true;
}

void StorageBars::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange ||
        event->type() == QEvent::LanguageChange)
        updateGeometry();
    update();
}

void StorageBars::mouseMoveEvent(QMouseEvent* event) {
    const auto place = place_at(event->position());
    if (place != lit_) {
        lit_ = place;
        update();
    }
}

void StorageBars::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    lit_.reset();
    update();
}

ExportedPicture StorageBars::exported() const {
    QString csv = QStringLiteral("schedule,level,array,bytes,padding_bytes\n");
    for (const StorageBar& bar : painting_.bars())
        for (const StorageSegment& segment : bar.segments)
            csv += QStringLiteral("%1,%2,%3,%4,%5\n")
                       .arg(quoted_field(bar.title), segment.level,
                            segment.array == StorageArray::Values        ? QStringLiteral("values")
                            : segment.array == StorageArray::Coordinates ? QStringLiteral("crd")
                                                                         : QStringLiteral("pos"))
                       .arg(segment.bytes)
                       .arg(segment.padding);
    const QSizeF inside(std::max(480, width()), heightForWidth(std::max(480, width())));
    const QSizeF size = inside + QSizeF(4 * grid_step, 4 * grid_step);
    return {size,
            [painting = painting_, inside, size](QPainter& painter) {
                painter.fillRect(QRectF({0, 0}, size), light_theme().surface);
                painter.translate(2 * grid_step, 2 * grid_step);
                painting.paint(painter, inside, light_theme(), std::nullopt);
            },
            csv, QStringLiteral("storage")};
}

void StorageBars::contextMenuEvent(QContextMenuEvent* event) {
    if (painting_.bars().empty())
        return;
    pop_up_export_menu(
        *this, event->globalPos(), [this] { return exported(); },
        [this](const std::expected<QString, QString>& saved) {
            if (saved)
                Q_EMIT exported_to(*saved);
            else
                Q_EMIT export_failed(saved.error());
        });
}

} // namespace sparsight

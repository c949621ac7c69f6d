#include "widgets/schedule/editor/loop_chip_row.h"

#include "widgets/look/theme.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>

namespace sparsight {

qsizetype ChipRowLayout::place_at(QPointF point) const {
    qsizetype place = 0;
    for (const QRectF& chip : chips) {
        const bool is_line_above =
            chip.bottom() < point.y() && !chips.empty() && chip.top() < chips.back().top();
        const bool is_line_below = chip.top() > point.y() && chip.top() > chips.front().top();
        if (is_line_below)
            break;
        if (!is_line_above && chip.center().x() > point.x())
            break;
        ++place;
    }
    return place;
}

QPointF ChipRowLayout::pointed_at_by(const QRectF& dragged) const {
    const double left = dragged.left();
    const double right = width - dragged.right();
    const double middle = dragged.center().x();
    return {left <= right ? std::min(middle, 2 * left) : std::max(middle, width - 2 * right),
            dragged.center().y()};
}

QRectF ChipRowLayout::mark_at(qsizetype place, QPointF point) const {
    if (chips.empty())
        return {};
    constexpr double thickness = 3;
    const auto at = static_cast<std::size_t>(place);
    const bool is_behind_the_one_before =
        at >= chips.size() ||
        (at > 0 && chips[at].top() > chips[at - 1].top() && chips[at].top() > point.y());
    const QRectF& chip = chips[is_behind_the_one_before ? std::min(at, chips.size()) - 1 : at];
    const double middle = is_behind_the_one_before ? chip.right() + gap / 2 : chip.left() - gap / 2;
    return {middle - thickness / 2, chip.top(), thickness, chip.height()};
}

ChipRowLayout lay_out_chips(const std::vector<double>& widths, const ChipRowMetrics& metrics) {
    ChipRowLayout layout;
    layout.gap = metrics.gap;
    layout.width = metrics.available_width;
    double left = 0;
    double top = 0;
    for (const double width : widths) {
        if (left + width > metrics.available_width && left > 0) {
            left = 0;
            top += metrics.chip_height + metrics.line_gap;
        }
        layout.chips.emplace_back(left, top, width, metrics.chip_height);
        left += width + metrics.gap;
    }
    layout.height = widths.empty() ? 0 : top + metrics.chip_height;
    return layout;
}

namespace {

constexpr double chip_gap = 2.5 * grid_step;

LoopChipFace face_of(const ScheduleDraft& draft, const QString& loop) {
    LoopChipFace face;
    face.loop = loop;
    face.meaning = loop_meaning(draft, loop);
    face.iterations = iterations(draft, loop);
    face.is_there = has_loop(draft, loop);
    if (const auto format = draft.formats.find(loop); format != draft.formats.end())
        face.format = format->second;
    face.may_be_parallel = draft.may_be_parallel.contains(loop);
    face.is_parallel = draft.parallel == loop;
    return face;
}

} // namespace

/// Marks where the dragged chip would fall; drawn between the chips, over their edges.
class LoopChipRow::DropMark : public QWidget {
public:
    explicit DropMark(QWidget* parent)
        : QWidget(parent) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(current_theme().accent);
        painter.drawRoundedRect(rect(), 1.5, 1.5);
    }
};

LoopChipRow::LoopChipRow(QWidget* parent)
    : QWidget(parent)
    , mark_(new DropMark(this)) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Loops, outermost first"));
}

LoopChip* LoopChipRow::add_chip() {
    auto* const chip = new LoopChip(this);
    connect(chip, &LoopChip::format_flipped, this,
            [this, chip] { Q_EMIT format_flipped(chip->face().loop); });
    connect(chip, &LoopChip::parallel_wanted, this,
            [this, chip] { Q_EMIT parallel_wanted(chip->face().loop); });
    connect(chip, &LoopChip::shift_wanted, this, [this, chip](int by) {
        const qsizetype place = index_of_chip(chip) + by;
        if (place >= 0 && place < static_cast<qsizetype>(chips_.size()))
            Q_EMIT loop_moved(chip->face().loop, place);
    });
    connect(chip, &LoopChip::neighbour_wanted, this, [this, chip](int step) {
        const qsizetype place = index_of_chip(chip) + step;
        if (place >= 0 && place < static_cast<qsizetype>(chips_.size()))
            chips_[static_cast<std::size_t>(place)]->setFocus(Qt::TabFocusReason);
    });
    connect(chip, &LoopChip::drag_moved, this, [this, chip](QPoint offset) { drag(chip, offset); });
    connect(chip, &LoopChip::drag_ended, this, [this, chip](bool dropped) { drop(chip, dropped); });
    chip->show();
    return chip;
}

void LoopChipRow::show_loops(const ScheduleDraft& draft) {
    std::vector<LoopChip*> before = std::exchange(chips_, {});
    for (const QString& loop : draft.order) {
        const auto found =
            std::ranges::find_if(before, [&](const LoopChip* chip) { return chip->face().loop == loop; });
        LoopChip* shown = nullptr;
        if (found == before.end()) {
            shown = add_chip();
        } else {
            shown = *found;
            before.erase(found);
        }
        shown->set_face(face_of(draft, loop));
        chips_.push_back(shown);
    }
    for (LoopChip* const chip : before)
        delete chip;
    for (std::size_t c = 1; c < chips_.size(); ++c)
        setTabOrder(chips_[c - 1], chips_[c]);
    dragged_ = nullptr;
    drop_place_ = -1;
    mark_->hide();
    setMinimumHeight(heightForWidth(width()));
    updateGeometry();
    place_chips();
    update();
}

LoopChip* LoopChipRow::chip(const QString& loop) const {
    const auto found =
        std::ranges::find_if(chips_, [&](const LoopChip* chip) { return chip->face().loop == loop; });
    return found == chips_.end() ? nullptr : *found;
}

qsizetype LoopChipRow::index_of_chip(const LoopChip* chip) const {
    return std::ranges::find(chips_, chip) - chips_.begin();
}

ChipRowLayout LoopChipRow::laid_out(int width) const {
    std::vector<double> widths;
    double height = 0;
    for (const LoopChip* const chip : chips_) {
        const QSize size = chip->sizeHint();
        widths.push_back(size.width());
        height = std::max<double>(height, size.height());
    }
    return lay_out_chips(widths, {height, chip_gap, grid_step, static_cast<double>(width)});
}

void LoopChipRow::place_chips() {
    const ChipRowLayout layout = laid_out(width());
    for (std::size_t c = 0; c < chips_.size(); ++c)
        if (chips_[c] != dragged_)
            chips_[c]->setGeometry(layout.chips[c].toRect());
}

QSize LoopChipRow::sizeHint() const {
    const ChipRowLayout layout = laid_out(QWIDGETSIZE_MAX);
    const double width = layout.chips.empty() ? 0 : layout.chips.back().right();
    return {static_cast<int>(width), static_cast<int>(layout.height)};
}

QSize LoopChipRow::minimumSizeHint() const {
    int widest = 0;
    for (const LoopChip* const chip : chips_)
        widest = std::max(widest, chip->sizeHint().width());
    return {widest, chips_.empty() ? 0 : chips_.front()->sizeHint().height()};
}

int LoopChipRow::heightForWidth(int width) const {
    return static_cast<int>(laid_out(width).height);
}

void LoopChipRow::drag(LoopChip* chip, QPoint offset) {
    const ChipRowLayout layout = laid_out(width());
    dragged_ = chip;
    const QRect home = layout.chips[static_cast<std::size_t>(index_of_chip(chip))].toRect();
    chip->raise();
    const QPoint wanted = home.topLeft() + offset;
    chip->move(std::clamp(wanted.x(), 0, std::max(0, width() - chip->width())),
               std::clamp(wanted.y(), 0, std::max(0, height() - chip->height())));
    const QPointF point = layout.pointed_at_by(QRectF(chip->geometry()));
    drop_place_ = layout.place_at(point);
    QRect mark = layout.mark_at(drop_place_, point).toRect();
    mark.moveLeft(std::clamp(mark.left(), 0, std::max(0, width() - mark.width())));
    mark_->setGeometry(mark);
    mark_->show();
    mark_->raise();
    update();
}

void LoopChipRow::drop(LoopChip* chip, bool dropped) {
    const qsizetype from = index_of_chip(chip);
    const qsizetype place = drop_place_ > from ? drop_place_ - 1 : drop_place_;
    dragged_ = nullptr;
    drop_place_ = -1;
    mark_->hide();
    place_chips();
    update();
    if (dropped && place >= 0 && place != from)
        Q_EMIT loop_moved(chip->face().loop, place);
}

bool LoopChipRow::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) {
        updateGeometry();
        place_chips();
    }
    return QWidget::event(event);
}

void LoopChipRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // Layouts that ignore the height for a width would cut off the second line.
    setMinimumHeight(heightForWidth(width()));
    place_chips();
}

void LoopChipRow::paintEvent(QPaintEvent*) {
    const Theme& theme = current_theme();
    const ChipRowLayout layout = laid_out(width());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    // Each loop runs inside the one before it.
    painter.setPen(QPen(theme.dim_text, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    for (std::size_t c = 1; c < layout.chips.size(); ++c) {
        if (layout.chips[c].top() != layout.chips[c - 1].top())
            continue;
        const QPointF middle(layout.chips[c].left() - chip_gap / 2, layout.chips[c].center().y());
        painter.drawPolyline(
            QPolygonF({middle + QPointF(-2.5, -5), middle + QPointF(2.5, 0), middle + QPointF(-2.5, 5)}));
    }
    if (dragged_ != nullptr && drop_place_ >= 0) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.selection);
        painter.drawRoundedRect(layout.chips[static_cast<std::size_t>(index_of_chip(dragged_))],
                                corner_radius, corner_radius);
    }
}

} // namespace sparsight

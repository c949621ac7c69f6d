// The loops of a schedule, from the outermost to the innermost, as chips that the user drags to change their
// order, and the layout of the chips in as many lines as needed.
#pragma once

#include "widgets/schedule/editor/loop_chip.h"

#include <QRectF>
#include <vector>

namespace sparsight {

struct ChipRowMetrics {
    double chip_height = 0;
    double gap = 0; ///< between chips of a line
    double line_gap = 0;
    double available_width = 0; ///< a wider chip gets a line of its own
};

struct ChipRowLayout {
    std::vector<QRectF> chips;
    double height = 0;
    double gap = 0;
    double width = 0; ///< the available width

    /// 0 before the first chip … chips.size() after the last.
    [[nodiscard]] qsizetype place_at(QPointF point) const;
    /// The point that decides where a dragged chip falls: its centre; at either end of the row that end of
    /// the chip, because the centre of a wide chip cannot reach it.
    [[nodiscard]] QPointF pointed_at_by(const QRectF& dragged) const;
    /// The bar that marks where a chip would fall; between two lines, it is in the line at `point`.
    [[nodiscard]] QRectF mark_at(qsizetype place, QPointF point) const;
};

[[nodiscard]] ChipRowLayout lay_out_chips(const std::vector<double>& widths, const ChipRowMetrics& metrics);

class LoopChipRow : public QWidget {
    Q_OBJECT
public:
    explicit LoopChipRow(QWidget* parent = nullptr);

    /// Chips of loops that stay keep the focus.
    void show_loops(const ScheduleDraft& draft);
    /// nullptr where there is no such loop.
    [[nodiscard]] LoopChip* chip(const QString& loop) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

Q_SIGNALS:
    /// place: index among the loops, counted without the moved one.
    void loop_moved(const QString& loop, qsizetype place);
    void format_flipped(const QString& loop);
    void parallel_wanted(const QString& loop);

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] LoopChip* add_chip();
    [[nodiscard]] ChipRowLayout laid_out(int width) const;
    void place_chips();
    void drag(LoopChip* chip, QPoint offset);
    void drop(LoopChip* chip, bool dropped);
    [[nodiscard]] qsizetype index_of_chip(const LoopChip* chip) const;

    class DropMark;

    std::vector<LoopChip*> chips_; ///< outermost first; children of this
    DropMark* mark_;
    LoopChip* dragged_ = nullptr;
    qsizetype drop_place_ = -1;
};

} // namespace sparsight

// Where chips of different widths stand, in as many lines as it takes, and between which of them a dragged
// one would fall.
#pragma once

#include "widgets/schedule/editor/loop_chip.h"

#include <QRectF>
#include <vector>

namespace sparsight {

struct ChipRowMetrics {
    double chip_height = 0;
    double gap = 0; ///< between chips of a line
    double line_gap = 0;
    double available_width = 0; ///< a chip that is wider still gets a line
};

struct ChipRowLayout {
    std::vector<QRectF> chips;
    double height = 0;
    double gap = 0;
    double width = 0; ///< available

    /// 0 before the first chip … chips.size() after the last.
    [[nodiscard]] qsizetype place_at(QPointF point) const;
    /// The point that says where a dragged chip falls: its middle, but at either end of the row that end,
    /// which the middle of a wide chip cannot reach.
    [[nodiscard]] QPointF pointed_at_by(const QRectF& dragged) const;
    /// The bar that shows where a chip would fall: between two lines, in the one that is pointed at.
    [[nodiscard]] QRectF mark_at(qsizetype place, QPointF point) const;
};

[[nodiscard]] ChipRowLayout lay_out_chips(const std::vector<double>& widths, const ChipRowMetrics& metrics);

// The loops of a schedule from the outermost to the innermost, as chips that change places.

class LoopChipRow : public QWidget {
    Q_OBJECT
public:
    explicit LoopChipRow(QWidget* parent = nullptr);

    /// A chip that stays keeps the focus.
    void show_loops(const ScheduleDraft& draft);
    /// Null where there is no such loop.
    [[nodiscard]] LoopChip* chip(const QString& loop) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

Q_SIGNALS:
    /// place: among the loops, counted without the moved one.
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

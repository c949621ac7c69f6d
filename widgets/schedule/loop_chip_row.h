// The loops of a schedule from the outermost to the innermost, as chips that change places.
#pragma once

#include "widgets/schedule/chip_row_layout.h"
#include "widgets/schedule/loop_chip.h"

namespace sparsight {

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

    std::vector<LoopChip*> chips_; ///< outermost first; children of this
    LoopChip* dragged_ = nullptr;
    qsizetype drop_place_ = -1;
};

} // namespace sparsight

// One loop of a schedule as a chip that can be dragged: its name, how often it runs, the format of the level
// of A that it walks, whether it runs in parallel.
#pragma once

#include "widgets/schedule/editor/schedule_draft.h"

#include <QWidget>
#include <optional>

namespace sparsight {

struct LoopChipFace {
    QString loop;
    QString meaning;
    qint64 iterations = 0;             ///< 0: not known
    bool is_there = true;              ///< false for the inner loop of an index that is not split
    std::optional<DraftFormat> format; ///< only of levels of A
    bool may_be_parallel = false;
    bool is_parallel = false;
    bool operator==(const LoopChipFace&) const = default;
};

class LoopChip : public QWidget {
    Q_OBJECT
public:
    explicit LoopChip(QWidget* parent);

    void set_face(const LoopChipFace& face);
    [[nodiscard]] const LoopChipFace& face() const { return face_; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
    /// Where a click flips the format or makes the loop parallel; empty where that is not possible.
    [[nodiscard]] QRect format_area() const;
    [[nodiscard]] QRect parallel_area() const;

Q_SIGNALS:
    void format_flipped();
    void parallel_wanted();
    void shift_wanted(int by);       ///< −1 outwards, +1 inwards
    void neighbour_wanted(int step); ///< takes the focus
    void drag_moved(QPoint offset);  ///< from where the drag began
    void drag_ended(bool dropped);   ///< false: given up

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void explain();
    void end_drag(bool dropped);
    [[nodiscard]] QString count_label() const;
    void paint_format(class QPainter& painter) const;
    void paint_parallel(class QPainter& painter) const;

    LoopChipFace face_;
    std::optional<QPoint> pressed_; ///< in global coordinates
    bool is_dragged_ = false;
};

} // namespace sparsight

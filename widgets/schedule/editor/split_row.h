// The split of each index of a schedule, with the number of blocks that it makes, and the field for a split:
// a whole number, usually a power of two, chosen from a list or typed.
#pragma once

#include "widgets/schedule/editor/loop_chip_row.h"
#include "widgets/schedule/editor/schedule_draft.h"

#include <QComboBox>
#include <QWidget>

class QLabel;

namespace sparsight {

class PowerOfTwoField : public QComboBox {
    Q_OBJECT
public:
    PowerOfTwoField(qint64 most, QWidget* parent);

    /// The list ends with the first power of two that is at least this.
    void set_listed_up_to(qint64 largest);
    void set_value(qint64 value);
    [[nodiscard]] qint64 value() const { return value_; }

Q_SIGNALS:
    void value_chosen(qint64 value);
    void value_typed(qint64 value); ///< at every key press that leaves a number in range
    void typing_ended();

protected:
    void wheelEvent(QWheelEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void take_text(const QString& text);

    qint64 most_;
    qint64 value_ = 1;
    qint64 listed_up_to_ = 0;
};

class SplitRow : public QWidget {
    Q_OBJECT
public:
    explicit SplitRow(QWidget* parent = nullptr);

    void show_splits(const ScheduleDraft& draft);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

    /// In the order of the draft's indices.
    [[nodiscard]] std::vector<PowerOfTwoField*> fields() const;

Q_SIGNALS:
    void split_chosen(QChar letter, qint64 split);
    void split_typed(QChar letter, qint64 split);
    void typing_ended();
    void fields_made(); ///< the fields were made again

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Control {
        QChar letter;
        QWidget* group = nullptr;
        QLabel* name = nullptr;
        PowerOfTwoField* field = nullptr;
        QLabel* blocks = nullptr;
    };

    [[nodiscard]] Control make_control(const DraftIndex& index);
    [[nodiscard]] ChipRowLayout laid_out(int width) const;
    void place_controls();

    std::vector<Control> controls_;
};

} // namespace sparsight

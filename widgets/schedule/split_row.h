// The split of each index of a schedule, and how many blocks that makes.
#pragma once

#include "widgets/schedule/chip_row_layout.h"
#include "widgets/schedule/schedule_draft.h"

#include <QWidget>

class QLabel;

namespace sparsight {

class PowerOfTwoField;

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
    void fields_made(); ///< others than before

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

#include "widgets/schedule/split_row.h"

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/schedule/power_of_two_field.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <algorithm>

namespace sparsight {

namespace {

constexpr qint64 most_split = qint64{1} << 30;

} // namespace

SplitRow::SplitRow(QWidget* parent)
    : QWidget(parent)
    , line_(new QHBoxLayout(this)) {
    line_->setContentsMargins(0, 0, 0, 0);
    line_->setSpacing(3 * grid_step);
    line_->addStretch(1);
}

std::vector<PowerOfTwoField*> SplitRow::fields() const {
    std::vector<PowerOfTwoField*> result;
    for (const Control& control : controls_)
        result.push_back(control.field);
    return result;
}

SplitRow::Control SplitRow::make_control(const DraftIndex& index) {
    auto* const group = new QWidget(this);
    const Control control{index.letter, group, new QLabel(index.letter),
                          new PowerOfTwoField(most_split, group), new QLabel};
    auto* const grid = new QGridLayout(group);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(grid_step);
    grid->setVerticalSpacing(grid_step / 4);
    grid->addWidget(control.name, 0, 0);
    grid->addWidget(control.field, 0, 1);
    grid->addWidget(control.blocks, 1, 1);
    control.blocks->setForegroundRole(QPalette::PlaceholderText);
    control.field->setAccessibleName(tr("Split of %1").arg(index.letter));
    control.field->setToolTip(
        tr("How many %1 make one block: %2 = split · %21 + %20. 1 does not split. Any number "
           "can be typed.")
            .arg(index.items, index.letter));
    const QChar letter = index.letter;
    connect(control.field, &PowerOfTwoField::value_chosen, this,
            [this, letter](qint64 split) { Q_EMIT split_chosen(letter, split); });
    connect(control.field, &PowerOfTwoField::value_typed, this,
            [this, letter](qint64 split) { Q_EMIT split_typed(letter, split); });
    connect(control.field, &PowerOfTwoField::typing_ended, this, &SplitRow::typing_ended);
    return control;
}

void SplitRow::show_splits(const ScheduleDraft& draft) {
    if (!std::ranges::equal(controls_, draft.indices, {}, &Control::letter, &DraftIndex::letter)) {
        for (const Control& control : std::exchange(controls_, {}))
            delete control.group;
        for (const DraftIndex& index : draft.indices) {
            const Control control = make_control(index);
            line_->insertWidget(static_cast<int>(controls_.size()), control.group);
            if (!controls_.empty())
                setTabOrder(controls_.back().field, control.field);
            controls_.push_back(control);
        }
        dress();
        Q_EMIT fields_made();
    }
    for (std::size_t i = 0; i < controls_.size(); ++i) {
        const DraftIndex& index = draft.indices[i];
        const qint64 blocks = iterations(draft, index.letter + QStringLiteral("1"));
        controls_[i].field->set_listed_up_to(index.extent > 0 ? index.extent : 4096);
        controls_[i].field->set_value(index.split);
        controls_[i].blocks->setText(index.split == 1 && index.extent > 0
                                         ? tr("%1 %2, not split").arg(count_text(index.extent), index.items)
                                     : index.split == 1 ? tr("%1, not split").arg(index.items)
                                     : blocks == 0      ? tr("%1 blocks").arg(index.item)
                                     : blocks == 1      ? tr("1 %1 block").arg(index.item)
                                                   : tr("%1 %2 blocks").arg(count_text(blocks), index.item));
    }
}

void SplitRow::dress() {
    QFont name = monospace_font();
    name.setWeight(QFont::Bold);
    for (const Control& control : controls_) {
        control.name->setFont(name);
        control.blocks->setFont(caption_font());
    }
}

void SplitRow::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange)
        dress();
}

} // namespace sparsight

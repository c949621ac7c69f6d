#include "widgets/schedule/editor/split_row.h"

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QIntValidator>
#include <QLabel>
#include <QLineEdit>
#include <QWheelEvent>
#include <algorithm>

namespace sparsight {

PowerOfTwoField::PowerOfTwoField(qint64 most, QWidget* parent)
    : QComboBox(parent)
    , most_(most) {
    setEditable(true);
    setInsertPolicy(NoInsert);
    setCompleter(nullptr);
    setMaxVisibleItems(16);
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(5);
    lineEdit()->setValidator(new QIntValidator(1, static_cast<int>(most), this));
    set_listed_up_to(256);
    connect(this, &QComboBox::textActivated, this, [this](const QString& text) {
        if (const qint64 chosen = text.toLongLong(); chosen >= 1 && chosen != value_) {
            value_ = chosen;
            Q_EMIT value_chosen(value_);
        }
    });
    connect(lineEdit(), &QLineEdit::textEdited, this, &PowerOfTwoField::take_text);
    connect(lineEdit(), &QLineEdit::editingFinished, this, &PowerOfTwoField::typing_ended);
}

void PowerOfTwoField::set_listed_up_to(qint64 largest) {
    if (largest == listed_up_to_)
        return;
    listed_up_to_ = largest;
    const QSignalBlocker quiet(this);
    clear();
    for (qint64 power = 1; power <= most_; power *= 2) {
        addItem(QString::number(power));
        if (power >= largest)
            break;
    }
    set_value(value_);
}

void PowerOfTwoField::set_value(qint64 value) {
    value_ = value;
    const QString text = QString::number(value);
    const QSignalBlocker quiet(this);
    // Keeps the cursor's position while the user types.
    if (lineEdit()->text() == text && (hasFocus() || findText(text) == currentIndex()))
        return;
    setCurrentIndex(findText(text));
    setEditText(text);
}

void PowerOfTwoField::take_text(const QString& text) {
    bool is_number = false;
    const qint64 typed = text.toLongLong(&is_number);
    if (!is_number || typed < 1 || typed > most_ || typed == value_)
        return;
    value_ = typed;
    Q_EMIT value_typed(value_);
}

void PowerOfTwoField::wheelEvent(QWheelEvent* event) {
    // Users scroll the page more often than they change a number: only a focused field reacts to the wheel.
    if (hasFocus() || lineEdit()->hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

void PowerOfTwoField::focusOutEvent(QFocusEvent* event) {
    QComboBox::focusOutEvent(event);
    set_value(value_); // discards a text that is no number
}

namespace {

constexpr qint64 most_split = qint64{1} << 30;

} // namespace

SplitRow::SplitRow(QWidget* parent)
    : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

ChipRowLayout SplitRow::laid_out(int width) const {
    std::vector<double> widths;
    double height = 0;
    for (const Control& control : controls_) {
        const QSize size = control.group->sizeHint();
        widths.push_back(size.width());
        height = std::max<double>(height, size.height());
    }
    return lay_out_chips(widths, {height, 3.0 * grid_step, grid_step, static_cast<double>(width)});
}

void SplitRow::place_controls() {
    const ChipRowLayout layout = laid_out(width());
    for (std::size_t c = 0; c < controls_.size(); ++c)
        controls_[c].group->setGeometry(layout.chips[c].toRect());
    setMinimumHeight(static_cast<int>(layout.height));
}

QSize SplitRow::sizeHint() const {
    const ChipRowLayout layout = laid_out(QWIDGETSIZE_MAX);
    return QSizeF(layout.chips.empty() ? 0 : layout.chips.back().right(), layout.height).toSize();
}

QSize SplitRow::minimumSizeHint() const {
    int widest = 0;
    for (const Control& control : controls_)
        widest = std::max(widest, control.group->sizeHint().width());
    return {widest, sizeHint().height()};
}

int SplitRow::heightForWidth(int width) const {
    return static_cast<int>(laid_out(width).height);
}

bool SplitRow::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) {
        updateGeometry();
        place_controls();
    }
    return QWidget::event(event);
}

void SplitRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place_controls();
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
    keep_font(*control.name, bold_monospace_font);
    keep_font(*control.blocks, caption_font);
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
            control.group->show();
            if (!controls_.empty())
                setTabOrder(controls_.back().field, control.field);
            controls_.push_back(control);
        }
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
    updateGeometry();
    place_controls();
}

} // namespace sparsight

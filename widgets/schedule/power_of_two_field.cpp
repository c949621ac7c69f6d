#include "widgets/schedule/power_of_two_field.h"

#include <QIntValidator>
#include <QLineEdit>
#include <QWheelEvent>

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
    // Who types keeps the cursor where it is.
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
    // The page is scrolled more often than a number is wanted: only a field that has the focus turns.
    if (hasFocus() || lineEdit()->hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

void PowerOfTwoField::focusOutEvent(QFocusEvent* event) {
    QComboBox::focusOutEvent(event);
    set_value(value_); // what is no number is not kept
}

} // namespace sparsight

#include "widgets/look/eliding_combo_box.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace sparsight {

ElidingComboBox::ElidingComboBox(QWidget* parent)
    : QComboBox(parent) {
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(this, &QComboBox::currentTextChanged, this, &ElidingComboBox::show_tooltip);
}

void ElidingComboBox::set_explanation(const QString& text) {
    explanation_ = text;
    show_tooltip();
}

void ElidingComboBox::show_tooltip() {
    setToolTip(currentText().isEmpty() ? explanation_
                                       : QStringLiteral("%1\n%2").arg(currentText(), explanation_));
}

void ElidingComboBox::paintEvent(QPaintEvent* /*event*/) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QRect field =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    constexpr int inset = 4; // of the text in its field
    option.currentText =
        fontMetrics().elidedText(option.currentText, Qt::ElideMiddle, field.width() - 2 * inset);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace sparsight

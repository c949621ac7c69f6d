#include "widgets/look/eliding_combo_box.h"

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
    QStringList lines{currentText(), explanation_};
    lines.removeAll(QString());
    setToolTip(lines.join(u'\n'));
}

} // namespace sparsight

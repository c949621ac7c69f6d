// A list to choose from whose chosen text may be longer than its field: it is cut off in its middle, since
// names differ at both ends, and the tooltip begins with all of it.
#pragma once

#include <QComboBox>
#include <QString>
#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace sparsight {

class ElidingComboBox : public QComboBox {
public:
    explicit ElidingComboBox(QWidget* parent = nullptr)
        : QComboBox(parent) {
        setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        connect(this, &QComboBox::currentTextChanged, this, &ElidingComboBox::show_tooltip);
    }

    /// What is chosen here.
    void set_explanation(const QString& text) {
        explanation_ = text;
        show_tooltip();
    }

protected:
    void show_tooltip() {
        setToolTip(currentText().isEmpty() ? explanation_
                                           : QStringLiteral("%1\n%2").arg(currentText(), explanation_));
    }

    void paintEvent(QPaintEvent* /*event*/) override {
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

private:
    QString explanation_;
};

} // namespace sparsight

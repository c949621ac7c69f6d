// A whole number that is mostly a power of two: chosen from a list, or typed.
#pragma once

#include <QComboBox>

namespace sparsight {

class PowerOfTwoField : public QComboBox {
    Q_OBJECT
public:
    PowerOfTwoField(qint64 most, QWidget* parent);

    /// The list ends with the first power that is at least this.
    void set_listed_up_to(qint64 largest);
    void set_value(qint64 value);
    [[nodiscard]] qint64 value() const { return value_; }

Q_SIGNALS:
    void value_chosen(qint64 value);
    void value_typed(qint64 value); ///< at every key that leaves a number in range
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

} // namespace sparsight

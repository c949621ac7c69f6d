// A number to type or to step, written as the settings say: grouped thousands, the chosen decimal point.
#pragma once

#include <QDoubleSpinBox>

namespace sparsight {

/// Whole numbers up to 2^53, and reals to 15 digits; nothing that can be typed is rounded or clipped. Typing
/// takes thin spaces, spaces and the thousands separator for grouping, the point as well as the chosen
/// decimal point, and exponents ("3e-8").
class NumberField : public QDoubleSpinBox {
    Q_OBJECT

public:
    enum class Kind { Whole, Real };
    static constexpr double largest_whole = 9007199254740992.0; ///< 2^53: a double holds every one up to it

    explicit NumberField(Kind kind, QWidget* parent = nullptr);

    [[nodiscard]] qint64 whole_value() const { return static_cast<qint64>(value()); }

    [[nodiscard]] QString textFromValue(double value) const override;
    [[nodiscard]] double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& input, int& position) const override;
    void stepBy(int steps) override;

protected:
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    /// Without prefix, suffix and grouping, with a point: "1234.5".
    [[nodiscard]] QString plain(const QString& text) const;

    Kind kind_;
};

} // namespace sparsight

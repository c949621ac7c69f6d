// Inputs for numbers: a field for typing and stepping, and a slider over given stops. Both write numbers in
// the style of the settings: grouped thousands, the chosen decimal point.
#pragma once

#include <QDoubleSpinBox>
#include <QWidget>
#include <functional>
#include <vector>

class QLabel;
class QSlider;
class QToolButton;

namespace sparsight {

/// A field for whole numbers up to 2^53, and real numbers to 15 digits; nothing that can be typed is rounded
/// or clipped. It accepts thin spaces, spaces and the thousands separator for grouping, the point as well as
/// the chosen decimal point, and exponents ("3e-8").
class NumberField : public QDoubleSpinBox {
    Q_OBJECT

public:
    enum class Kind { Whole, Real };
    /// 2^53: a double represents every whole number up to it
    static constexpr double largest_whole = 9007199254740992.0;

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

/// A slider over given stops with the name of the quantity, the value with its unit, and a button that
/// returns to the origin.
class ValueSlider : public QWidget {
    Q_OBJECT

public:
    explicit ValueSlider(const QString& name, QWidget* parent = nullptr);

    /// Rising values; the slider stops at each. A value may also lie between two stops.
    void set_stops(std::vector<double> stops);
    void set_format(std::function<QString(double)> text);
    /// The meaning of the quantity, for the tooltip.
    void set_explanation(const QString& text);
    /// Whom the value follows, and why: it was not moved itself, so it has no way back of its own. A line
    /// below the slider says so. Empty: it stands by itself.
    void set_followed(const QString& whom, const QString& reason = {});
    [[nodiscard]] const QString& followed() const { return followed_; }
    /// The value that the reset button returns to.
    void set_origin(double value);
    void set_value(double value);
    /// As if the user had moved it there.
    void move_to(double value);
    [[nodiscard]] double value() const { return value_; }
    /// Whether the value differs from the origin by more than rounding.
    [[nodiscard]] bool is_changed() const;
    [[nodiscard]] QSlider* slider() const { return slider_; }
    [[nodiscard]] QToolButton* reset_button() const { return reset_; }

Q_SIGNALS:
    void moved(double value); ///< by the user

protected:
    void changeEvent(QEvent* event) override;

private:
    void take_stop(int stop);
    void make_room();
    void show_value();
    void explain();

    QString title_;
    QString explanation_;
    QString followed_;
    QString follow_reason_;
    QLabel* name_;
    QLabel* text_;
    QSlider* slider_;
    QLabel* follows_;
    QToolButton* reset_;
    std::vector<double> stops_{0, 1};
    std::function<QString(double)> format_;
    double value_ = 0;
    double origin_ = 0;
};

} // namespace sparsight

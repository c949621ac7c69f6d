// A number to type or to step, written as the settings say: grouped thousands, the chosen decimal point.
#pragma once

#include <QDoubleSpinBox>
#include <QWidget>
#include <functional>
#include <vector>

class QLabel;
class QSlider;
class QToolButton;

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

// A number to slide: its name, its value with the unit, a slider over given stops, and the way back to where
// it stood.

class ValueSlider : public QWidget {
    Q_OBJECT

public:
    explicit ValueSlider(const QString& name, QWidget* parent = nullptr);

    /// Rising; the slider stops at each. Values may lie between them all the same.
    void set_stops(std::vector<double> stops);
    void set_format(std::function<QString(double)> text);
    /// What it means, for hovering.
    void set_explanation(const QString& text);
    /// Where the way back leads.
    void set_origin(double value);
    void set_value(double value);
    [[nodiscard]] double value() const { return value_; }
    /// But for what rounding does.
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

    QString explanation_;
    QLabel* name_;
    QLabel* text_;
    QSlider* slider_;
    QToolButton* reset_;
    std::vector<double> stops_{0, 1};
    std::function<QString(double)> format_;
    double value_ = 0;
    double origin_ = 0;
};

} // namespace sparsight

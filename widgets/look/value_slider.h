// A number to slide: its name, its value with the unit, a slider over given stops, and the way back to where
// it stood.
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

class QLabel;
class QSlider;
class QToolButton;

namespace sparsight {

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

// Why one configuration is faster or slower than another, as every page says it: a sentence, what it is of,
// how the times are known, the steps between both, and the method. It scrolls where it is too high.
#pragma once

#include <QScrollArea>

class QLabel;
class QVBoxLayout;

namespace sparsight {

class Chip;
class FlowLayout;

class WhyColumn : public QScrollArea {
    Q_OBJECT

public:
    explicit WhyColumn(QWidget* parent = nullptr);

    void show_sentence(const QString& sentence);
    // What is empty is hidden:
    void show_setting(const QString& setting);
    void show_basis(const QString& basis, bool is_hatched);
    void show_method(const QString& method);

    /// Beside the chip that says how the times are known.
    void add_to_line(QWidget* widget);
    /// Between that line and the method.
    void add_steps(QWidget* widget);

private:
    QLabel* sentence_;
    QLabel* setting_;
    Chip* basis_;
    FlowLayout* line_; ///< owned by the column, as `steps_` is
    QVBoxLayout* steps_;
    QLabel* method_;
};

} // namespace sparsight

// Fields side by side, each with its caption above it; those that do not fit stand in the next line.
#pragma once

#include <QString>

class QLabel;
class QVBoxLayout;
class QWidget;

namespace sparsight {

class FlowLayout;

class FieldRow {
public:
    explicit FieldRow(QVBoxLayout& column);

    /// The caption is the field's buddy; field and caption share the tooltip.
    QLabel* add(const QString& caption, QWidget* field, const QString& tip);
    void add(QWidget* field);
    /// What follows stands at the right.
    void begin_end();

private:
    FlowLayout* flow_; ///< owned by the column
};

} // namespace sparsight

// Facts in short: a table of two columns in a label, and what stands there while there are none.
#pragma once

#include <QString>

class QLabel;
class QWidget;

namespace sparsight {

/// What it is, dimmed, and its value.
class FactTable {
public:
    /// An empty value is left out.
    void add(const QString& name, QString value);
    [[nodiscard]] QString html() const;

private:
    QString rows_;
};

/// `text` may hold links.
[[nodiscard]] QString dimmed(const QString& text);
[[nodiscard]] QLabel* facts_label(QWidget* parent);

} // namespace sparsight

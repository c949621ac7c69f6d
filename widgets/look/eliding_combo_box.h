// A list to choose from whose chosen text may be longer than its field: the style elides it in its middle,
// and the tooltip begins with all of it.
#pragma once

#include <QComboBox>
#include <QString>

namespace sparsight {

class ElidingComboBox : public QComboBox {
public:
    explicit ElidingComboBox(QWidget* parent = nullptr);

    /// What is chosen here.
    void set_explanation(const QString& text);

protected:
    void show_tooltip();

private:
    QString explanation_;
};

} // namespace sparsight

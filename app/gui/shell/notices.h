// Messages that need no answer, one under the other above the page: never a dialog, because nothing modal may
// stand in the way of work that runs.
#pragma once

#include <QWidget>

class QVBoxLayout;

namespace sparsight {

class Notices : public QWidget {
    Q_OBJECT

public:
    explicit Notices(QWidget* parent = nullptr);

    /// A problem stays until it is closed; anything else goes by itself. The same text is shown once.
    void tell(const QString& text, bool is_problem);
    void clear();
    [[nodiscard]] QStringList texts() const;

private:
    QVBoxLayout* column_;
};

} // namespace sparsight

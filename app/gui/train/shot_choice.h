// From how many matrices: a few numbers to press, as far as there are so many.
#pragma once

#include <QWidget>

class QButtonGroup;
class QLabel;

namespace sparsight {

class ShotChoice : public QWidget {
    Q_OBJECT

public:
    explicit ShotChoice(QWidget* parent = nullptr);

    /// Matrices that are measured; some are left to test with.
    void set_available(qint64 matrices);
    [[nodiscard]] int chosen() const;
    /// For a shot curve: none, and each number up to the one that is chosen.
    [[nodiscard]] QStringList up_to_chosen() const;

Q_SIGNALS:
    void changed();

private:
    QButtonGroup* buttons_;
    QLabel* note_;
};

} // namespace sparsight

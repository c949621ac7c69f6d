// The selected matrix, and the choice of another one whose entries are known.
#pragma once

#include "gui/page/services.h"

#include <QComboBox>

namespace sparsight {

class MatrixBox : public QComboBox {
    Q_OBJECT

public:
    explicit MatrixBox(const Services& services, QWidget* parent = nullptr);

private:
    void show_matrices();

    Services services_;
};

} // namespace sparsight

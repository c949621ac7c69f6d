// What a case takes before and after the model has learned from failures, and likewise each matrix that it
// has learned from: what was chosen, in milliseconds, beside fixed CSR and the best known.
#pragma once

#include "gui/domains/sparse/failures/tuning/tuning_state.h"

#include <QWidget>

class QLabel;

namespace sparsight {

class BeforeAfterView : public QWidget {
    Q_OBJECT

public:
    explicit BeforeAfterView(QWidget* parent = nullptr);

    /// `matrix` is that of the case that is looked at. Hidden where nothing was compared.
    void show_outcomes(const TuningState& state, const QString& matrix);

private:
    QLabel* title_;
    QLabel* models_;
    QLabel* table_;
    QLabel* choices_;
    QLabel* remark_;
};

} // namespace sparsight

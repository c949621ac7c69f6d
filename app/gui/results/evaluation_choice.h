// Which of the evaluations of a workspace is looked at.
#pragma once

#include "gui/page/services.h"
#include "gui/runs/stored_evaluations.h"

#include <QComboBox>
#include <vector>

namespace sparsight {

class EvaluationChoice : public QComboBox {
    Q_OBJECT

public:
    explicit EvaluationChoice(Services services, QWidget* parent = nullptr);

    /// `is_running`: a job of this window works at the one that says it runs.
    void show_evaluations(const std::vector<StoredEvaluation>& evaluations, RunId shown, bool is_running);

Q_SIGNALS:
    /// By the user. A RunId, as a plain number.
    void chosen(qint64 run);

private:
    [[nodiscard]] QString entry_of(const StoredEvaluation& one, bool is_running) const;

    Services services_;
    bool is_filling_ = false;
};

} // namespace sparsight

// Says on a page that it shows another model than the selected one, and why, with links that end that.
#pragma once

#include "gui/runs/evaluation_list.h"

#include <QLabel>
#include <QString>
#include <QStringList>
#include <vector>

namespace sparsight {

class Selection;
class TrainingRuns;

class ModelChip : public QLabel {
    Q_OBJECT

public:
    explicit ModelChip(Selection& selection, QWidget* parent = nullptr);

    /// `shown`: what the page uses; `reason`: why, in whole sentences. `action` offers to show the selected
    /// one instead; empty: that is not possible. Hidden where the selected model is among the shown ones, or
    /// where either is missing.
    void show_models(const QStringList& shown, const QString& reason, const QString& action = {});

    /// The same on a page that shows an evaluation of these models; `all`: those of the workspace.
    void show_evaluation(const TrainingRuns& runs, const std::vector<StoredEvaluation>& all,
                         const QStringList& shown);

Q_SIGNALS:
    void action_chosen();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Selection& selection_;
    QString shown_;
};

} // namespace sparsight

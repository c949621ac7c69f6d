// What the selected model is: what it computes, what it has learned from, and how well.
#pragma once

#include "gui/page/services.h"
#include "widgets/look/card.h"

class QLabel;

namespace sparsight {

class TrainingRuns;

class ModelCard : public Card {
    Q_OBJECT

public:
    ModelCard(Services services, const TrainingRuns& runs, QWidget* parent = nullptr);

Q_SIGNALS:
    void page_requested(const QString& id);

private:
    void show_model();

    Services services_;
    const TrainingRuns& runs_;
    QLabel* facts_;
};

} // namespace sparsight

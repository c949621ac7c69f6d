// The selected matrix and the selected schedule in the selection panel.
#pragma once

#include "gui/domains/sparse/schedules/ranked_results.h"
#include "gui/selection/selection_cards.h"

class QLabel;

namespace sparsight {

class Thumbnails;

class MatrixCard : public SelectionCard {
    Q_OBJECT

public:
    MatrixCard(Services services, Thumbnails& thumbnails, QWidget* parent = nullptr);

private:
    void show_selected() override;

    Thumbnails& thumbnails_;
    QLabel* picture_;
    QLabel* facts_;
};

class ScheduleCard : public SelectionCard {
    Q_OBJECT

public:
    explicit ScheduleCard(Services services, QWidget* parent = nullptr);

private:
    void show_selected() override;
    void show_results();

    ResultsReader results_;
    QLabel* facts_;
};

} // namespace sparsight

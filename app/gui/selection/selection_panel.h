// What is selected, at the window's right edge: the facts in short, whatever page is shown.
#pragma once

#include "gui/page/services.h"
#include "gui/workspace/ranked_results.h"

#include <QWidget>

class QFormLayout;
class QLabel;

namespace sparsight {

class Card;
class ModelCard;
class Thumbnails;
class TrainingRuns;
struct Selected;

class SelectionPanel : public QWidget {
    Q_OBJECT

public:
    SelectionPanel(Services services, Thumbnails& thumbnails, const TrainingRuns& runs,
                   QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void page_requested(const QString& id);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit_width();
    void follow(const Selected& now);
    void show_matrix();
    void show_machine();
    void show_schedule();

    Services services_;
    Thumbnails& thumbnails_;
    ResultsReader results_;
    Card* matrix_;
    QLabel* picture_;
    QLabel* matrix_facts_;
    Card* machine_;
    QLabel* machine_facts_;
    Card* schedule_;
    QLabel* schedule_facts_;
    ModelCard* model_;
    QWidget* content_; ///< the cards
};

} // namespace sparsight

// The panel at the window's right edge: short facts about the selected matrix, model, machine and schedule,
// whatever page is shown.
#pragma once

#include "gui/page/page.h"
#include "gui/workspace/ranked_results.h"
#include "widgets/look/card.h"

#include <QString>
#include <QWidget>

class QFormLayout;
class QLabel;
class QWidget;

namespace sparsight {

class Card;
class Thumbnails;
class TrainingRuns;
struct Selected;

/// A table of two columns for a label: dimmed names and their values.
class FactTable {
public:
    /// Leaves out empty values.
    void add(const QString& name, QString value);
    [[nodiscard]] QString html() const;

private:
    QString rows_;
};

/// A dimmed text, shown where there are no facts. `text` may contain links.
[[nodiscard]] QString dimmed(const QString& text);
[[nodiscard]] QLabel* facts_label(QWidget* parent);

/// The facts about the selected model: its operator, its training data and its accuracy.
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

// Facts in short: a table of two columns in a label, and what stands there while there are none.
#pragma once

#include "gui/page/page.h"
#include "gui/workspace/ranked_results.h"
#include "widgets/look/card.h"

#include <QString>
#include <QWidget>

class QLabel;
class QWidget;
class QFormLayout;

namespace sparsight {

/// What it is, dimmed, and its value.
class FactTable {
public:
    /// An empty value is left out.
    void add(const QString& name, QString value);
    [[nodiscard]] QString html() const;

private:
    QString rows_;
};

/// `text` may hold links.
[[nodiscard]] QString dimmed(const QString& text);
[[nodiscard]] QLabel* facts_label(QWidget* parent);

// What the selected model is: what it computes, what it has learned from, and how well.

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

// What is selected, at the window's right edge: the facts in short, whatever page is shown.

class Card;
class ModelCard;
class Thumbnails;
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

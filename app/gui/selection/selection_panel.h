// The panel at the window's right edge: short facts about the selected workload, machine, configuration and
// model, whatever page is shown.
#pragma once

#include "gui/page/page.h"
#include "gui/selection/selection_cards.h"

#include <QString>
#include <QWidget>
#include <string>
#include <vector>

class QVBoxLayout;

namespace sparsight {

class TrainingRuns;

class SelectionPanel : public QWidget {
    Q_OBJECT

public:
    SelectionPanel(Services services, const TrainingRuns& runs, QWidget* parent = nullptr);

    /// A domain's own cards, instead of the general ones.
    void set_cards(std::string domain, SelectionCard* workload, SelectionCard* configuration);
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void page_requested(const QString& id);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct DomainCards {
        std::string domain; ///< empty: of those that have none of their own
        SelectionCard* workload;
        SelectionCard* configuration;
    };

    void fit_width();
    void add_cards(DomainCards cards);
    void show_domain();

    Services services_;
    std::vector<DomainCards> of_domains_;
    QWidget* content_; ///< the cards
    QVBoxLayout* column_;
};

} // namespace sparsight

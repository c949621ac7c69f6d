// The panel at the window's right edge: the cards of what is selected, whatever page is shown, or icons that
// name it.
#pragma once

#include "gui/selection/selection_cards.h"

#include <QString>
#include <QWidget>
#include <string>
#include <vector>

class QScrollArea;
class QVBoxLayout;

namespace sparsight {

class SelectionPanel : public QWidget {
    Q_OBJECT

public:
    SelectionPanel(Services services, const TrainingRuns& runs, QWidget* parent = nullptr);

    /// A domain's own cards, instead of the general ones.
    void set_cards(std::string domain, SelectionCard* workload, SelectionCard* configuration);
    [[nodiscard]] QSize sizeHint() const override;

    /// Icons alone, one for each card; their tooltips name what is selected.
    void set_folded(bool is_folded);
    [[nodiscard]] bool is_folded() const { return is_folded_; }
    /// The width that the cards need, also in large type and beside the scroll bar that large type needs; no
    /// more than leaves room for a page.
    [[nodiscard]] int cards_width() const;
    /// The cards over the window, until the user looks at something else: for a window that has no room for
    /// them beside the page.
    void pop_up();

Q_SIGNALS:
    void page_requested(const QString& id);
    void cards_requested(); ///< an icon of the folded panel was clicked

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
    void show_icons();

    Services services_;
    std::vector<DomainCards> of_domains_;
    SelectionCard* machine_;
    SelectionCard* model_;
    QWidget* content_; ///< the cards
    QVBoxLayout* column_;
    QScrollArea* scroll_;  ///< over the cards
    QWidget* icon_column_; ///< of the folded panel
    QVBoxLayout* icons_;
    bool is_folded_ = false;
};

} // namespace sparsight

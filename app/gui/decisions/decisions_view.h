// How decisions and times hang together over all configurations of one workload: parallel coordinates, a map
// over two decisions, and the distribution of the times. The selected configuration is marked in each of
// them, and a click selects another one. The brushes of the first hold for the others, too.
#pragma once

#include "gui/decisions/decision_pictures.h"
#include "study/domain.h"

#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

class QComboBox;
class QPushButton;
class QStackedWidget;

namespace sparsight {

class Chart;
class HeatMap;
class ParallelPlot;

class DecisionsView : public QWidget {
    Q_OBJECT

public:
    /// `shown`: the set of times that is looked at, read when the view is shown.
    explicit DecisionsView(std::function<const TimeSet&()> shown, QWidget* parent = nullptr);

    void set_noun(const Noun& configuration);
    /// shown() is another one.
    void set_changed();
    void set_selected(const QString& configuration);
    [[nodiscard]] bool is_settled() const; ///< nothing is drawn in the background

Q_SIGNALS:
    void picked(const QString& configuration);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void build_choices();
    void follow();
    void fill_decisions();
    void show_plot();
    void show_kept();
    void show_pair();
    void fill_map();
    void show_marks();
    [[nodiscard]] std::optional<DecisionPair> pair() const;

    std::function<const TimeSet&()> shown_;
    Noun configuration_;
    DecisionSpace space_;
    std::vector<std::size_t> kept_; ///< rows of the space: all, or those that the brushes leave
    QString selected_;
    bool is_stale_ = true;
    QComboBox* plot_;
    QPushButton* clear_;
    QWidget* pair_choice_;
    QComboBox* across_;
    QComboBox* down_;
    QStackedWidget* plots_;
    ParallelPlot* lines_;
    HeatMap* pairs_;
    Chart* distribution_;
};

} // namespace sparsight

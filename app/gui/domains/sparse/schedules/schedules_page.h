// Measures schedules on the selected matrix and shows which of them win: the ranking, the speedups, and the
// selected schedule from inside.
#pragma once

#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/domains/sparse/schedules/ranked_results.h"
#include "gui/domains/sparse/schedules/result_summary.h"
#include "gui/domains/sparse/schedules/results_model.h"
#include "gui/page/page.h"
#include "gui/selection/selection.h"

class QLabel;
class QSplitter;
class QStackedWidget;

namespace sparsight {

class Chart;
struct CostSetting;
class DataTable;
class ElidedLabel;
class MeasurePanel;
class NoTimes;
class ScheduleDetails;
class TimelineView;
class WhyView;

class SchedulesPage : public Page {
    Q_OBJECT

public:
    explicit SchedulesPage(SparseServices services, QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;
    [[nodiscard]] QString help_topic() const override { return QStringLiteral("measuring"); }
    [[nodiscard]] MeasurePanel& measure_panel() { return *measure_; }

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void build_table();
    void build_chart();
    void follow();
    void ask_for_results();
    [[nodiscard]] bool is_of_this_machine() const; ///< what is shown
    void show_results();
    void keep_what_is_measured_anew();
    void choose_best();
    [[nodiscard]] bool has_result(const std::string& schedule) const;
    void mark_selected();
    void show_empty();
    void show_machine();
    void show_this_machine();
    void show_headline();
    [[nodiscard]] bool is_low() const; ///< remarks leave their room to the ranking
    void show_remarks();
    void show_chart();
    void show_details();
    void show_why();
    [[nodiscard]] std::optional<SuperSchedule> selected_schedule() const;
    [[nodiscard]] CostSetting cost_setting() const;
    void select_result(const RankedResult& result);
    void measure_edited(const QString& schedule);

    SparseServices services_;
    bool is_filling_ = false;
    bool is_short_ = false;   ///< the headline
    QString chosen_for_user_; ///< the best so far, while the user has chosen no other
    Selected followed_;
    bool is_carried_over_ = false; ///< the schedule was selected with another matrix
    ResultsReader reader_;
    std::vector<RankedResult> results_; ///< as they are shown
    BaselineNote baseline_note_;
    ResultsModel model_;
    MeasurePanel* measure_;
    QLabel* machine_; ///< which, where it is not this computer, and one that has more times
    QLabel* headline_;
    ElidedLabel* collected_; ///< that the times are not compared in turns
    QLabel* baseline_;
    QSplitter* splitter_;
    QSplitter* left_;
    QStackedWidget* stack_;
    NoTimes* empty_;
    Chart* chart_;
    DataTable* table_;
    ScheduleDetails* details_;
    TimelineView* timeline_;
    WhyView* why_;
};

} // namespace sparsight

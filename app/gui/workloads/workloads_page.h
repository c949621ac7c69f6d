// The workloads of a domain as a table: the numbers that its domain describes them by, and what else is known
// of each. Below, of the selected one: how its times spread on every machine, what the decisions of its
// configurations are, and which configuration is the fastest on each machine.
#pragma once

#include "gui/page/page.h"
#include "gui/workloads/workload_columns.h"
#include "gui/workloads/workload_times.h"
#include "gui/workspace/background_work.h"
#include "widgets/table/record_model.h"

#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

class QLabel;
class QSplitter;
class QStackedWidget;

namespace sparsight {

class Card;
class Chart;
class DataTable;
class EmptyState;
class ImportReport;

class WorkloadsPage : public Page {
    Q_OBJECT

public:
    explicit WorkloadsPage(Services services, QWidget* parent = nullptr);

    [[nodiscard]] QString title(const Domain& domain) const override;
    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void build_details();
    void show_contents();
    /// The first that came with an import that has just ended; false where there is none.
    [[nodiscard]] bool select_new();
    void make_room_for(qsizetype workloads);
    void show_words();
    void make_columns(const std::vector<WorkloadRow>& rows);
    void follow();
    void ask_for_times();
    void show_times(const WorkloadTimes& times);
    void show_curves(const std::vector<MachineTimes>& machines);
    void show_decisions(const std::vector<DecisionSummary>& decisions);
    void mark_machine();
    /// The curve of the row that is current in the table.
    void mark_curve();

    Services services_;
    std::unique_ptr<RecordModel<WorkloadRow>> model_;
    QString shown_;       ///< the workload whose times are shown or read
    QStringList columns_; ///< facts in the order of the columns, behind the domain
    RecordModel<MachineTimes> best_;
    QStackedWidget* stack_;
    QSplitter* splitter_;
    DataTable* list_;
    QLabel* headline_;
    QLabel* counts_;
    QSplitter* figures_;
    Chart* chart_;
    QLabel* left_out_; ///< of the chart
    Card* decisions_card_;
    QLabel* decisions_;
    QLabel* best_title_;
    DataTable* best_table_;
    ImportReport* imported_;
    bool selects_new_ = false; ///< an import has ended, and what it brought is not selected yet
    EmptyState* empty_;
    bool is_filling_ = false;
    bool is_stale_ = true;         ///< the workspace has changed while the page was not shown
    bool has_own_heights_ = false; ///< the user has chosen them
    NewestAnswer<Result<WorkloadTimes>> answers_{this};
};

} // namespace sparsight

// What models are worth: speedups over fixed CSR matrix by matrix, predicted against measured, the figures
// with their intervals, and the rows behind them.
#pragma once

#include "gui/jobs/job.h"
#include "gui/page/page.h"
#include "gui/page/services.h"
#include "gui/results/result_rows.h"
#include "gui/results/stored_evaluations.h"
#include "gui/workspace/newest_answer.h"

#include <memory>

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;
class QSplitter;
class QStackedWidget;

namespace sparsight {

class Chart;
class DataTable;
class EmptyState;
class EvaluatePanel;
class TrainingRuns;

class ResultsPage : public Page {
    Q_OBJECT

public:
    ResultsPage(Services services, TrainingRuns& runs, QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

    [[nodiscard]] EvaluatePanel& panel() { return *panel_; }
    [[nodiscard]] Chart& bars() { return *bars_; }
    [[nodiscard]] Chart& scatter() { return *scatter_; }
    [[nodiscard]] DataTable& table() { return *table_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Read {
        std::vector<StoredEvaluation> evaluations;
        std::shared_ptr<const ModelEvaluation> shown; ///< none where there is none, or it can't be read
        RunId run{};
        QString problem;
        bool is_as_before = false; ///< what is shown need not be evaluated again
    };

    void build();
    void build_charts();
    void build_tables();
    void build_empty();
    void follow_file();
    void follow_job(const JobId& id);
    void read();
    void read_anew();
    [[nodiscard]] QString entry_of(const StoredEvaluation& one) const;
    void take(Result<Read> answer);
    void show_evaluation();
    void show_scatter();
    void follow();
    void select(const QString& matrix);
    void copy_markdown();
    void save_report();

    Services services_;
    TrainingRuns& runs_;
    std::vector<StoredEvaluation> evaluations_;
    std::shared_ptr<const ModelEvaluation> evaluation_;
    std::optional<RunId> wanted_; ///< chosen by the user; otherwise the newest is looked at
    SummaryModel summary_rows_;
    MatrixResultsModel matrix_rows_;
    EvaluatePanel* panel_;
    QComboBox* choice_;
    QLabel* headline_;
    Chart* bars_;
    Chart* scatter_;
    QCheckBox* selected_only_;
    DataTable* summary_;
    DataTable* table_;
    EmptyState* empty_;
    QStackedWidget* stack_;
    QSplitter* rows_;
    QSplitter* charts_;
    QAction* copy_;
    QAction* report_;
    bool is_filling_ = false;
    bool is_outdated_ = false; ///< the file changed while nobody looked
    bool must_evaluate_ = true;
    NewestAnswer<Result<Read>> reader_{this};
};

} // namespace sparsight

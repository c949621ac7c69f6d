// What models are worth: speedups over fixed CSR matrix by matrix, predicted against measured, the figures
// with their intervals, and the rows behind them.
#pragma once

#include "gui/jobs/job.h"
#include "gui/page/page.h"
#include "gui/page/services.h"
#include "gui/results/evaluation_reader.h"
#include "gui/results/result_rows.h"
#include "gui/workspace/newest_answer.h"

#include <memory>

class QComboBox;
class QLabel;
class QSplitter;
class QStackedWidget;

namespace sparsight {

class Chart;
class DataTable;
class EmptyState;
class EvaluatePanel;
class ResultCharts;
class ResultExports;
class TrainingRuns;

class ResultsPage : public Page {
    Q_OBJECT

public:
    ResultsPage(Services services, TrainingRuns& runs, QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

    [[nodiscard]] EvaluatePanel& panel() { return *panel_; }
    [[nodiscard]] Chart& bars();
    [[nodiscard]] Chart& scatter();
    [[nodiscard]] DataTable& table() { return *table_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    [[nodiscard]] QLayout* make_tools();
    void build_tables();
    void build_empty();
    void follow_file();
    void follow_job(const JobId& id);
    void read();
    void read_anew();
    [[nodiscard]] QString entry_of(const StoredEvaluation& one) const;
    void take(Result<ReadEvaluations> answer);
    void show_choice(RunId run);
    void show_evaluation(const ReadEvaluations& read);
    void make_room_for(std::size_t models);
    void follow();
    void select(const QString& matrix);
    void offer_selected_rows();

    Services services_;
    TrainingRuns& runs_;
    std::vector<StoredEvaluation> evaluations_;
    std::optional<RunId> wanted_; ///< chosen by the user; otherwise the newest is looked at
    SummaryModel summary_rows_;
    MatrixResultsModel matrix_rows_;
    EvaluatePanel* panel_;
    QComboBox* choice_;
    QLabel* headline_;
    QLabel* remarks_; ///< what is missing, less loud
    ResultCharts* charts_;
    ResultExports* exports_;
    DataTable* summary_;
    DataTable* table_;
    EmptyState* empty_;
    QStackedWidget* stack_;
    QSplitter* rows_;
    StoredEvaluation shown_;
    std::int64_t dense_ = 1; ///< of the same
    std::size_t models_shown_ = 0;
    bool has_own_heights_ = false; ///< the user has moved what divides figures and tables
    bool is_filling_ = false;
    bool is_outdated_ = false; ///< the file changed while nobody looked
    bool must_evaluate_ = true;
    NewestAnswer<Result<ReadEvaluations>> reader_{this};
};

} // namespace sparsight

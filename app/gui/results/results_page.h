// The Results page: how good the models are, by their speedups over the baseline on each workload, predicted
// against measured, summary figures with their intervals, and the rows behind them. A choice above selects
// one of the workspace's evaluations.
#pragma once

#include "gui/jobs/job.h"
#include "gui/page/page.h"
#include "gui/results/evaluation_reader.h"
#include "gui/results/result_view.h"
#include "gui/runs/evaluation_list.h"
#include "gui/workspace/background_work.h"
#include "widgets/look/eliding_combo_box.h"

#include <memory>
#include <vector>

class QStackedWidget;

namespace sparsight {

class Chart;
class DataTable;
class EmptyState;
class EvaluatePanel;
class EvaluationChoice;
class ModelChip;
class TrainingRuns;
struct Selected;

class ResultsPage : public Page {
    Q_OBJECT

public:
    /// `has_simulator`: as of EvaluatePanel.
    ResultsPage(Services services, TrainingRuns& runs, const Domain& domain, bool has_simulator,
                const OfferComparison& offer_comparison = {}, QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

    [[nodiscard]] EvaluatePanel& panel() { return *panel_; }
    [[nodiscard]] Chart& bars();
    [[nodiscard]] Chart& scatter();
    [[nodiscard]] DataTable& table();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void build_empty();
    void connect_view();
    void follow_file();
    void follow_job(const JobId& id);
    void read();
    void read_anew();
    void take(Result<ReadEvaluations> answer);
    [[nodiscard]] QStringList notes_on(const ReadEvaluations& read, const StoredEvaluation& stored) const;
    void follow(const Selected& now, const Selected& before);
    /// The newest evaluation of the selected model, where there is one.
    void turn_to_selected_model();
    void show_model_chip();

    Services services_;
    TrainingRuns& runs_;
    const Domain& domain_;
    std::vector<StoredEvaluation> evaluations_;
    EvaluationWish wanted_;
    QStringList shown_models_;
    EvaluatePanel* panel_;
    ModelChip* other_model_;
    EvaluationChoice* choice_;
    ResultView* view_;
    EmptyState* empty_;
    QStackedWidget* stack_;
    bool is_outdated_ = false; ///< the file changed while the page was hidden
    bool must_evaluate_ = true;
    NewestAnswer<Result<ReadEvaluations>> reader_{this};
};

class EvaluationChoice : public ElidingComboBox {
    Q_OBJECT

public:
    EvaluationChoice(Services services, Noun workload, QWidget* parent = nullptr);

    /// `is_running`: a job of this window works at the evaluation that is marked as running.
    void show_evaluations(const std::vector<StoredEvaluation>& evaluations, RunId shown, bool is_running);

Q_SIGNALS:
    /// The user chose an evaluation: a RunId, as a plain number.
    void chosen(qint64 run);

private:
    [[nodiscard]] QString entry_of(const StoredEvaluation& one, bool is_running) const;

    Services services_;
    Noun workload_;
    bool is_filling_ = false;
};

} // namespace sparsight

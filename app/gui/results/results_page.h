// What models are worth: speedups over fixed CSR matrix by matrix, predicted against measured, the figures
// with their intervals, and the rows behind them.
#pragma once

#include "gui/jobs/job.h"
#include "gui/page/page.h"
#include "gui/page/services.h"
#include "gui/results/evaluation_reader.h"
#include "gui/workspace/newest_answer.h"

#include <memory>

class QStackedWidget;

namespace sparsight {

class Chart;
class DataTable;
class EmptyState;
class EvaluatePanel;
class EvaluationChoice;
class ResultView;
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
    [[nodiscard]] QStringList notes_on(const ReadEvaluations& read) const;
    void follow();

    Services services_;
    TrainingRuns& runs_;
    std::vector<StoredEvaluation> evaluations_;
    std::optional<RunId> wanted_; ///< chosen by the user; otherwise the newest is looked at
    EvaluatePanel* panel_;
    EvaluationChoice* choice_;
    ResultView* view_;
    EmptyState* empty_;
    QStackedWidget* stack_;
    bool is_outdated_ = false; ///< the file changed while nobody looked
    bool must_evaluate_ = true;
    NewestAnswer<Result<ReadEvaluations>> reader_{this};
};

} // namespace sparsight

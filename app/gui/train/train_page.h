// Trains cost models: what and how at the left, at the right the curves of the runs that are chosen in the
// table below them, live where a worker is at it.
#pragma once

#include "gui/jobs/job_request.h"
#include "gui/page/page.h"
#include "gui/page/services.h"
#include "gui/runs/training_runs.h"
#include "gui/train/configuration_diff.h"
#include "gui/train/runs_model.h"

class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace sparsight {

class DataTable;
class EmptyState;
class RunHeader;
class TrainingCharts;
class TrainingForm;

class TrainPage : public Page {
    Q_OBJECT

public:
    TrainPage(Services services, TrainingRuns& runs, QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

    [[nodiscard]] TrainingForm& form() { return *form_; }
    [[nodiscard]] TrainingCharts& charts() { return *charts_; }
    [[nodiscard]] RunHeader& header() { return *header_; }
    [[nodiscard]] DataTable& table() { return *table_; }
    [[nodiscard]] RunsModel& runs_model() { return model_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void build_table();
    void build_empty();
    void follow_runs();
    void follow_job(const JobId& id);
    void show_rows();
    void show_header();
    void show_curves();
    void choose_run(RunId run);
    void keep(RunId run);
    void go_on(RunId run);
    void work_at(RunId run, const JobDescription& description);
    void discard(RunId run);
    /// Those that are drawn: of the table what is selected, no more than there are colours.
    [[nodiscard]] std::vector<RunId> shown_runs() const;
    [[nodiscard]] std::optional<RunId> current_run() const;
    [[nodiscard]] bool is_live(RunId run) const;

    Services services_;
    TrainingRuns& runs_;
    RunsModel model_;
    ConfigurationModel configuration_;
    TrainingForm* form_;
    RunHeader* header_;
    TrainingCharts* charts_;
    DataTable* table_;
    DataTable* differences_;
    QTabWidget* tabs_;
    EmptyState* empty_;
    QStackedWidget* stack_;
    QSplitter* splitter_;
    QSplitter* right_;
    JobId job_;                            ///< the one that was started here last, until its run is known
    std::optional<RunId> chosen_for_user_; ///< the newest, while the user has chosen no other
    bool is_filling_ = false;
    bool is_outdated_ = false; ///< while it is not visible
};

} // namespace sparsight

// Adapts a model to a machine from few measurements, and shows what how many of them are worth.
#pragma once

#include "gui/jobs/job.h"
#include "gui/page/page.h"
#include "gui/page/services.h"
#include "gui/runs/training_runs.h"
#include "gui/train/runs_model.h"
#include "widgets/table/record_model.h"

class QComboBox;
class QLabel;
class QSplitter;
class QStackedWidget;

namespace sparsight {

class Chart;
class DataTable;
class EmptyState;
class FineTuneForm;
class RunHeader;

class FineTunePage : public Page {
    Q_OBJECT

public:
    FineTunePage(Services services, TrainingRuns& runs, QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

    [[nodiscard]] FineTuneForm& form() { return *form_; }
    [[nodiscard]] Chart& chart() { return *chart_; }
    [[nodiscard]] DataTable& table() { return *table_; }

private:
    void build();
    void build_chart();
    void build_empty();
    void follow_runs();
    void follow_job(const JobId& id);
    void choose_run(RunId run);
    void show_rows();
    void show_header();
    void show_curve();
    [[nodiscard]] std::optional<RunId> current_run() const;

    Services services_;
    TrainingRuns& runs_;
    RecordModel<RunRow> model_;
    FineTuneForm* form_;
    RunHeader* header_;
    QComboBox* metric_;
    Chart* chart_;
    QLabel* sentence_;
    DataTable* table_;
    EmptyState* empty_;
    QStackedWidget* stack_;
    QSplitter* splitter_;
    QSplitter* right_;
    JobId job_; ///< the one that was started here last, until its run is known
    std::optional<RunId> chosen_for_user_;
    bool is_filling_ = false;
};

} // namespace sparsight

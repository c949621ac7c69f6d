// What the learning pages (Train, Fine-tune) share: at the left a form that starts a job, at the right the
// shown run with its curves, above the table of all runs of that kind. The model that a training of this
// window makes is selected next.
#pragma once

#include "gui/jobs/job.h"
#include "gui/jobs/job_request.h"
#include "gui/page/page.h"
#include "gui/runs/training_runs.h"
#include "gui/train/runs_model.h"

#include <QString>
#include <memory>
#include <optional>

class QSplitter;
class QStackedWidget;

namespace sparsight {

class DataTable;
class EmptyState;
class RunHeader;

class TrainedModelSelection {
public:
    TrainedModelSelection(Services services, const TrainingRuns& runs)
        : services_(services)
        , runs_(runs) {}

    /// Waits for this job, which the user has started.
    void await(const JobId& job);
    /// Once the job's model is read: selects it, unless the user has selected another model, or asked
    /// something of the selected one, since.
    void follow();

private:
    [[nodiscard]] bool is_in_use(const QString& model, const QDateTime& since) const;

    struct Awaited {
        JobId job;
        QString selected_before;
    };

    Services services_;
    const TrainingRuns& runs_;
    std::optional<Awaited> awaited_;
};

class LearningPage : public Page {
    Q_OBJECT

public:
    struct Kind {
        PagePlace place;
        QString id; ///< id of the page
        QString title;
        QString icon;
        QString run; ///< stored kind of the runs
        JobKind job;
        QString advice = {}; ///< what to do where boosted trees are better; empty: what helps everywhere
    };

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

    [[nodiscard]] RunHeader& header() { return *header_; }
    [[nodiscard]] DataTable& table() { return *table_; }
    [[nodiscard]] RecordModel<RunRow>& runs_model() { return *model_; }

protected:
    LearningPage(const Kind& kind, Services services, TrainingRuns& runs, const Domain& domain,
                 std::unique_ptr<RecordModel<RunRow>> model, QWidget* parent);

    /// Call it once the parts are made. `below` contains the table or is the table. A low window scrolls, so
    /// that `view` keeps its least height.
    void lay_out(QWidget* form, QWidget* view, QWidget* below, const QList<int>& heights,
                 int least_height = 288);
    /// Call it once everything is laid out: shows the runs.
    void begin();
    /// The form has started this job: its run is shown as soon as there is one.
    void await(const JobId& job);
    void show_curves();
    void showEvent(QShowEvent* event) override;

    [[nodiscard]] Services& services() { return services_; }
    [[nodiscard]] const TrainingRuns& runs() const { return runs_; }
    [[nodiscard]] TrainingRuns& runs() { return runs_; }
    [[nodiscard]] EmptyState& empty() { return *empty_; }
    [[nodiscard]] const Domain& domain() const { return domain_; }
    /// The runs selected in the table, no more than there are colours.
    [[nodiscard]] std::vector<RunId> shown_runs() const;

    /// Selects the model of the shown run while no other model is selected.
    void select_what_is_looked_at();
    /// The model that the run shows; empty without one.
    [[nodiscard]] virtual QString model_looked_at(const TrainingRun& run) const;

    virtual void draw_curves(const std::vector<RunId>& shown) = 0;
    /// Whether everything drawn for the run is read.
    [[nodiscard]] virtual bool is_read(RunId run) const = 0;
    virtual void show_empty_text() = 0;
    virtual void rows_shown() {} ///< the rows, or which of them are drawn, have changed
    /// Whether each drawn run has its own colour.
    [[nodiscard]] virtual bool has_colours() const { return false; }
    [[nodiscard]] virtual QByteArray view_state() const = 0;
    virtual void restore_view(const QByteArray& state) = 0;

private:
    void connect_table();
    void follow_runs();
    void follow_job(const JobId& id);
    void show_rows();
    void show_header();
    /// Whether it has chosen another run than before.
    bool choose_what_to_look_at();
    void choose_run(RunId run);
    void choose_at(std::size_t place);
    [[nodiscard]] std::vector<RunId> displayed_runs() const;
    [[nodiscard]] std::optional<RunId> current_run() const;
    [[nodiscard]] bool begins() const;

    Services services_;
    TrainingRuns& runs_;
    const Domain& domain_;
    Kind kind_;
    std::unique_ptr<RecordModel<RunRow>> model_;
    RunHeader* header_;
    DataTable* table_;
    EmptyState* empty_;
    QStackedWidget* stack_;
    QSplitter* splitter_;
    QSplitter* right_;
    TrainedModelSelection new_model_;
    JobId job_; ///< last job started here, until its run is known or another run is chosen
    std::optional<RunId> chosen_for_user_; ///< shown while the user has chosen no other
    std::optional<RunId> begun_here_;      ///< the run of the last job started here
    bool is_filling_ = false;
    bool is_outdated_ = false; ///< something changed while the page was hidden
};

} // namespace sparsight

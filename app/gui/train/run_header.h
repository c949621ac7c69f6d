// The header of a learning page: the shown run's progress, facts and buttons, and the user's decisions about
// a run that stopped early: resume it, keep its best weights, or discard it.
#pragma once

#include "gui/jobs/job.h"
#include "gui/jobs/job_request.h"
#include "gui/page/page.h"
#include "gui/runs/training_runs.h"
#include "study/domain.h"

#include <QObject>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QWidget;

namespace sparsight {

class Chip;
class JobService;

class RunHeader : public QWidget {
    Q_OBJECT

public:
    /// `advice`: see baseline_sentence().
    RunHeader(JobService& jobs, TrainingRuns& runs, const DomainWords& words, QString advice,
              QWidget* parent = nullptr);

    /// Shows the job that works at the run, or the run alone after the job is gone; with neither, nothing.
    void show_run(const std::optional<Job>& job, std::optional<RunId> run);

Q_SIGNALS:
    void keep_requested(qint64 run);
    void going_on_requested(qint64 run);
    void discard_requested(qint64 run);
    void again_requested(qint64 run); ///< copy the run's settings into the form

private:
    void show_state();
    void show_facts();
    void show_buttons();
    void show_pause(bool is_paused);
    void pause_or_resume();
    [[nodiscard]] bool waits_for_a_decision() const; ///< the run was stopped, and no model of it was kept

    [[nodiscard]] bool has_weights_to_keep() const;

    JobService& jobs_;
    TrainingRuns& runs_;
    DomainWords words_;
    QString advice_;
    std::optional<Job> job_;
    std::optional<RunId> run_;
    QLabel* title_;
    Chip* state_;
    QLabel* facts_;
    QLabel* verdict_; ///< comparison with boosted trees
    QLabel* question_;
    QProgressBar* bar_;
    QPushButton* pause_;
    QPushButton* stop_;
    QPushButton* go_on_;
    QPushButton* keep_;
    QPushButton* discard_;
    QPushButton* again_;
};

class RunDecisions : public QObject {
    Q_OBJECT

public:
    /// Follows the buttons of the header; questions open over `page`.
    RunDecisions(Services services, const TrainingRuns& runs, const RunHeader& header, QWidget& page);

Q_SIGNALS:
    void started(const JobId& job); ///< the job that works at the run
    void notice(const QString& text, bool is_error, const QString& topic);

private:
    void work_at(RunId run, const JobDescription& description);
    void ask_to_discard(RunId run);
    void discard(RunId run);

    Services services_;
    const TrainingRuns& runs_;
    QWidget& page_;
};

} // namespace sparsight

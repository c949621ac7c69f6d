// Learning from failures: their measurements wait for the next fine-tuning of the model that failed; it is
// fine-tuned with them, and both models are compared on the same matrices as before.
#pragma once

#include "gui/failures/failure_reader.h"
#include "gui/jobs/job_request.h"
#include "gui/page/services.h"

#include <QObject>

namespace sparsight {

class CaseStudy;
class TrainingRuns;

class TuningPlan : public QObject {
    Q_OBJECT

public:
    TuningPlan(Services services, TrainingRuns& runs, QObject* parent = nullptr);

    /// What is looked at: another model, machine or workspace begins a list of its own.
    void set_case(const CaseStudy& study);

    [[nodiscard]] const QStringList& matrices() const { return matrices_; }
    /// The case's matrix joins the list; on this computer both schedules, those between them and the change
    /// that would win are measured, where they are not yet.
    void add(const CaseStudy& study);
    void clear();
    void fine_tune();
    // Empty: it can be done.
    [[nodiscard]] QString adding_refusal(const CaseStudy& study) const;
    [[nodiscard]] QString tuning_refusal() const;
    /// What is done for it now, if anything.
    [[nodiscard]] std::optional<Job> job() const;
    /// Name of the model that came of it last; empty before.
    [[nodiscard]] const QString& tuned_model() const { return tuned_; }
    [[nodiscard]] const QString& model() const { return model_; }
    /// Of the last fine-tuning: "pairs in the right order: …".
    [[nodiscard]] const QString& outcome() const { return outcome_; }

Q_SIGNALS:
    void changed();
    void notice(const QString& text, bool is_problem, const QString& action);

private:
    [[nodiscard]] FineTuneJob request() const;
    [[nodiscard]] QString free_name() const;
    [[nodiscard]] LaunchConditions conditions() const;
    void take_end(const JobId& id);
    void compare_both();
    std::optional<JobId> start(const JobRequest& request, const QString& action);

    Services services_;
    TrainingRuns& runs_;
    QString workspace_;
    QString model_;
    FailureSetting setting_;
    QStringList matrices_;
    std::optional<JobId> job_;
    QString tuned_;
    QString outcome_;
};

} // namespace sparsight

// Learning from failures: matrices on which a model failed become training matrices of its next fine-tuning,
// and both models are compared on held-out matrices that neither has learned from. Each step is a job that
// this plan started and knows by its identity, so that other jobs, a pause, or a window that was closed
// meanwhile don't break the chain.
#pragma once

#include "gui/failures/failure_reader.h"
#include "gui/failures/tuning/tuning_comparison.h"
#include "gui/failures/tuning/tuning_state.h"
#include "gui/jobs/job_request.h"
#include "gui/page/page.h"

#include <QObject>

namespace sparsight {

class CaseStudy;
class TrainingRuns;

class TuningPlan : public QObject {
    Q_OBJECT

public:
    TuningPlan(Services services, TrainingRuns& runs, QObject* parent = nullptr);

    /// What is looked at. Each model has a list of its own, by workspace, machine and operator.
    void set_case(const CaseStudy& study);
    /// Whether this job evaluates both models of a plan.
    [[nodiscard]] bool is_comparison(const Job& job) const;
    /// What would have to be read of the model that is looked at; nothing where all is told.
    [[nodiscard]] std::optional<WantedFailures> wanted_comparison() const;
    /// What was read: where both models were evaluated, that is the comparison.
    void take_failures(const ReadFailures& read);

    /// Of the model that is looked at; empty before anything was added.
    [[nodiscard]] const TuningState& state() const;
    [[nodiscard]] const QString& model() const { return looked_at_.model; }
    [[nodiscard]] const QStringList& matrices() const { return state().matrices; }
    /// Name of the model that came of it last, or will; empty before.
    [[nodiscard]] const QString& tuned_model() const { return state().tuned; }

    /// The case's matrix becomes a training matrix; on this computer both schedules, those between them and
    /// the change that would win are measured, where they are not yet, and what is fast there is searched
    /// for.
    void add(const CaseStudy& study);
    void clear();
    void fine_tune();
    /// Once more, where the evaluation of both models did not come to its end.
    void compare();
    // Empty: it can be done.
    [[nodiscard]] QString adding_refusal(const CaseStudy& study) const;
    [[nodiscard]] QString tuning_refusal() const;
    [[nodiscard]] QString clearing_refusal() const;
    [[nodiscard]] QString comparing_refusal() const;
    /// On which both models would be compared, were `matrix` added, too.
    [[nodiscard]] HeldOutMatrices held_out(const QString& matrix = {}) const;
    /// What is done for it now, if anything: a job that waits, runs or is paused.
    [[nodiscard]] std::optional<Job> job() const;

Q_SIGNALS:
    void changed();
    void notice(const QString& text, bool is_problem, const QString& action);

private:
    [[nodiscard]] std::optional<std::size_t> found() const;
    [[nodiscard]] TuningState& found_or_made();
    [[nodiscard]] FineTuneJob request() const;
    [[nodiscard]] QString free_name() const;
    [[nodiscard]] LaunchConditions conditions() const;
    /// Looks at the jobs of all plans and takes the next steps.
    void advance();
    bool advance_measuring(TuningState& state);
    bool advance_tuning(TuningState& state);
    bool advance_comparing(TuningState& state);
    void start_comparing(TuningState& state);
    void keep();
    std::optional<JobId> start(const JobRequest& request, const QString& action);

    Services services_;
    TrainingRuns& runs_;
    TuningStates states_;
    TuningState looked_at_; ///< without anything added
    FailureSetting setting_;
    bool is_advancing_ = false;
};

// What learning from failures asks of the worker.

/// The schedules of a case that teach most: both sides, what lies between them, and what would win. The study
/// has a subject.
[[nodiscard]] CollectJob measuring_request(const CaseStudy& study, const QString& workspace);

/// What is fast there is searched for by measuring. A path from one schedule to the other alone tells a model
/// little of a matrix: of 13 failures on the other matrices of a family 9 stayed after five matrices were
/// added without a search, of 12 two after the same five were searched.
[[nodiscard]] CollectJob searching_request(const CaseStudy& study, const QString& workspace);

/// Both models on what neither has learned from, and on what the tuned one was to learn from.
[[nodiscard]] EvaluateJob comparison_request(const TuningState& state);

} // namespace sparsight

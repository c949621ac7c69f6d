// Fine-tuning on failures: matrices on which a model failed become training matrices of its next fine-tuning,
// and both models are compared on held-out matrices that neither has learned from. The plan starts every step
// as a job and recognises it by its id, so that other jobs, a pause or a closed window don't break the chain.
#pragma once

#include "gui/domains/sparse/failures/failure_reader.h"
#include "gui/domains/sparse/failures/tuning/tuning_comparison.h"
#include "gui/domains/sparse/failures/tuning/tuning_state.h"
#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/page/page.h"

#include <QObject>

namespace sparsight {

class CaseStudy;
class TrainingRuns;

class TuningPlan : public QObject {
    Q_OBJECT

public:
    TuningPlan(Services services, TrainingRuns& runs, QObject* parent = nullptr);

    /// Sets the shown case. Each model has its own list, by workspace, machine and operator.
    void set_case(const CaseStudy& study);
    /// Whether this job evaluates both models of a plan.
    [[nodiscard]] bool is_comparison(const Job& job) const;
    /// The failures to read for the comparison of the shown model; nothing where all are known.
    [[nodiscard]] std::optional<WantedFailures> wanted_comparison() const;
    /// Takes the failures that were read; where both models were evaluated, they are the comparison.
    void take_failures(const SparseFailures& read);

    /// The state of the shown model; empty before a matrix was added.
    [[nodiscard]] const TuningState& state() const;
    [[nodiscard]] const QString& model() const { return looked_at_.model; }
    [[nodiscard]] const QStringList& matrices() const { return state().matrices; }
    /// Name of the model that the last fine-tuning made, or that the running one will make; empty before the
    /// first.
    [[nodiscard]] const QString& tuned_model() const { return state().tuned; }

    /// Adds the case's matrix to the training matrices. On this computer, unmeasured schedules are measured
    /// first (both sides, those between them and the change that would win), and a search by measured times
    /// looks for fast ones.
    void add(const CaseStudy& study);
    void clear();
    void fine_tune();
    /// Runs the comparison again, where the evaluation of both models did not finish.
    void compare();
    // Empty: the action is possible.
    [[nodiscard]] QString adding_refusal(const CaseStudy& study) const;
    [[nodiscard]] QString tuning_refusal() const;
    [[nodiscard]] QString clearing_refusal() const;
    [[nodiscard]] QString comparing_refusal() const;
    /// The matrices on which both models would be compared if `matrix` were added, too.
    [[nodiscard]] HeldOutMatrices held_out(const QString& matrix = {}) const;
    /// The job of the plan that waits, runs or is paused.
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
    TuningState looked_at_; ///< the state of the shown model while no matrix was added
    FailureSetting setting_;
    bool is_advancing_ = false;
};

/// Measures the schedules of a case that teach most: both sides, the schedules between them, and the change
/// that would win. The study has a subject.
[[nodiscard]] CollectSchedulesJob measuring_request(const CaseStudy& study, const QString& workspace);

/// Searches for fast schedules by measuring. The path from one schedule to the other teaches a model little
/// about a matrix: after five matrices were added without a search, 9 of 13 failures on the other matrices of
/// a family remained; after the same five matrices were searched, 2 of 12.
[[nodiscard]] CollectSchedulesJob searching_request(const CaseStudy& study, const QString& workspace);

/// Evaluates both models on the held-out matrices, and on the matrices that the tuned model was to learn
/// from.
[[nodiscard]] EvaluateJob comparison_request(const TuningState& state);

} // namespace sparsight

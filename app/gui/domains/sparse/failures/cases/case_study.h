// Everything known about the chosen failure case. The simulation starts in the background as soon as the case
// is chosen; measurements and the model's reasons come from jobs that the user starts.
#pragma once

#include "domains/sparse/explanation/reasons/model_reasons.h"
#include "gui/domains/sparse/comparison/explanation_drawing.h"
#include "gui/domains/sparse/comparison/pair_explanation.h"
#include "gui/domains/sparse/failures/failure_reader.h"
#include "gui/failures/model_question.h"

#include <QObject>
#include <map>
#include <memory>

namespace sparsight {

class CaseStudy : public QObject {
    Q_OBJECT

public:
    explicit CaseStudy(SparseServices services, QObject* parent = nullptr);

    /// nullptr: no case is chosen.
    void set_case(const FailureCase* failure, const FailureSetting& setting);
    [[nodiscard]] const FailureCase* failure() const { return failure_ ? &*failure_ : nullptr; }
    /// The same case by newer measurements, where these compare a different pair of schedules than the pair
    /// that was measured or that the model was asked about: the older pair stays shown. nullptr: there is no
    /// newer case.
    [[nodiscard]] const FailureCase* newer() const { return newer_ ? &*newer_ : nullptr; }
    void take_newer();
    [[nodiscard]] const FailureSetting& setting() const { return setting_; }
    /// "fixed CSR", "chosen by meta".
    [[nodiscard]] SideTitles titles() const;

    /// nullptr before the study is ready, and where there can't be one: then no_study() says why.
    [[nodiscard]] const PairStudy* simulated() const { return explanation_.simulated(); }
    [[nodiscard]] QString no_study() const;
    /// Why there is no explanation: no pattern, no simulation.
    [[nodiscard]] QString no_explanation() const;
    /// The measured explanation where there is one, otherwise the simulated one; nullptr while there is
    /// neither.
    [[nodiscard]] const ExplanationValues* shown() const { return explanation_.shown(); }
    /// The simulation does not predict that the chosen schedule loses, or predicts less than a quarter of the
    /// loss (FailureDiagnosis::simulation_agrees): its decisions, mechanism and remedies do not describe what
    /// happened. Absent where it agrees, and before there is an explanation.
    [[nodiscard]] std::optional<Disagreement> disagreement() const;
    /// The disagreement in words; empty where there is none.
    [[nodiscard]] QString disagreement_text() const;
    /// What stands behind simulated steps of which a time is far off the known one (is_far_off()), though the
    /// simulation sees the loss. Empty where none is.
    [[nodiscard]] QString distance_text() const;
    /// Where the times of the case come from: "The measurement", "The recorded times", "The evaluation".
    [[nodiscard]] QString clock_name() const;
    [[nodiscard]] const std::optional<ModelReasons>& reasons() const { return reasons_; }
    /// The matrix, where the workspace has it; the pattern stays loaded until another case is chosen.
    [[nodiscard]] std::shared_ptr<const MatrixAnalysis> matrix() const { return explanation_.matrix(); }
    [[nodiscard]] bool is_busy() const { return explanation_.is_busy(); }

    // Empty: the action is possible.
    [[nodiscard]] QString measuring_refusal() const;
    [[nodiscard]] QString asking_refusal() const;
    void measure() { explanation_.measure(); }
    void ask_model();
    /// The unfinished job.
    [[nodiscard]] std::optional<Job> measuring() const { return explanation_.measuring(); }
    [[nodiscard]] std::optional<Job> asking() const;

    /// Both schedules, even where the workspace has no pattern for the matrix; absent where a schedule is
    /// unknown.
    [[nodiscard]] const std::optional<PairSubject>& pair() const { return explanation_.pair(); }
    /// The same pair, only where there is a pattern.
    [[nodiscard]] const std::optional<PairSubject>& subject() const { return explanation_.subject(); }
    /// The loop nest of another schedule on this matrix, as C; empty without a pattern.
    [[nodiscard]] QString code_of(const QString& schedule) const;

Q_SIGNALS:
    void changed();
    void notice(const QString& text, bool is_problem, const QString& action);

private:
    void look_at(const FailureCase* failure, const FailureSetting& setting);
    /// A job has measured the pair or asked the model about it, or is doing so.
    [[nodiscard]] bool is_worth_keeping() const;
    [[nodiscard]] bool is_of(const FailureCase& failure, const FailureSetting& setting) const;
    void read_reasons();
    void follow_job(const JobId& id);
    [[nodiscard]] ReasonsJob reasons_job() const;
    [[nodiscard]] QString common_refusal() const;

    SparseServices services_;
    std::optional<FailureCase> failure_;
    std::optional<FailureCase> newer_;
    std::map<QString, FailureCase> kept_; ///< cases that were measured or that the model was asked about
    FailureSetting setting_;
    PairExplanation explanation_;
    std::optional<ModelReasons> reasons_;
};

} // namespace sparsight

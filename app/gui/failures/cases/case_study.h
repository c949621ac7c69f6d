// Everything that is known of the chosen case: simulated in the background as soon as it is chosen, measured
// and asked of the model by jobs when the user wants it.
#pragma once

#include "evaluation/model_reasons/model_reasons.h"
#include "gui/comparison/explanation_drawing.h"
#include "gui/comparison/pair_study.h"
#include "gui/failures/failure_reader.h"
#include "gui/jobs/job_request.h"
#include "gui/page/page.h"
#include "gui/workspace/background_work.h"
#include "gui/workspace/loaded_matrix.h"

#include <QObject>
#include <map>
#include <memory>

namespace sparsight {

class CaseStudy : public QObject {
    Q_OBJECT

public:
    explicit CaseStudy(Services services, QObject* parent = nullptr);

    /// nullptr: none is looked at.
    void set_case(const FailureCase* failure, const FailureSetting& setting);
    [[nodiscard]] const FailureCase* failure() const { return failure_ ? &*failure_ : nullptr; }
    /// The same case by what was measured since, where that is of another pair of schedules than the one that
    /// was measured or asked of: that one stays. nullptr: there is none.
    [[nodiscard]] const FailureCase* newer() const { return newer_ ? &*newer_ : nullptr; }
    void take_newer();
    [[nodiscard]] const FailureSetting& setting() const { return setting_; }
    /// "fixed CSR", "chosen by meta".
    [[nodiscard]] SideTitles titles() const;

    /// nullptr before it is there, and where it can't be: then no_study() says why.
    [[nodiscard]] const PairStudy* simulated() const { return simulated_.get(); }
    [[nodiscard]] const QString& no_study() const { return no_study_; }
    /// Why there is no explanation: no pattern, no simulation.
    [[nodiscard]] QString no_explanation() const;
    /// The measured one where there is one, otherwise the simulated one; nullptr before there is any.
    [[nodiscard]] const ExplanationValues* shown() const;
    /// The simulator does not see that the chosen schedule loses, or sees less than a quarter of it
    /// (FailureDiagnosis::simulation_agrees): what it says of decisions, mechanism and remedies is not what
    /// happened. Absent where it does, and before there is an explanation.
    [[nodiscard]] std::optional<Disagreement> disagreement() const;
    /// It in words; empty where there is none.
    [[nodiscard]] QString disagreement_text() const;
    /// Where the times of the case are from: "The measurement", "The recorded times", "The evaluation".
    [[nodiscard]] QString clock_name() const;
    [[nodiscard]] const std::optional<ModelReasons>& reasons() const { return reasons_; }
    /// Of the matrix, where the workspace has it; the pattern lives as long as nothing else is looked at.
    [[nodiscard]] std::shared_ptr<const LoadedMatrix> matrix() const;
    [[nodiscard]] bool is_busy() const { return is_waiting_ || studies_.is_busy(); }

    // Empty: it can be done.
    [[nodiscard]] QString measuring_refusal() const;
    [[nodiscard]] QString asking_refusal() const;
    void measure();
    void ask_model();
    /// The job that is not over.
    [[nodiscard]] std::optional<Job> measuring() const;
    [[nodiscard]] std::optional<Job> asking() const;

    /// Both schedules, also where their matrix has no pattern here; absent where one of them is not known.
    [[nodiscard]] const std::optional<PairSubject>& pair() const { return pair_; }
    /// The same where there is a pattern.
    [[nodiscard]] const std::optional<PairSubject>& subject() const { return subject_; }
    /// The loop nest of another schedule on this matrix, as C; empty without a pattern.
    [[nodiscard]] QString code_of(const QString& schedule) const;

Q_SIGNALS:
    void changed();
    void notice(const QString& text, bool is_problem, const QString& action);

private:
    void begin();
    void look_at(const FailureCase* failure, const FailureSetting& setting);
    /// Something was measured or asked of the pair, or is.
    [[nodiscard]] bool is_worth_keeping() const;
    [[nodiscard]] bool is_of(const FailureCase& failure, const FailureSetting& setting) const;
    void read_jobs();
    void take_end(const JobId& id);
    [[nodiscard]] ExplainJob explain_job() const;
    [[nodiscard]] ReasonsJob reasons_job() const;
    [[nodiscard]] std::optional<Job> newest(const JobDescription& description, bool over) const;
    [[nodiscard]] QJsonObject end_of(const JobDescription& description) const;
    [[nodiscard]] LaunchConditions conditions() const;
    [[nodiscard]] QString common_refusal() const;
    void start(const JobRequest& request, const QString& action);

    Services services_;
    std::optional<FailureCase> failure_;
    std::optional<FailureCase> newer_;
    std::map<QString, FailureCase> kept_; ///< that something was measured or asked of
    FailureSetting setting_;
    std::optional<PairSubject> pair_;
    std::optional<PairSubject> subject_;
    std::shared_ptr<const PairStudy> simulated_;
    QString no_study_;
    std::optional<ExplanationValues> measured_;
    std::optional<ModelReasons> reasons_;
    bool is_waiting_ = false; ///< for the matrix
    NewestAnswer<Result<std::shared_ptr<const PairStudy>>> studies_{this};
};

} // namespace sparsight

// Why one schedule takes longer or shorter than another one on a matrix: simulated in the background as soon
// as the pair is set, and measured step by step by a job that the user starts.
#pragma once

#include "gui/domains/sparse/comparison/pair_study.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/workspace/background_work.h"

#include <QObject>
#include <memory>
#include <optional>
#include <string>

namespace sparsight {

class PairExplanation : public QObject {
    Q_OBJECT

public:
    explicit PairExplanation(SparseServices services, QObject* parent = nullptr);

    /// Absent: there is no pair to explain. The same pair on the same machine is not simulated again.
    void set_pair(std::optional<PairSubject> pair);
    /// Both schedules, even where the workspace has no pattern for the matrix.
    [[nodiscard]] const std::optional<PairSubject>& pair() const { return pair_; }
    /// The same pair, only where there is a pattern.
    [[nodiscard]] const std::optional<PairSubject>& subject() const { return subject_; }

    /// nullptr before the study is ready, and where there can't be one: then no_study() says why.
    [[nodiscard]] const PairStudy* simulated() const { return simulated_.get(); }
    [[nodiscard]] const QString& no_study() const { return no_study_; }
    /// Why there is no explanation: no pattern, no simulation.
    [[nodiscard]] QString no_explanation() const;
    /// What the newest job has measured for the pair.
    [[nodiscard]] const std::optional<ExplanationValues>& measured() const { return measured_; }
    /// The measured explanation where there is one, otherwise the simulated one; nullptr while there is
    /// neither.
    [[nodiscard]] const ExplanationValues* shown() const;
    /// The matrix, where the workspace has it; the pattern stays loaded until another pair is set.
    [[nodiscard]] std::shared_ptr<const MatrixAnalysis> matrix() const;
    [[nodiscard]] bool is_busy() const { return is_waiting_ || studies_.is_busy(); }

    /// Why the steps can't be measured now; empty: they can be.
    [[nodiscard]] QString measuring_refusal() const;
    void measure();
    /// The unfinished job.
    [[nodiscard]] std::optional<Job> measuring() const;

Q_SIGNALS:
    void changed();
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

private:
    void simulate();
    void read_measured();
    void follow_job(const JobId& id);
    [[nodiscard]] ExplainJob job() const;
    [[nodiscard]] QString machine_name() const;

    SparseServices services_;
    std::optional<PairSubject> pair_;
    std::optional<PairSubject> subject_;
    std::string machine_; ///< its description when the pair was set: a calibration changes it
    std::shared_ptr<const PairStudy> simulated_;
    QString no_study_;
    std::optional<ExplanationValues> measured_;
    bool is_waiting_ = false; ///< waits for the matrix
    NewestAnswer<Result<std::shared_ptr<const PairStudy>>> studies_{this};
};

} // namespace sparsight

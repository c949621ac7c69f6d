// Asking the model of a failure why it preferred its choice: the job, a button for it with the progress, and
// the answer as sentences.
#pragma once

#include "evaluation/failures/failure_case.h"
#include "evaluation/model_reasons/choice_reasons.h"
#include "gui/failures/failure_words.h"
#include "gui/jobs/job_request.h"
#include "gui/page/page.h"
#include "study/domain.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <optional>

class QLabel;
class QPushButton;

namespace sparsight {

class JobProgressLine;

/// Asks a model why it prefers one configuration of a workload to another.
struct ReasonsJob {
    QString workspace;
    QString model;
    QString workload;
    QString configuration;   ///< its text
    QString against;         ///< likewise
    JobSetting setting = {}; ///< one that the model is for
    QString machine = {};    ///< as search_target() knows it; empty: this computer
};
[[nodiscard]] const JobKind& reasons_kind();
[[nodiscard]] JobDescription describe(const ReasonsJob& job);
[[nodiscard]] std::optional<QString> launch_refusal(const ReasonsJob& job,
                                                    const LaunchConditions& conditions);

/// By which rule it prefers `preferred`. Of `words` the subjects count; the others are the window's.
[[nodiscard]] QString rule_sentence(const AnchorReason& anchors, const QString& preferred, RuleWords words);
/// What it prefers, and by which rule; `against` is what the choice is held against: "the best known".
[[nodiscard]] QStringList reason_sentences(const ChoiceReasons& reasons, const QString& against);

class ModelQuestion : public QWidget {
    Q_OBJECT

public:
    explicit ModelQuestion(Services services, QWidget* parent = nullptr);

    /// `machine` is ModelEvaluation::exact_machine().
    void show_case(const FailureCase& failure, const Setting& setting, const QString& machine,
                   const Domain& domain, const FailureWords& words);

Q_SIGNALS:
    void notice(const QString& text, bool is_problem, const QString& action);

private:
    void show_state();
    void ask();
    /// What the newest job that is over told, or why it told nothing.
    [[nodiscard]] QStringList answer() const;
    [[nodiscard]] QString refusal() const;

    Services services_;
    ReasonsJob job_;
    DomainWords words_;
    QString against_; ///< what the choice is held against, for people
    bool is_shown_ = false;
    QPushButton* ask_;
    JobProgressLine* progress_;
    QLabel* told_;
};

} // namespace sparsight

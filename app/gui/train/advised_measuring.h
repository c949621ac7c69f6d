// Chooses what to measure on this computer before a gray box is adapted to it: asks the model which workloads
// would tell it most, measures them, and offers them to be learned from.
#pragma once

#include "gui/jobs/job_request.h"
#include "gui/page/page.h"
#include "gui/runs/stored_learning.h"
#include "gui/train/learned_workloads.h"

#include <QString>
#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

class QJsonObject;
class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace sparsight {

class JobEstimateLabel;
class JobProgressLine;

/// Asks a gray box which workloads of a machine would tell it most.
struct AdviseJob {
    QString workspace;
    QString model;
    QString machine; ///< fingerprint
    int count = 5;
};
[[nodiscard]] const JobKind& advise_kind();
[[nodiscard]] JobDescription describe(const AdviseJob& job);
[[nodiscard]] std::optional<QString> launch_refusal(const AdviseJob& job, const LaunchConditions& conditions);

/// What the model said.
struct ReadAdvice {
    struct Workload {
        QString name;
        double doubt_left = 1; ///< of the model's, after it and those before it
    };
    std::vector<Workload> workloads; ///< in the order in which they should be measured
    QString setting;                 ///< in which to measure

    [[nodiscard]] QStringList names() const;
};
/// From the last event of `advise`; nothing where it is of something else.
[[nodiscard]] std::optional<ReadAdvice> read_advice(const QJsonObject& end, const DomainWords& words);

class AdvisedMeasuring : public QWidget {
    Q_OBJECT

public:
    AdvisedMeasuring(Services services, const Domain& domain, QWidget* parent = nullptr);

    /// `model` may be nullptr; `machine` is a fingerprint.
    void show_target(const KnownModel* model, const QString& machine, std::int64_t measured_workloads);
    /// Why the model can't be asked; empty when it can.
    [[nodiscard]] QString refusal() const;
    /// What the model may learn from alone; nothing of a model that gives no advice.
    [[nodiscard]] std::optional<AdvisedWorkloads> offer() const;

Q_SIGNALS:
    void changed();                                                           ///< offer()
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

private:
    void build();
    void ask();
    void measure();
    void show_state();
    void show_advice(const std::optional<ReadAdvice>& advice);
    [[nodiscard]] AdviseJob question() const;
    [[nodiscard]] std::optional<ReadAdvice> advice() const;
    [[nodiscard]] CollectJob request(const ReadAdvice& advice) const;
    /// All of the advice were measured by a job of this form.
    [[nodiscard]] bool is_measured(const ReadAdvice& advice) const;
    [[nodiscard]] QString refusal_of(const CollectJob& job) const;

    Services services_;
    const Domain& domain_;
    QString model_;
    bool is_gray_box_ = false;
    QString machine_;
    std::int64_t measured_workloads_ = 0;
    QPushButton* ask_;
    QSpinBox* count_;
    JobProgressLine* progress_;
    QWidget* advised_; ///< all below, which is there with an advice
    QLabel* found_;
    QListWidget* list_;
    QSpinBox* configurations_;
    QSpinBox* minutes_;
    QPushButton* measure_;
    JobEstimateLabel* estimate_;
    std::optional<AdvisedWorkloads> offered_;
};

} // namespace sparsight

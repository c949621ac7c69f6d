// A model, a machine, a number of workloads: three clicks and Start.
#pragma once

#include "gui/jobs/job_request.h"
#include "gui/page/page.h"
#include "gui/runs/stored_learning.h"

#include <QWidget>
#include <optional>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace sparsight {

class AdvisedMeasuring;
class ChoiceList;
class JobEstimateLabel;
class ModelChip;
class LearnedWorkloads;
class TrainingRuns;

class FineTuneForm : public QWidget {
    Q_OBJECT

public:
    /// `has_simulator`: in the domain, so that simulated machines need no stored runtimes.
    FineTuneForm(Services services, TrainingRuns& runs, const Domain& domain, bool has_simulator,
                 QWidget* parent = nullptr);

    /// The chosen one; empty where there is none to choose.
    [[nodiscard]] QString model() const;
    [[nodiscard]] FineTuneJob request() const;
    /// Why it can't be started; empty when it can.
    [[nodiscard]] QString refusal() const;

Q_SIGNALS:
    void started(const JobId& job);
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

private:
    void build();
    void show_models();
    /// Why the selected model is not the one that is adapted; nothing where it is.
    void show_selected_model();
    [[nodiscard]] QString newest_with_something_new() const;
    void show_machines();
    void follow_machine();
    /// The entry of the selected machine; empty where it has no times.
    [[nodiscard]] QString selected_source() const;
    void show_shots();
    void show_advice();
    void show_rivals();
    void suggest_name();
    void show_state();
    void start();
    [[nodiscard]] QString machine() const;
    [[nodiscard]] const LearningSource* source() const;
    [[nodiscard]] std::int64_t workloads_there() const;
    /// This computer before anything was measured there, for a gray box, which says what to measure.
    [[nodiscard]] std::optional<LearningSource> unmeasured_computer(const KnownModel* model) const;
    /// Too few workloads to learn from some and to test with others: configurations are parted instead.
    [[nodiscard]] bool learns_from_rows() const;

    Services services_;
    TrainingRuns& runs_;
    const Domain& domain_;
    bool has_simulator_;
    std::vector<LearningSource> targets_; ///< measured machines, then simulated ones without runtimes
    ChoiceList* models_;
    ModelChip* selected_model_;
    ChoiceList* machines_;
    AdvisedMeasuring* measuring_;
    QLabel* question_; ///< from which workloads
    LearnedWorkloads* learned_;
    QCheckBox* curve_;
    ChoiceList* rivals_;
    QLineEdit* name_;
    QPushButton* start_;
    QLabel* reason_;
    JobEstimateLabel* estimate_;
    bool name_is_ours_ = true;
    bool is_filling_ = false;
};

} // namespace sparsight

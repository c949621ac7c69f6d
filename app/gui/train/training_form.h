// What to train: the left side of the page, with the button that starts it and the reason why it can't.
#pragma once

#include "gui/jobs/job_estimate.h"
#include "gui/page/page.h"
#include "gui/train/training_fields.h"

#include <QWidget>
#include <optional>

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;

namespace sparsight {

class HyperParameters;
class SourceChoice;
class TrainingRuns;
struct TrainingRun;

class TrainingForm : public QWidget {
    Q_OBJECT

public:
    TrainingForm(Services services, TrainingRuns& runs, const Domain& domain, TrainingOffer offer,
                 QWidget* parent = nullptr);

    [[nodiscard]] TrainJob request() const;
    /// Why it can't be started; empty when it can.
    [[nodiscard]] QString refusal() const;
    /// As a run was configured, to change one thing and try again.
    void take_over(const TrainingRun& run);

Q_SIGNALS:
    void started(const JobId& job);
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()
    void help_requested(const QString& topic);

private:
    void build();
    QWidget* build_presets();
    /// Nothing was measured, and there are workloads enough to learn from simulated machines alone.
    [[nodiscard]] bool learns_without_measurements() const;
    /// What the form begins with: what was measured, or else the first preset.
    [[nodiscard]] const TrainingValues& first_values() const;
    [[nodiscard]] bool are_chosen(const TrainingValues& values) const;
    void choose(const TrainingValues& values);
    void follow_workspace();
    void suggest_name();
    void show_state();
    [[nodiscard]] QString too_few_workloads() const;
    [[nodiscard]] QString generated_text() const;
    /// How long the training takes, by the newest run of this kind of model, else a guess.
    [[nodiscard]] std::optional<JobEstimate> estimate() const;
    void start();

    Services services_;
    TrainingRuns& runs_;
    const Domain& domain_;
    TrainingOffer offer_;
    TrainingValues measured_; ///< first_values() where something was measured
    SourceChoice* sources_;
    HyperParameters* parameters_;
    QButtonGroup* presets_;
    QLineEdit* name_;
    QPushButton* start_;
    QLabel* reason_;
    bool name_is_ours_ = true; ///< suggested, and not typed
    bool was_unmeasured_ = false;
};

} // namespace sparsight

// Which models to compare, where, and the button that does it; while it runs, how far it is.
#pragma once

#include "gui/jobs/job_request.h"
#include "gui/page/page.h"
#include "gui/runs/stored_learning.h"

#include <QWidget>
#include <vector>

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace sparsight {

class ElidingComboBox;
class JobEstimateLabel;
class JobProgressLine;
class TrainingRuns;

class EvaluatePanel : public QWidget {
    Q_OBJECT

public:
    /// `has_simulator`: in the domain, so that simulated machines need no stored times.
    EvaluatePanel(Services services, TrainingRuns& runs, const Domain& domain, bool has_simulator,
                  QWidget* parent = nullptr);

    [[nodiscard]] EvaluateJob request() const;
    /// Those that can be evaluated alone: the rows that are selected in the table.
    void offer_workloads(const QStringList& workloads);
    /// Why it can't be started; empty when it can.
    [[nodiscard]] QString refusal() const;
    /// The evaluation of this workspace that is not over.
    [[nodiscard]] std::optional<Job> running() const;

Q_SIGNALS:
    void started();
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

private:
    void build();
    void show_choices();
    void follow_machine();
    [[nodiscard]] QString title_of(const LearningSource& source) const;
    [[nodiscard]] bool is_simulated(const LearningSource& source) const;
    [[nodiscard]] QString offered_text() const;
    void show_models();
    void show_state();
    void start();
    [[nodiscard]] qint64 never_seen_count(const QStringList& models) const;
    [[nodiscard]] QStringList models() const;

    Services services_;
    TrainingRuns& runs_;
    const Domain& domain_;
    bool has_simulator_;
    QToolButton* models_button_;
    QListWidget* models_;
    ElidingComboBox* machine_;
    QComboBox* workloads_;
    QSpinBox* k_;
    QPushButton* evaluate_;
    QLabel* reason_;
    JobEstimateLabel* estimate_;
    JobProgressLine* progress_;
    std::vector<LearningSource> sources_; ///< of the machines: recorded ones and simulated ones
    QStringList offered_;                 ///< workloads
    QString followed_;                    ///< the selected machine whose times were chosen last
    bool has_chosen_models_ = false;      ///< the user has: they no longer follow the selection
    bool is_filling_ = false;
};

} // namespace sparsight

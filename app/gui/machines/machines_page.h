// The Machines page: this computer can be probed. Where the domain has a simulator, real machines can be
// calibrated and their simulation compared with measurements, and imagined machines can be made and edited.
// Where it has none, machines are compared by the times that are known of one workload.
#pragma once

#include "gui/machines/machine_edits.h"
#include "gui/machines/machine_facts.h"
#include "gui/page/page.h"
#include "gui/runs/stored_learning.h"
#include "store/machines.h"
#include "widgets/table/record_model.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace sparsight {

class DataTable;
class EmptyState;
class ExplainedTable;
class MachineActions;
class MachineComparisonView;
class MachineEditor;
class MachineJobs;
class TrainingRuns;
/// What a domain shows about the accuracy of its simulator on a machine.
class MachineStudy : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// The machine, and what was measured on it, the most first.
    virtual void show_machine(const std::optional<MachineRecord>& machine,
                              const std::vector<LearningSource>& measurements) = 0;
    /// Those that are chosen.
    [[nodiscard]] virtual std::optional<LearningSource> measurements() const = 0;
    [[nodiscard]] virtual bool is_settled() const = 0;
    [[nodiscard]] virtual QByteArray layout_state() const = 0;
    virtual void restore_layout(const QByteArray& layout) = 0;

Q_SIGNALS:
    void measurements_chosen();
    void help_requested(const QString& topic);
};

class MachineDeviations;

class MachinesPage : public Page {
    Q_OBJECT

public:
    /// `study` is taken over; null in a domain without a simulator.
    MachinesPage(Services services, TrainingRuns& runs, const Domain& domain, MachineStudy* study,
                 QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;
    /// The parameters of a machine that is simulated.
    [[nodiscard]] std::vector<PagePart> parts() const override;
    void focus_part(const QString& key) override;

    /// For importing and exporting files without a dialog.
    [[nodiscard]] MachineActions& actions() const { return *actions_; }
    [[nodiscard]] MachineJobs& jobs() const { return *jobs_; }
    [[nodiscard]] MachineStudy* study() const { return study_; }

private:
    void build_list();
    void build_details();
    void add_simulation_tabs();
    [[nodiscard]] QWidget* undo_buttons();
    void build_empty();
    void connect_parts();
    void show_columns(const std::vector<MachineRecord>& machines);
    void show_contents();
    void follow();
    void show_facts(const MachineRecord& record);
    void edit_parameter(MachineParameter parameter, double value, int gesture);
    void rename(const QString& name);
    void look_at(const QString& fingerprint);
    void select_neighbour_of(const QString& fingerprint);
    void show_validation(const MachineRecord& record);
    void show_tab_of(const MachineRecord& record);
    void show_availability();
    [[nodiscard]] QString reason_against_writing() const;

    Services services_;
    TrainingRuns& runs_;
    const Domain& domain_;
    MachineEdits edits_;
    RecordModel<MachineRecord> machines_;
    RecordModel<MachineFact> facts_;
    QStackedWidget* stack_;
    QSplitter* splitter_;
    DataTable* list_;
    QTabWidget* tabs_;
    ExplainedTable* explained_;
    MachineEditor* editor_;
    MachineStudy* study_;
    MachineDeviations* deviations_;
    MachineComparisonView* comparison_ = nullptr; ///< in a domain without a simulator
    MachineActions* actions_;
    MachineJobs* jobs_;
    QLabel* title_;
    EmptyState* empty_;
    QPushButton* first_probe_;
    QPushButton* first_new_ = nullptr;
    // Of the list, in a domain without a simulator.
    QStringList columns_;
    std::map<std::string, std::string> sheets_; ///< that the columns read
    QString shown_;                             ///< fingerprint of the machine that is shown
    bool is_standing_in_ = false;               ///< a machine, for this computer that was chosen
    // The tab shown last, for real machines (facts) and for imagined ones (the editor).
    int tab_of_real_ = 0;
    int tab_of_imagined_ = 1;
};

} // namespace sparsight

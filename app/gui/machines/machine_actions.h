// The commands on the Machines page. Imagined machines can be made from a preset, duplicated, deleted,
// imported, exported and edited with undo. The jobs on real machines probe this computer and calibrate the
// simulation of a machine.
#pragma once

#include "gui/jobs/job_request.h"
#include "gui/machines/machine_edits.h"
#include "gui/page/page.h"
#include "gui/runs/stored_learning.h"
#include "store/machines.h"

#include <QObject>
#include <QString>
#include <optional>

class QAction;
class QMenu;
class QWidget;

namespace sparsight {

class JobProgressLine;

/// The commands on imagined machines.
class MachineActions : public QObject {
    Q_OBJECT

public:
    /// The actions work while the focus is within `where`, which also owns the dialogs.
    MachineActions(MachineEdits& edits, const DomainWords& words, QWidget& where);

    [[nodiscard]] QAction* make_new() const { return new_; } ///< with a menu of presets
    [[nodiscard]] QAction* duplicate() const { return duplicate_; }
    [[nodiscard]] QAction* remove() const { return remove_; }
    [[nodiscard]] QAction* import() const { return import_; }
    [[nodiscard]] QAction* export_file() const { return export_; }
    [[nodiscard]] QAction* undo() const { return undo_; }
    [[nodiscard]] QAction* redo() const { return redo_; }

    /// Sets the machine that the commands act on, the number of times stored for it, and why nothing can be
    /// written (empty where it can).
    void set_machine(const QString& fingerprint, qint64 times, const QString& reason_against_writing);

    /// Why the machine's numbers can't be changed; empty where they can.
    [[nodiscard]] static QString reason_against_editing(const MachineRecord& machine);

    void import_from(const QString& path);
    void export_to(const QString& path);

Q_SIGNALS:
    /// A new machine was made and should be shown.
    void made(const QString& fingerprint);
    void removed(const QString& fingerprint);
    void notice(const QString& text, bool is_problem, const QString& action);

private:
    QAction* add_action(const QString& icon, const QString& text, const QString& name);
    void fill_presets();
    void duplicate_machine();
    void remove_machine();
    void ask_before_removing(const MachineRecord& machine);
    void ask_for_import();
    void ask_for_export();
    void show_availability();
    [[nodiscard]] MachineEdits::State current() const { return edits_.machine(fingerprint_); }

    MachineEdits& edits_;
    DomainWords words_;
    QWidget& where_;
    QMenu* presets_;
    QAction* new_;
    QAction* duplicate_;
    QAction* remove_;
    QAction* import_;
    QAction* export_;
    QAction* undo_;
    QAction* redo_;
    QString fingerprint_;
    qint64 times_ = 0;
    QString against_writing_;
};

/// Jobs on real machines: probes this computer, and fits the simulation of a machine to the measurements on
/// it.
class MachineJobs : public QObject {
    Q_OBJECT

public:
    /// `where` owns the progress line.
    MachineJobs(Services services, const Domain& domain, QWidget& where);

    [[nodiscard]] QAction* probe() const { return probe_; }
    [[nodiscard]] QAction* calibrate() const { return calibrate_; }
    /// Shows the time left and Stop; hidden while this workspace has no job of these kinds.
    [[nodiscard]] JobProgressLine* progress_line() const { return line_; }

    /// Sets the shown machine, the measurements that a calibration would use, where there are any, and why
    /// nothing can be written (empty where it can).
    void set_machine(const std::optional<MachineRecord>& machine,
                     const std::optional<LearningSource>& measurements,
                     const QString& reason_against_writing);

Q_SIGNALS:
    void calibration_started();
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

private:
    void start(const JobRequest& request, const QString& action);
    void start_calibration();
    void follow_end(const JobId& id);
    void show_availability();
    [[nodiscard]] std::optional<Job> under_way(JobKind kind, const QString& machine = {}) const;
    [[nodiscard]] QString reason_against_probing() const;
    [[nodiscard]] QString reason_against_calibrating() const;

    Services services_;
    const Domain& domain_;
    QAction* probe_;
    QAction* calibrate_;
    JobProgressLine* line_;
    std::optional<MachineRecord> machine_;
    std::optional<LearningSource> measurements_;
    QString against_writing_;
};

} // namespace sparsight

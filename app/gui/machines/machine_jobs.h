// What is done on real machines by the worker: this computer is probed, and the simulation of a machine is
// fitted to what was measured on it.
#pragma once

#include "gui/jobs/job_request.h"
#include "gui/page/services.h"
#include "gui/runs/stored_runs.h"
#include "store/machines.h"

#include <QObject>
#include <QString>
#include <optional>

class QAction;
class QWidget;

namespace sparsight {

class JobProgressLine;

class MachineJobs : public QObject {
    Q_OBJECT

public:
    /// `where` owns the line that shows how far a job is.
    MachineJobs(Services services, QWidget& where);

    [[nodiscard]] QAction* probe() const { return probe_; }
    [[nodiscard]] QAction* calibrate() const { return calibrate_; }
    /// With time left and Stop; without a job of its kinds in this workspace it is not there.
    [[nodiscard]] JobProgressLine* progress_line() const { return line_; }

    /// The machine that is looked at, and the measurements of it that a calibration takes, where there are
    /// any; and why nothing can be written, empty where it can.
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
    QAction* probe_;
    QAction* calibrate_;
    JobProgressLine* line_;
    std::optional<MachineRecord> machine_;
    std::optional<LearningSource> measurements_;
    QString against_writing_;
};

} // namespace sparsight

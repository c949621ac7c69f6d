// What one job's worker told and wrote, as it grows.
#pragma once

#include "gui/jobs/job.h"

#include <QDialog>
#include <QTimer>

class QPlainTextEdit;

namespace sparsight {

class JobService;

class JobLog : public QDialog {
    Q_OBJECT

public:
    JobLog(const JobService& service, const JobId& id, QWidget* parent = nullptr);

    [[nodiscard]] QString messages() const;
    [[nodiscard]] QString events() const;

private:
    void refresh();

    const JobService& service_;
    JobId id_;
    QPlainTextEdit* messages_;
    QPlainTextEdit* events_;
    QTimer pause_; ///< a log is read from the disk twice a second at most
};

} // namespace sparsight

// Adds matrices to the workspace from files (dialog, drop, command line) and from generators. Both run as
// jobs; their results are reported, and the first new matrix is selected.
#pragma once

#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/jobs/job.h"
#include "gui/page/page.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QStringList>

namespace sparsight {

class MainWindow;
class SimulateDialog;

class MatrixIntake : public QObject {
    Q_OBJECT

public:
    MatrixIntake(Services services, MainWindow& window);

    /// Without files, a dialog asks for them.
    void import_files(const QStringList& files);
    void simulate();

private:
    struct Yield {
        int added = 0;
        QString first;
        QStringList failures;
    };

    [[nodiscard]] QStringList without_missing(const QStringList& files);
    void choose_files();
    void start_import(const QStringList& files);
    void start_simulation(const SimulateJob& job, const QPointer<SimulateDialog>& asker);
    void take(const JobId& id, const QJsonObject& event);
    void tell(const JobId& id);
    void select_awaited();

    Services services_;
    MainWindow& window_;
    QHash<JobId, Yield> yields_;
    QString awaited_; ///< the new matrix that is selected once the workspace lists it
};

} // namespace sparsight

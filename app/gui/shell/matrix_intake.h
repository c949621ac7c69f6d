// How matrices come into the workspace: from files (dialog, drop, command line) and from generators. Both are
// jobs; what came of them is told, and the first new matrix is selected.
#pragma once

#include "gui/jobs/job.h"
#include "gui/jobs/job_request.h"
#include "gui/page/page.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <functional>
#include <vector>

class QWidget;
class QDropEvent;

namespace sparsight {

class SimulateDialog;

class MatrixIntake : public QObject {
    Q_OBJECT

public:
    MatrixIntake(Services services, QWidget* window);

    /// With no files the dialog asks for them.
    void import_files(const QStringList& files);
    /// Once the workspace that is being opened is open; not at all if it can't be.
    void import_after_opening(const QStringList& files);
    void simulate();

Q_SIGNALS:
    /// `cause` is what was to be added: once it is, the problem is over.
    void notice(const QString& text, bool is_problem, const QString& cause);
    /// There is none to put them in: one is to be opened, after which the wish is repeated.
    void workspace_needed();

private:
    struct Yield {
        int added = 0;
        QString first;
        QStringList failures;
    };

    /// To be met once a workspace is open.
    struct Wish {
        std::function<void()> meet;
        std::function<void(const QString& reason)> give_up; ///< there will be none; may be empty
    };

    void when_open(Wish wish);
    void give_up(const QString& reason);
    [[nodiscard]] QStringList without_missing(const QStringList& files);
    void choose_files();
    void start_import(const QStringList& files);
    void start_simulation(const SimulateJob& job, const QPointer<SimulateDialog>& asker);
    void take(const JobId& id, const QJsonObject& event);
    void tell(const JobId& id);
    void select_awaited();

    Services services_;
    QWidget* window_;
    QHash<JobId, Yield> yields_;
    std::vector<Wish> after_opening_;
    QString awaited_; ///< the new matrix to be selected once the workspace's list has it
};

// Files that are dropped anywhere on the window. Charts, tables and fields take drags for themselves, or
// swallow them; so they are taken before a widget hears of them.

class FileDrop : public QObject {
    Q_OBJECT

public:
    explicit FileDrop(QWidget* window);

Q_SIGNALS:
    void dropped(const QStringList& files);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// False where it is for the widgets: something else than files.
    bool take(QDropEvent& event, bool is_drop);

    QWidget* window_;
};

} // namespace sparsight

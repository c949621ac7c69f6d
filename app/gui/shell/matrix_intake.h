// Adds matrices to the workspace from files (dialog, drop, command line) and from generators. Both run as
// jobs; their results are reported, and the first new matrix is selected.
#pragma once

#include "gui/jobs/job.h"
#include "gui/jobs/job_request.h"
#include "gui/page/page.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <functional>
#include <string_view>
#include <vector>

class QDropEvent;
class QWidget;

namespace sparsight {

class SimulateDialog;

/// The domain whose workloads are matrices.
inline constexpr std::string_view matrix_domain = "sparse";

class MatrixIntake : public QObject {
    Q_OBJECT

public:
    MatrixIntake(Services services, QWidget* window);

    /// Without files, a dialog asks for them.
    void import_files(const QStringList& files);
    /// Imports once the workspace that is being opened is open; not at all if it can't be opened.
    void import_after_opening(const QStringList& files);
    void simulate();

    /// A request that waits until a workspace is open.
    struct Wish {
        std::function<void()> meet;
        /// Called if no workspace is opened; may be empty.
        std::function<void(const QString& reason)> give_up;
    };
    void when_open(Wish wish);

Q_SIGNALS:
    /// `cause` names what was to be added: once it is added, the problem is over.
    void notice(const QString& text, bool is_problem, const QString& cause);
    /// No workspace is open: one is to be opened, after which the request is repeated.
    void workspace_needed();

private:
    struct Yield {
        int added = 0;
        QString first;
        QStringList failures;
    };

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
    QString awaited_; ///< the new matrix that is selected once the workspace lists it
};

/// Takes files that are dropped anywhere on the window. Charts, tables and fields accept drags for themselves
/// or swallow them, so the files are taken before a widget receives the event.
class FileDrop : public QObject {
    Q_OBJECT

public:
    explicit FileDrop(QWidget* window);

Q_SIGNALS:
    void dropped(const QStringList& files);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// False for anything but files, which is left to the widgets.
    bool take(QDropEvent& event, bool is_drop);

    QWidget* window_;
};

} // namespace sparsight

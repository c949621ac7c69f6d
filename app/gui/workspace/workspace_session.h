// That a workspace is open in this window, for other windows of the same user to see, and whether it is open
// in another one. A window that was killed is not taken for one.
#pragma once

#include "base/error.h"
#include "store/machines.h"
#include "store/matrices.h"
#include "store/workspace.h"

#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <memory>
#include <vector>

namespace sparsight {

class WorkspacePresence {
public:
    /// In a folder that all windows look into.
    explicit WorkspacePresence(QString folder);
    ~WorkspacePresence() { set_workspace({}); }
    WorkspacePresence(const WorkspacePresence&) = delete;
    WorkspacePresence& operator=(const WorkspacePresence&) = delete;

    /// Empty: none. Nothing is told where the folder can't be written.
    void set_workspace(const QString& path);
    [[nodiscard]] bool is_open_elsewhere() const;

private:
    QString folder_;
    QString here_; ///< where the windows that have this workspace open are told
    std::unique_ptr<QLockFile> own_;
};

// The workspace that is open: what is in it, as plain values, read again when it changes, whoever changed it
// (the worker, the command line, another window).

struct WorkspaceContents {
    std::vector<MatrixRecord> matrices;
    std::vector<MachineRecord> machines;
    std::int64_t measurements = 0;
};

class WorkspaceSession : public QObject {
    Q_OBJECT

public:
    explicit WorkspaceSession(QObject* parent = nullptr);

    [[nodiscard]] bool is_open() const { return !path_.isEmpty(); }
    /// Empty while none is open.
    [[nodiscard]] const QString& path() const { return path_; }
    [[nodiscard]] bool is_read_only() const { return is_read_only_; }
    /// It is open, but its file is not there any more: moved, removed, or its disk is. It is looked for; what
    /// was read of it is still known.
    [[nodiscard]] bool is_gone() const { return is_gone_; }
    /// Another window of this user has it open, too. Both may write: a writer waits for the other one.
    [[nodiscard]] bool is_open_elsewhere() const { return is_open_elsewhere_; }
    [[nodiscard]] const WorkspaceContents& contents() const { return contents_; }
    [[nodiscard]] const MatrixRecord* matrix(const QString& name) const;
    [[nodiscard]] const MachineRecord* machine(const QString& fingerprint) const;
    /// This computer's, as collections record it; empty until known.
    [[nodiscard]] const QString& this_machine() const { return this_machine_; }

    /// Opens in the background; the one that is open stays until the new one is. A file that can't be written
    /// is opened for reading. Ends in opened() or failed().
    void open(const QString& path);
    /// Makes a new file and opens it.
    void create(const QString& path);
    void close();

    /// Reads the contents again, in the background; bursts of calls are one reading.
    void refresh();
    /// Whether the file is there. Returns true when it is not.
    bool look_for_file();

    /// Runs on another thread with a workspace of its own; what was written is read again afterwards.
    void write(std::function<Result<void>(Workspace&)> action, std::function<void(const Result<void>&)> done);

Q_SIGNALS:
    void opened(const QString& path);
    void closed();
    void failed(const QString& path, const QString& reason);
    /// See is_gone().
    void gone_changed(bool is_gone);
    /// See is_open_elsewhere(). Said behind opened().
    void open_elsewhere_changed(bool is_open_elsewhere);
    /// Matrices or machines were added, removed, or described anew.
    void contents_changed();
    /// Something was measured.
    void measurements_changed();

private:
    void begin(const QString& path, bool create);
    void read_contents();
    void look_at_file();
    void look_for_other_windows();
    [[nodiscard]] QString file_state() const;

    QString path_;
    bool is_read_only_ = false;
    bool is_gone_ = false;
    bool is_open_elsewhere_ = false;
    WorkspacePresence presence_;
    WorkspaceContents contents_;
    QString this_machine_;
    QString pending_path_;
    QTimer watch_;
    QTimer refresh_soon_;
    QString seen_state_; ///< of the file when it was last read well
    QString told_failure_;
    bool is_reading_ = false;
};

} // namespace sparsight

// The open workspace of a window: the domain that is looked at and its contents as plain values, read again
// whenever the file changes, whichever process changed it (the worker, the command line, another window), and
// whether another window of this user has the workspace open, too.
#pragma once

#include "base/error.h"
#include "store/machines.h"
#include "store/workloads.h"
#include "store/workspace.h"
#include "study/domain.h"

#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sparsight {

/// Tells other windows of the same user that a workspace is open in this window, and whether another window
/// has it open. A window that was killed does not count.
class WorkspacePresence {
public:
    /// `folder` is shared by all windows.
    explicit WorkspacePresence(QString folder);
    ~WorkspacePresence() { set_workspace({}); }
    WorkspacePresence(const WorkspacePresence&) = delete;
    WorkspacePresence& operator=(const WorkspacePresence&) = delete;

    /// Empty: no workspace. Does nothing where the folder can't be written.
    void set_workspace(const QString& path);
    [[nodiscard]] bool is_open_elsewhere() const;

private:
    QString folder_;
    QString here_; ///< folder with a lock file for each window that has this workspace open
    std::unique_ptr<QLockFile> own_;
};

struct WorkspaceContents {
    std::vector<WorkloadRecord> workloads; ///< of the chosen domain, as they were added
    std::vector<MachineRecord> machines;
    std::map<std::string, std::string> machine_facts; ///< of sheets: JSON by fingerprint
    std::int64_t measurements = 0;
    std::set<std::string> models{}; ///< names, of all domains
    std::set<std::string> splits{}; ///< likewise
};

class WorkspaceSession : public QObject {
    Q_OBJECT

public:
    /// `domains` has one at least and lives as long as the session.
    explicit WorkspaceSession(const DomainRegistry& domains, QObject* parent = nullptr);

    [[nodiscard]] bool is_open() const { return !path_.isEmpty(); }
    /// Empty while no workspace is open.
    [[nodiscard]] const QString& path() const { return path_; }
    [[nodiscard]] bool is_read_only() const { return is_read_only_; }
    /// The workspace is open, but its file was moved or removed, or its disk is missing. The session keeps
    /// looking for the file; the contents read before are still available.
    [[nodiscard]] bool is_gone() const { return is_gone_; }
    /// Another window of this user has the workspace open, too. Both may write: a writer waits for the other.
    [[nodiscard]] bool is_open_elsewhere() const { return is_open_elsewhere_; }
    [[nodiscard]] const WorkspaceContents& contents() const { return contents_; }
    [[nodiscard]] const WorkloadRecord* workload(const QString& name) const;
    [[nodiscard]] const MachineRecord* machine(const QString& fingerprint) const;
    /// What an imported sheet says of it: a JSON object; empty where none does.
    [[nodiscard]] QByteArray facts_of_machine(const QString& fingerprint) const;
    /// Those of the program.
    [[nodiscard]] const DomainRegistry& domains() const { return domains_; }
    /// The one that is looked at; the first of the program while no workspace is open.
    [[nodiscard]] const Domain& domain() const { return *domain_; }
    /// Fingerprint of this computer, as collections record it; empty until known.
    [[nodiscard]] const QString& this_machine() const { return this_machine_; }

    /// Opens in the background; the open workspace stays open until then. A file that can't be written is
    /// opened for reading. Ends in opened() or failed().
    void open(const QString& path);
    /// Makes a new file and opens it.
    void create(const QString& path);
    void close();
    /// Reads the contents of another domain of the program in the background. The workspace keeps the choice
    /// where it can be written. Ends in domain_changed() or failed().
    void choose_domain(const Domain& domain);

    /// Reads the contents again, in the background; a burst of calls leads to one reading.
    void refresh();
    /// Looks for the file. Returns true when it is missing.
    bool look_for_file();

    /// Runs `action` on another thread with its own connection to the workspace; afterwards the contents are
    /// read again, and `done` is called where there is one and `receiver` still lives.
    void write(QObject* receiver, std::function<Result<void>(Workspace&)> action,
               std::function<void(const Result<void>&)> done);

Q_SIGNALS:
    void opening(const QString& path); ///< was asked for; opened() or failed() follows, or another opening()
    void opened(const QString& path);
    void closed();
    void failed(const QString& path, const QString& reason);
    /// See is_gone().
    void gone_changed(bool is_gone);
    /// See is_open_elsewhere(). Emitted after opened().
    void open_elsewhere_changed(bool is_open_elsewhere);
    /// domain() is another one; contents() are those of it. Before opened(), where a workspace opens with it.
    void domain_changed();
    /// Workloads or machines were added, removed or changed.
    void contents_changed();
    /// Measurements were added or replaced.
    void measurements_changed();

private:
    void begin(const QString& path, bool create);
    void read_contents();
    void look_at_file();
    void look_for_other_windows();
    [[nodiscard]] QString file_state() const;

    const DomainRegistry& domains_;
    const Domain* domain_;
    const Domain* pending_domain_ = nullptr; ///< the one that is being read
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
    QString seen_state_; ///< state of the file at its last successful reading
    QString told_failure_;
    bool is_reading_ = false;
};

} // namespace sparsight

// The files of jobs: ID.json says what it is, ID.events holds what its worker tells, ID.log what it wrote to
// stderr, ID.list the schedules that it was given. Several windows may use one folder.
#pragma once

#include "gui/jobs/job.h"

#include <QByteArray>
#include <QLockFile>
#include <expected>
#include <map>
#include <memory>
#include <vector>

namespace sparsight {

class JobFolder {
public:
    explicit JobFolder(QString path);

    [[nodiscard]] const QString& path() const { return path_; }
    [[nodiscard]] QString events_file(const JobId& id) const { return file(id, "events"); }
    [[nodiscard]] QString log_file(const JobId& id) const { return file(id, "log"); }
    [[nodiscard]] QString list_file(const JobId& id) const { return file(id, "list"); }

    // The errors are for people and name the folder.
    [[nodiscard]] std::expected<void, QString> save(const Job& job);
    [[nodiscard]] std::expected<void, QString> save_list(const JobId& id, const QByteArray& list) const;
    /// Makes the file where it is missing and ends a line that was cut off; returns its size then.
    [[nodiscard]] std::expected<qint64, QString> begin_run(const QString& file) const;

    struct Changes {
        std::vector<Job> jobs; ///< new, or written by somebody else
        std::vector<JobId> gone;
    };
    /// Since the last call or our own save; the first one finds everything.
    [[nodiscard]] Changes changes();
    [[nodiscard]] std::optional<Job> load(const JobId& id) const;
    void erase(const JobId& id);

    enum class LockRefusal { Held, Unwritable };
    /// Whoever changes a job does so under it, from what is in the file then: what it knows of the job may be
    /// older. Refused when another window holds it for long, or the folder can't be written.
    [[nodiscard]] std::expected<std::unique_ptr<QLockFile>, LockRefusal> lock() const;

private:
    /// Tells one version of a file from the next one.
    struct Stamp {
        quint64 inode = 0;
        qint64 seconds = 0;
        qint64 nanoseconds = 0;
        bool operator==(const Stamp&) const = default;
    };

    [[nodiscard]] QString file(const JobId& id, const char* suffix) const;
    [[nodiscard]] QString record_file(const JobId& id) const { return file(id, "json"); }
    [[nodiscard]] QString unwritable(const QString& reason) const;
    [[nodiscard]] static Stamp stamp_of(const QString& file);

    QString path_;
    std::map<JobId, Stamp> known_;
};

/// The end of a file that is written to, from `from` on, at most so many bytes; empty when it can't be read.
[[nodiscard]] QString last_bytes(const QString& path, qint64 from, qint64 most);

/// Those to forget: over for more than 30 days, or not among the 200 that ended last.
[[nodiscard]] std::vector<JobId> outdated(const std::vector<Job>& jobs, const QDateTime& now);

} // namespace sparsight

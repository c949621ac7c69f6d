// The worker process as the system knows it, and the words of its command line. The worker outlives the
// window and is not our child, so it is identified by its process number and its start time.
#pragma once

#include "gui/jobs/job.h"

#include <QString>
#include <QStringList>
#include <expected>
#include <string_view>

namespace sparsight {

struct WorkerCommand {
    QString program;
    QStringList arguments;
    QString folder; ///< working directory
    QString events; ///< where its stdout is appended
    QString log;    ///< where its stderr is appended
};

/// Starts the worker in its own session, so that it survives the end of the window and of the window's
/// terminal. The error says why it can't be started.
[[nodiscard]] std::expected<WorkerIdentity, QString> start_worker(const WorkerCommand& command);

[[nodiscard]] QString this_host();
/// Without start_ticks when the process has already ended.
[[nodiscard]] WorkerIdentity identify(qint64 pid);
/// False for a dead process, a zombie included, and for another process with the same number. Valid only on
/// the process's own host.
[[nodiscard]] bool is_alive(const WorkerIdentity& process);
/// Sends the signal only if the process is still this one.
void send_signal(const WorkerIdentity& process, int signal);

[[nodiscard]] QString text(std::string_view utf8);

/// --option=value, so that a value may begin with a hyphen.
[[nodiscard]] QString option(const char* name, const QString& value);
[[nodiscard]] QString option(const char* name, qint64 value);

/// Adds the words that every job takes: its workspace, and events to follow.
void add_common(QStringList& words, const QString& workspace);

} // namespace sparsight

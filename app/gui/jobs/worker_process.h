// The worker as the system knows it: a process that is not our child (it outlives the window), so it is told
// apart from others by its number and the moment of its start.
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
    QString folder; ///< that it runs in
    QString events; ///< where its stdout is appended
    QString log;    ///< where its stderr is appended
};

/// In a session of its own, so that neither the end of the window nor that of its terminal ends it. The error
/// says why it can't be started.
[[nodiscard]] std::expected<WorkerIdentity, QString> start_worker(const WorkerCommand& command);

[[nodiscard]] QString this_host();
/// Without start_ticks when it has ended already.
[[nodiscard]] WorkerIdentity identify(qint64 pid);
/// False for one that is dead, a zombie included, and for another process of the same number. Has a meaning
/// on its own host only.
[[nodiscard]] bool is_alive(const WorkerIdentity& process);
/// Only to this very process.
void send_signal(const WorkerIdentity& process, int signal);

// The words of a worker's command line.

[[nodiscard]] QString text(std::string_view utf8);

/// --option=value: so a value may begin with a hyphen.
[[nodiscard]] QString option(const char* name, const QString& value);
[[nodiscard]] QString option(const char* name, qint64 value);

/// What every job takes: its workspace, and events to follow.
void add_common(QStringList& words, const QString& workspace);

} // namespace sparsight

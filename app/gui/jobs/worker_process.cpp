#include "gui/jobs/worker_process.h"

#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSysInfo>
#include <csignal>

namespace sparsight {

namespace {

QByteArray content_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The start of the process in ticks since the boot; nothing for a dead process. proc(5): "starttime" is the
/// 22nd field, and the second field, the name in parentheses, may contain any character.
std::optional<quint64> start_of(qint64 pid) {
    const QByteArray stat = content_of(QStringLiteral("/proc/%1/stat").arg(pid));
    const qsizetype name_end = stat.lastIndexOf(')');
    if (name_end < 0)
        return std::nullopt;
    const QList<QByteArray> fields = stat.mid(name_end + 2).split(' ');
    constexpr qsizetype state_field = 0;
    constexpr qsizetype start_field = 22 - 3;
    if (fields.size() <= start_field || fields[state_field] == "Z" || fields[state_field] == "X")
        return std::nullopt;
    return fields[start_field].toULongLong();
}

} // namespace

std::expected<WorkerIdentity, QString> start_worker(const WorkerCommand& command) {
    QProcess process;
    process.setProgram(command.program);
    process.setArguments(command.arguments);
    process.setWorkingDirectory(command.folder);
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(command.events, QIODevice::Append);
    process.setStandardErrorFile(command.log, QIODevice::Append);
    qint64 pid = 0;
    if (!process.startDetached(&pid))
        return std::unexpected(process.errorString());
    return identify(pid);
}

QString this_host() {
    return QSysInfo::machineHostName();
}

WorkerIdentity identify(qint64 pid) {
    static const QString boot =
        QString::fromLatin1(content_of(QStringLiteral("/proc/sys/kernel/random/boot_id")).trimmed());
    return {pid, start_of(pid).value_or(0), boot, this_host()};
}

bool is_alive(const WorkerIdentity& process) {
    return process.pid > 0 && process.start_ticks > 0 && identify(process.pid) == process;
}

void send_signal(const WorkerIdentity& process, int signal) {
    if (is_alive(process))
        ::kill(static_cast<pid_t>(process.pid), signal);
}

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString option(const char* name, const QString& value) {
    return QStringLiteral("--%1=%2").arg(QLatin1String(name), value);
}

QString option(const char* name, qint64 value) {
    return option(name, QString::number(value));
}

void add_common(QStringList& words, const QString& workspace) {
    if (!workspace.isEmpty())
        words << option("workspace", QFileInfo(workspace).absoluteFilePath());
    words << QStringLiteral("--progress=json") << QStringLiteral("--quiet");
}

} // namespace sparsight

#include "gui/jobs/job_folder.h"

#include "gui/jobs/job_texts.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QSaveFile>
#include <algorithm>
#include <chrono>
#include <sys/stat.h>

namespace sparsight {

namespace {

constexpr std::size_t most_ended = 200;
constexpr qint64 most_days = 30;
constexpr std::chrono::milliseconds lock_wait{50};
constexpr std::chrono::milliseconds lock_life{10'000};

const QDateTime& end_of(const Job& job) {
    return job.ended.isValid() ? job.ended : job.created;
}

} // namespace

JobFolder::JobFolder(QString path)
    : path_(std::move(path)) {
    QDir().mkpath(path_);
}

std::expected<void, QString> JobFolder::save(const Job& job) {
    QSaveFile saved(record_file(job.id));
    if (!saved.open(QIODevice::WriteOnly))
        return std::unexpected(unwritable(saved.errorString()));
    saved.write(QJsonDocument(to_json(job)).toJson());
    if (!saved.commit())
        return std::unexpected(unwritable(saved.errorString()));
    known_[job.id] = stamp_of(record_file(job.id));
    return {};
}

std::expected<void, QString> JobFolder::save_list(const JobId& id, const QByteArray& list) const {
    QSaveFile saved(list_file(id));
    if (!saved.open(QIODevice::WriteOnly) || saved.write(list) != list.size() || !saved.commit())
        return std::unexpected(unwritable(saved.errorString()));
    return {};
}

std::expected<qint64, QString> JobFolder::begin_run(const QString& path) const {
    QFile file(path);
    if (!file.open(QIODevice::ReadWrite))
        return std::unexpected(unwritable(file.errorString()));
    const qint64 size = file.size();
    char last = '\n';
    if (size > 0 && file.seek(size - 1))
        file.getChar(&last);
    if (last != '\n' && (!file.seek(size) || file.write("\n") != 1))
        return std::unexpected(unwritable(file.errorString()));
    file.close();
    return file.size();
}

JobFolder::Changes JobFolder::changes() {
    Changes changes;
    std::map<JobId, Stamp> there;
    const QStringList names = QDir(path_).entryList({QStringLiteral("*.json")}, QDir::Files);
    for (const QString& name : names) {
        const JobId id = QUuid::fromString(name.chopped(5));
        if (id.isNull())
            continue;
        const Stamp stamp = stamp_of(record_file(id));
        there[id] = stamp;
        const auto known = known_.find(id);
        if (known != known_.end() && known->second == stamp)
            continue;
        if (auto job = load(id))
            changes.jobs.push_back(std::move(*job));
    }
    for (const auto& [id, stamp] : known_)
        if (!there.contains(id))
            changes.gone.push_back(id);
    known_ = std::move(there);
    return changes;
}

std::optional<Job> JobFolder::load(const JobId& id) const {
    QFile record(record_file(id));
    if (!record.open(QIODevice::ReadOnly))
        return std::nullopt;
    auto job = job_from_json(QJsonDocument::fromJson(record.readAll()).object());
    return job && job->id == id ? job : std::nullopt;
}

void JobFolder::erase(const JobId& id) {
    for (const char* suffix : {"json", "events", "log", "list"})
        QFile::remove(file(id, suffix));
    known_.erase(id);
}

std::expected<std::unique_ptr<QLockFile>, JobFolder::LockRefusal> JobFolder::lock() const {
    auto lock = std::make_unique<QLockFile>(path_ + QStringLiteral("/queue.lock"));
    lock->setStaleLockTime(static_cast<int>(lock_life.count()));
    if (lock->tryLock(static_cast<int>(lock_wait.count())))
        return lock;
    return std::unexpected(lock->error() == QLockFile::LockFailedError ? LockRefusal::Held
                                                                       : LockRefusal::Unwritable);
}

QString JobFolder::file(const JobId& id, const char* suffix) const {
    return QStringLiteral("%1/%2.%3")
        .arg(path_, id.toString(QUuid::WithoutBraces), QString::fromLatin1(suffix));
}

QString JobFolder::unwritable(const QString& reason) const {
    return JobTexts::tr("The folder of the jobs, %1, can't be written: %2").arg(path_, reason);
}

JobFolder::Stamp JobFolder::stamp_of(const QString& file) {
    struct stat facts{};
    if (::stat(QFile::encodeName(file).constData(), &facts) != 0)
        return {};
    return {facts.st_ino, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec};
}

QString last_bytes(const QString& path, qint64 from, qint64 most) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const qint64 start = std::max(from, file.size() - most);
    if (start > 0)
        file.seek(start);
    return QString::fromUtf8(file.read(most));
}

std::vector<JobId> outdated(const std::vector<Job>& jobs, const QDateTime& now) {
    std::vector<const Job*> ended;
    for (const Job& job : jobs)
        if (is_over(job.state))
            ended.push_back(&job);
    std::ranges::sort(ended, [](const Job* a, const Job* b) { return end_of(*a) > end_of(*b); });
    std::vector<JobId> outdated;
    for (std::size_t i = 0; i < ended.size(); ++i)
        if (i >= most_ended || end_of(*ended[i]).daysTo(now) > most_days)
            outdated.push_back(ended[i]->id);
    return outdated;
}

} // namespace sparsight

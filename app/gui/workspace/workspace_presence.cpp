#include "gui/workspace/workspace_presence.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QUuid>

namespace sparsight {

namespace {

/// The same for all names of a file.
QString folder_name(const QString& workspace) {
    const QFileInfo file(workspace);
    const QString path =
        file.canonicalFilePath().isEmpty() ? file.absoluteFilePath() : file.canonicalFilePath();
    return QString::fromLatin1(QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex());
}

std::unique_ptr<QLockFile> lock_file(const QString& path) {
    auto file = std::make_unique<QLockFile>(path);
    file->setStaleLockTime(
        0); // however long it is open; that of a process that is gone is stale all the same
    return file;
}

} // namespace

WorkspacePresence::WorkspacePresence(QString folder)
    : folder_(std::move(folder)) {}

void WorkspacePresence::set_workspace(const QString& path) {
    own_.reset();
    if (!here_.isEmpty())
        QDir().rmdir(here_); // where another window is, it is not empty and stays
    here_.clear();
    if (path.isEmpty())
        return;
    here_ = folder_ + u'/' + folder_name(path);
    QDir().mkpath(here_);
    own_ = lock_file(here_ + u'/' + QUuid::createUuid().toString(QUuid::Id128) + QStringLiteral(".lock"));
    if (!own_->tryLock(0))
        own_.reset();
}

bool WorkspacePresence::is_open_elsewhere() const {
    if (here_.isEmpty())
        return false;
    for (const QFileInfo& file : QDir(here_).entryInfoList({QStringLiteral("*.lock")}, QDir::Files)) {
        if (own_ && file.absoluteFilePath() == QFileInfo(own_->fileName()).absoluteFilePath())
            continue;
        if (!lock_file(file.absoluteFilePath())->tryLock(0)) // otherwise its window was killed
            return true;
    }
    return false;
}

} // namespace sparsight

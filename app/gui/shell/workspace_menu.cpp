#include "gui/shell/workspace_menu.h"

#include "gui/program/program.h"
#include "gui/settings/settings.h"
#include "gui/workspace/workspace_session.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSaveFile>
#include <QStandardPaths>
#include <utility>

namespace sparsight {

namespace {

QString workspaces_folder() {
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
                           QStringLiteral("/workspaces");
    QDir().mkpath(folder);
    return folder;
}

QString with_suffix(const QString& file) {
    return QFileInfo(file).suffix().isEmpty() ? file + QStringLiteral(".sparsight") : file;
}

/// Whole or not at all: a copy that was cut off would be opened the next time.
Result<void> copy_whole(const QString& from, const QString& to) {
    QFile source(from);
    QSaveFile target(to);
    if (!source.open(QIODevice::ReadOnly))
        return fail_in_file(Fault::Environment, from.toStdString(), 0,
                            "can't be read: " + source.errorString().toStdString());
    const QByteArray content = source.readAll();
    for (const char* rest : {"-wal", "-shm"}) // of a workspace that is gone: they would be read as this one's
        QFile::remove(to + QLatin1String(rest));
    if (!target.open(QIODevice::WriteOnly) || target.write(content) != content.size() || !target.commit())
        return fail_in_file(Fault::Environment, to.toStdString(), 0,
                            "can't be written: " + target.errorString().toStdString());
    return {};
}

/// Says beside the demo workspace of which recording it is a copy.
QString note_of(const QString& demo) {
    return demo + QStringLiteral(".recording");
}

QByteArray digest_of(const QString& recording) {
    QFile file(recording);
    QCryptographicHash digest(QCryptographicHash::Sha256);
    return file.open(QIODevice::ReadOnly) && digest.addData(&file) ? digest.result().toHex() : QByteArray();
}

} // namespace

WorkspaceMenu::WorkspaceMenu(UserSettings& settings, WorkspaceSession& session, QMenu& recent,
                             QWidget* window)
    : QObject(window)
    , settings_(settings)
    , session_(session)
    , recent_(recent)
    , window_(window) {
    connect(&settings_, &UserSettings::changed, this, &WorkspaceMenu::show_recent);
    connect(&session_, &WorkspaceSession::opened, this, [this](const QString& path) {
        settings_.add_recent(path);
        settings_.workspace.set(path);
        if (path == untitled_)
            Q_EMIT untitled_opened(path);
        untitled_.clear();
    });
    connect(&session_, &WorkspaceSession::closed, this, [this] { settings_.workspace.set({}); });
    show_recent();
}

bool WorkspaceMenu::is_workspace_name(const QString& file) {
    return QFileInfo(file).suffix().compare(QStringLiteral("sparsight"), Qt::CaseInsensitive) == 0;
}

void WorkspaceMenu::ask_for_new() {
    auto* dialog = new QFileDialog(window_, tr("New workspace"), QDir::homePath(),
                                   tr("Sparsight workspaces (*.sparsight)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("sparsight"));
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // nothing is overwritten
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        const QString path = with_suffix(file);
        if (QFileInfo::exists(path))
            Q_EMIT failed(tr("%1 is there already: open it, or choose another name.").arg(path));
        else
            session_.create(path);
    });
    dialog->open();
}

void WorkspaceMenu::ask_for_existing() {
    auto* dialog =
        new QFileDialog(window_, tr("Open workspace"),
                        session_.is_open() ? QFileInfo(session_.path()).absolutePath() : QDir::homePath(),
                        tr("Sparsight workspaces (*.sparsight);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, &session_, &WorkspaceSession::open);
    dialog->open();
}

void WorkspaceMenu::open_untitled() {
    const QDir folder(workspaces_folder());
    for (int number = 1;; ++number) {
        const QString path = folder.filePath(tr("Untitled %1").arg(number) + QStringLiteral(".sparsight"));
        if (!QFileInfo::exists(path)) {
            untitled_ = path;
            session_.create(path);
            return;
        }
    }
}

QString WorkspaceMenu::demo_path() {
    return QFileInfo(workspaces_folder() + QStringLiteral("/Demo.sparsight")).absoluteFilePath();
}

void WorkspaceMenu::open_demo(const QString& recording) {
    const QString path = demo_path();
    if (QFileInfo::exists(path))
        return session_.open(path);
    make_demo(recording);
}

void WorkspaceMenu::make_demo(const QString& recording) {
    const QString path = demo_path();
    if (const auto copied = copy_whole(recording, path); !copied) {
        Q_EMIT failed(QString::fromStdString(copied.error().text()));
        return;
    }
    // Where the note can't be written, the same recording is offered once more.
    if (QFile note(note_of(path)); note.open(QIODevice::WriteOnly))
        note.write(digest_of(recording));
    Q_EMIT demo_made(path);
    session_.open(path);
}

bool WorkspaceMenu::is_of_older_recording(const QString& workspace, const QString& recording) {
    if (workspace != demo_path() || !QFileInfo::exists(recording))
        return false;
    QFile note(note_of(workspace)); // copies of earlier versions of this program have none
    return !note.open(QIODevice::ReadOnly) || note.readAll() != digest_of(recording);
}

void WorkspaceMenu::renew_demo(const QString& recording) {
    const QFileInfo demo(demo_path());
    QString kept;
    for (int number = 1; kept.isEmpty() || QFileInfo::exists(kept); ++number)
        kept =
            demo.dir().filePath(QStringLiteral("%1 %2.sparsight").arg(demo.completeBaseName()).arg(number));
    session_.close();
    if (!QFile::rename(demo.filePath(), kept)) {
        Q_EMIT failed(tr("%1 can't be renamed, so it is not replaced.").arg(demo.filePath()));
        return session_.open(demo.filePath());
    }
    for (const char* rest : {"-wal", "-shm"}) // the newest writes may stand there alone
        QFile::rename(demo.filePath() + QLatin1String(rest), kept + QLatin1String(rest));
    settings_.add_recent(kept);
    make_demo(recording);
}

void WorkspaceMenu::show_recent() {
    recent_.clear();
    for (const QString& path : settings_.recent.get()) {
        QAction* action = recent_.addAction(QFileInfo(path).completeBaseName() + QStringLiteral("  —  ") +
                                            QFileInfo(path).absolutePath());
        const bool is_there = QFileInfo::exists(path);
        action->setEnabled(is_there);
        action->setToolTip(is_there ? path : tr("%1 is not there any more.").arg(path));
        connect(action, &QAction::triggered, &session_, [this, path] { session_.open(path); });
    }
    recent_.setEnabled(!recent_.isEmpty());
    recent_.setToolTipsVisible(true);
}

WorkspaceRequests::WorkspaceRequests(const WorkspaceSession& session, QObject* parent)
    : QObject(parent)
    , session_(session) {
    connect(&session_, &WorkspaceSession::opened, this, [this] {
        for (const Request& request : std::exchange(waiting_, {}))
            request.meet();
    });
    // A request that could not be met must not be carried out in the next workspace.
    connect(&session_, &WorkspaceSession::failed, this, [this](const QString&, const QString& reason) {
        for (const Request& request : std::exchange(waiting_, {}))
            if (request.give_up)
                request.give_up(reason);
    });
}

void WorkspaceRequests::when_open(Request request) {
    if (session_.is_open())
        return request.meet();
    waiting_.push_back(std::move(request));
    if (waiting_.size() == 1)
        Q_EMIT workspace_needed();
}

void WorkspaceRequests::after_opening(Request request) {
    waiting_.push_back(std::move(request));
}

} // namespace sparsight

#include "gui/workspace/workspace_session.h"

#include "gui/program/program.h"
#include "gui/workspace/background_work.h"
#include "machine/probe/probe.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/models.h"
#include "workflow/chosen_setting.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <QStandardPaths>
#include <QUuid>

namespace sparsight {

namespace {

/// The same folder for all names of a file.
QString folder_name(const QString& workspace) {
    const QFileInfo file(workspace);
    const QString path =
        file.canonicalFilePath().isEmpty() ? file.absoluteFilePath() : file.canonicalFilePath();
    return QString::fromLatin1(QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex());
}

std::unique_ptr<QLockFile> lock_file(const QString& path) {
    auto file = std::make_unique<QLockFile>(path);
    file->setStaleLockTime(0); // never stale by age; the lock of a process that is gone is stale anyway
    return file;
}

} // namespace

WorkspacePresence::WorkspacePresence(QString folder)
    : folder_(std::move(folder)) {}

void WorkspacePresence::set_workspace(const QString& path) {
    own_.reset();
    if (!here_.isEmpty())
        QDir().rmdir(here_); // fails while another window has a file in it
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

namespace {

constexpr std::chrono::milliseconds watch_interval{1000};
constexpr std::chrono::milliseconds burst{60};

struct Opening {
    bool is_read_only = false;
    const Domain* domain = nullptr;
    WorkspaceContents contents;
    QString this_machine;
};

Result<WorkspaceContents> read(Workspace& workspace, const Domain& domain) {
    auto workloads = list_workloads(workspace, domain.name());
    if (!workloads)
        return std::unexpected(workloads.error());
    auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(machines.error());
    const auto measurements = count_measurements(workspace);
    if (!measurements)
        return std::unexpected(measurements.error());
    std::map<std::string, std::string> sheets;
    for (const MachineRecord& machine : *machines) {
        auto facts = machine_facts(workspace, machine.id);
        if (!facts)
            return std::unexpected(std::move(facts).error());
        if (!facts->empty())
            sheets.emplace(machine.fingerprint, *std::move(facts));
    }
    const auto models = list_models(workspace);
    if (!models)
        return std::unexpected(models.error());
    const auto splits = split_names(workspace);
    if (!splits)
        return std::unexpected(splits.error());
    WorkspaceContents contents{std::move(*workloads), std::move(*machines), std::move(sheets), *measurements};
    for (const ModelRecord& model : *models)
        contents.models.insert(model.name);
    contents.splits.insert(splits->begin(), splits->end());
    return contents;
}

/// Only the identity: nothing is measured.
QString fingerprint_of_this_computer() {
    ProbeOptions facts;
    facts.measure = false;
    const auto machine = probe_this_computer(facts);
    return machine ? QString::fromStdString(machine->fingerprint()) : QString();
}

Result<Opening> open_or_create(const std::filesystem::path& path, bool create,
                               const DomainRegistry& domains) {
    Opening opening;
    auto workspace = create ? Workspace::create(path, application_name().toStdString() + " " +
                                                          application_version().toStdString())
                            : Workspace::open(path);
    if (!workspace && !create) {
        const Error reason = workspace.error();
        workspace = Workspace::open(path, {.access = WorkspaceAccess::Read, .busy_timeout = {}});
        if (!workspace)
            return std::unexpected(reason);
        opening.is_read_only = true;
    }
    if (!workspace)
        return std::unexpected(workspace.error());
    const auto domain = choose_domain(*workspace, domains, {});
    opening.domain = domain ? *domain : domains.all().front(); // it may be kept by a program that has others
    auto contents = read(*workspace, *opening.domain);
    if (!contents)
        return std::unexpected(contents.error());
    opening.contents = std::move(*contents);
    opening.this_machine = fingerprint_of_this_computer();
    return opening;
}

bool same(const std::vector<MachineRecord>& left, const std::vector<MachineRecord>& right) {
    return std::ranges::equal(left, right, [](const MachineRecord& a, const MachineRecord& b) {
        return a.id == b.id && a.name == b.name && a.description == b.description;
    });
}

} // namespace

WorkspaceSession::WorkspaceSession(const DomainRegistry& domains, QObject* parent)
    : QObject(parent)
    , domains_(domains)
    , domain_(domains.all().front())
    , presence_(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
                QStringLiteral("/open")) {
    watch_.setInterval(watch_interval);
    connect(&watch_, &QTimer::timeout, this, &WorkspaceSession::look_at_file);
    refresh_soon_.setInterval(burst);
    refresh_soon_.setSingleShot(true);
    connect(&refresh_soon_, &QTimer::timeout, this, &WorkspaceSession::read_contents);
}

const WorkloadRecord* WorkspaceSession::workload(const QString& name) const {
    const auto found = std::ranges::find(contents_.workloads, name.toStdString(), &WorkloadRecord::name);
    return found == contents_.workloads.end() ? nullptr : &*found;
}

const MachineRecord* WorkspaceSession::machine(const QString& fingerprint) const {
    const auto found =
        std::ranges::find(contents_.machines, fingerprint.toStdString(), &MachineRecord::fingerprint);
    return found == contents_.machines.end() ? nullptr : &*found;
}

QByteArray WorkspaceSession::facts_of_machine(const QString& fingerprint) const {
    const auto found = contents_.machine_facts.find(fingerprint.toStdString());
    return found == contents_.machine_facts.end() ? QByteArray() : QByteArray::fromStdString(found->second);
}

void WorkspaceSession::open(const QString& path) {
    begin(path, false);
}

void WorkspaceSession::create(const QString& path) {
    begin(path, true);
}

void WorkspaceSession::begin(const QString& path, bool create) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    pending_path_ = absolute;
    Q_EMIT opening(absolute);
    in_background(
        this,
        [file = absolute.toStdString(), create, &domains = domains_] {
            return open_or_create(file, create, domains);
        },
        [this, absolute](Result<Opening> opening) {
            if (pending_path_ != absolute) // another workspace was requested meanwhile
                return;
            pending_path_.clear();
            if (!opening) {
                Q_EMIT failed(absolute, QString::fromStdString(opening.error().text()));
                return;
            }
            path_ = absolute;
            pending_domain_ = nullptr;
            const bool is_other_domain = std::exchange(domain_, opening->domain) != opening->domain;
            is_read_only_ = opening->is_read_only;
            is_gone_ = false;
            is_open_elsewhere_ = false;
            presence_.set_workspace(path_);
            contents_ = std::move(opening->contents);
            this_machine_ = opening->this_machine;
            seen_state_.clear(); // so that the first look at the file finds changes made since it was read
            watch_.start();
            if (is_other_domain)
                Q_EMIT domain_changed();
            Q_EMIT opened(path_);
            Q_EMIT contents_changed();
            Q_EMIT measurements_changed();
            look_for_other_windows();
        });
}

void WorkspaceSession::close() {
    if (!is_open())
        return;
    watch_.stop();
    refresh_soon_.stop();
    pending_path_.clear();
    path_.clear();
    is_gone_ = false;
    is_open_elsewhere_ = false;
    presence_.set_workspace({});
    contents_ = {};
    pending_domain_ = nullptr;
    const Domain* const first = domains_.all().front();
    if (std::exchange(domain_, first) != first)
        Q_EMIT domain_changed();
    Q_EMIT closed();
    Q_EMIT contents_changed();
    Q_EMIT measurements_changed();
}

void WorkspaceSession::choose_domain(const Domain& domain) {
    if (!is_open() || (pending_domain_ != nullptr ? pending_domain_ : domain_) == &domain)
        return;
    pending_domain_ = &domain;
    in_background(
        this,
        [file = path_.toStdString(), &domain, can_keep = !is_read_only_]() -> Result<WorkspaceContents> {
            auto workspace = Workspace::open(
                file, {.access = can_keep ? WorkspaceAccess::ReadWrite : WorkspaceAccess::Read,
                       .busy_timeout = std::chrono::seconds(2)});
            if (!workspace)
                return std::unexpected(workspace.error());
            // A workspace in which a worker writes for long is looked at all the same.
            if (can_keep)
                static_cast<void>(keep_domain(*workspace, domain));
            return read(*workspace, domain);
        },
        [this, file = path_, &domain](Result<WorkspaceContents> contents) {
            if (file != path_ || pending_domain_ != &domain) // another one was chosen meanwhile
                return;
            pending_domain_ = nullptr;
            if (!contents) {
                if (!look_for_file())
                    Q_EMIT failed(path_, QString::fromStdString(contents.error().text()));
                return;
            }
            domain_ = &domain;
            contents_ = std::move(*contents);
            Q_EMIT domain_changed();
            Q_EMIT contents_changed();
            Q_EMIT measurements_changed();
        });
}

void WorkspaceSession::refresh() {
    if (is_open() && !refresh_soon_.isActive())
        refresh_soon_.start();
}

void WorkspaceSession::read_contents() {
    if (is_reading_) {
        refresh_soon_.start();
        return;
    }
    is_reading_ = true;
    const QString state = file_state();
    in_background(
        this,
        [file = path_.toStdString(), &domain = *domain_]() -> Result<WorkspaceContents> {
            auto workspace = Workspace::open(
                file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
            if (!workspace)
                return std::unexpected(workspace.error());
            return read(*workspace, domain);
        },
        [this, file = path_, state, domain = domain_](Result<WorkspaceContents> contents) {
            is_reading_ = false;
            if (file != path_)
                return;
            if (domain != domain_) { // what was read is of the one before
                refresh();
                return;
            }
            if (!contents) { // reported once; the next look at the file tries again
                if (look_for_file())
                    return;
                const QString reason = QString::fromStdString(contents.error().text());
                if (reason != told_failure_)
                    Q_EMIT failed(path_, reason);
                told_failure_ = reason;
                return;
            }
            told_failure_.clear();
            seen_state_ = state;
            const bool contents_differ = contents->workloads != contents_.workloads ||
                                         !same(contents->machines, contents_.machines) ||
                                         contents->machine_facts != contents_.machine_facts;
            contents_ = std::move(*contents);
            if (contents_differ)
                Q_EMIT contents_changed();
            // Replacing a measurement changes no count, so the signal is emitted whenever the file has
            // changed.
            Q_EMIT measurements_changed();
        });
}

void WorkspaceSession::write(QObject* receiver, std::function<Result<void>(Workspace&)> action,
                             std::function<void(const Result<void>&)> done) {
    in_background(
        this,
        [file = path_.toStdString(), action = std::move(action)]() -> Result<void> {
            auto workspace = Workspace::open(file);
            if (!workspace)
                return std::unexpected(workspace.error());
            return action(*workspace);
        },
        [this, receiver = QPointer(receiver), done = std::move(done)](const Result<void>& result) {
            refresh();
            if (receiver && done)
                done(result);
        });
}

/// SQLite's own change counter needs a connection; sizes and dates of the file and its log serve as well.
QString WorkspaceSession::file_state() const {
    const QFileInfo file(path_);
    const QFileInfo log(path_ + QStringLiteral("-wal"));
    return QStringLiteral("%1 %2 %3 %4")
        .arg(file.size())
        .arg(file.lastModified().toMSecsSinceEpoch())
        .arg(log.exists() ? log.size() : -1)
        .arg(log.exists() ? log.lastModified().toMSecsSinceEpoch() : 0);
}

void WorkspaceSession::look_for_other_windows() {
    const bool is_open_elsewhere = presence_.is_open_elsewhere();
    if (is_open_elsewhere != is_open_elsewhere_) {
        is_open_elsewhere_ = is_open_elsewhere;
        Q_EMIT open_elsewhere_changed(is_open_elsewhere_);
    }
}

void WorkspaceSession::look_at_file() {
    look_for_other_windows();
    if (!look_for_file() && file_state() != seen_state_)
        refresh();
}

bool WorkspaceSession::look_for_file() {
    const bool is_gone = is_open() && !QFileInfo::exists(path_);
    if (is_gone != is_gone_) {
        is_gone_ = is_gone;
        Q_EMIT gone_changed(is_gone_);
    }
    return is_gone_;
}

} // namespace sparsight

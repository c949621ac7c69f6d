#include "gui/machines/machine_actions.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/machines/machine_facts.h"
#include "gui/page/domain_words.h"
#include "gui/page/machine_words.h"
#include "gui/page/page.h"
#include "gui/workspace/workspace_session.h"
#include "machine/machine_description.h"
#include "machine/machine_edit.h"
#include "machine/machine_presets.h"
#include "store/machines.h"
#include "widgets/look/labels.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QMessageBox>
#include <QSaveFile>
#include <QUndoStack>
#include <algorithm>

namespace sparsight {

namespace {

QString text_of(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

MachineActions::MachineActions(MachineEdits& edits, const DomainWords& words, QWidget& where)
    : QObject(&where)
    , edits_(edits)
    , words_(words)
    , where_(where)
    , presets_(new QMenu(&where))
    , new_(add_action(QStringLiteral("new"), tr("&New"), QStringLiteral("new-machine")))
    , duplicate_(add_action(QStringLiteral("copy"), tr("&Duplicate"), QStringLiteral("duplicate-machine")))
    , remove_(add_action(QStringLiteral("delete"), tr("De&lete"), QStringLiteral("delete-machine")))
    , import_(add_action(QStringLiteral("import"), tr("Import a &file…"), QStringLiteral("import-machine")))
    , export_(add_action(QStringLiteral("export"), tr("E&xport…"), QStringLiteral("export-machine")))
    , undo_(edits.undo_stack()->createUndoAction(this, tr("Undo")))
    , redo_(edits.undo_stack()->createRedoAction(this, tr("Redo"))) {
    new_->setMenu(presets_);
    new_->setToolTip(tr("Imagine a machine, starting from a preset"));
    duplicate_->setToolTip(tr("Imagine a machine like this one, to change its numbers"));
    duplicate_->setShortcut(Qt::CTRL | Qt::Key_D);
    remove_->setToolTip(tr("Delete this machine"));
    remove_->setShortcut(QKeySequence::Delete);
    import_->setToolTip(tr("Add a machine from a JSON file"));
    export_->setToolTip(tr("Save this machine as a JSON file, for another workspace or computer"));
    undo_->setIcon(icon(QStringLiteral("undo")));
    undo_->setObjectName(QStringLiteral("undo-machine"));
    undo_->setShortcut(QKeySequence::Undo);
    redo_->setIcon(icon(QStringLiteral("redo")));
    redo_->setObjectName(QStringLiteral("redo-machine"));
    redo_->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    undo_->setIconText(tr("Undo"));
    redo_->setIconText(tr("Redo"));
    for (QAction* const action : {duplicate_, undo_, redo_}) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        where.addAction(action);
    }
    remove_->setShortcutContext(
        Qt::WidgetWithChildrenShortcut); // only for the table: the fields use Delete, too
    connect(duplicate_, &QAction::triggered, this, &MachineActions::duplicate_machine);
    connect(remove_, &QAction::triggered, this, &MachineActions::remove_machine);
    connect(import_, &QAction::triggered, this, &MachineActions::ask_for_import);
    connect(export_, &QAction::triggered, this, &MachineActions::ask_for_export);
    connect(&edits_, &MachineEdits::changed, this, &MachineActions::show_availability);
    fill_presets();
}

QAction* MachineActions::add_action(const QString& icon_name, const QString& text, const QString& name) {
    auto* const action = new QAction(icon(icon_name), text, this);
    action->setObjectName(name);
    return action;
}

void MachineActions::fill_presets() {
    presets_->setToolTipsVisible(true);
    for (const MachinePreset& preset : machine_presets()) {
        QAction* const action = presets_->addAction(preset_title(preset));
        action->setObjectName(QStringLiteral("preset-") + text_of(preset.key));
        action->setToolTip(explained_tooltip(text_of(preset.source), text_of(preset.note)));
        MachineDescription machine = preset.machine;
        machine.name = preset_title(preset).toStdString(); // as it was chosen
        connect(action, &QAction::triggered, this, [this, machine = std::move(machine)] {
            Q_EMIT made(edits_.add(machine, tr("new %1").arg(QString::fromStdString(machine.name))));
        });
    }
    presets_->addSeparator();
    presets_->addAction(import_);
}

void MachineActions::set_machine(const QString& fingerprint, qint64 times,
                                 const QString& reason_against_writing) {
    fingerprint_ = fingerprint;
    times_ = times;
    against_writing_ = reason_against_writing;
    show_availability();
}

QString MachineActions::reason_against_editing(const MachineRecord& machine) {
    if (is_editable(machine))
        return {};
    const auto description = description_of(machine);
    if (!description)
        return tr("Nothing is known of this machine but its name and its runtimes.");
    switch (description->source) {
    case MachineSource::Probed:
        return tr("This is a real computer: its numbers were read, measured or fitted. Duplicate it to "
                  "change them.");
    case MachineSource::Recorded:
        return tr(
            "This is a real computer, whose runtimes were imported. Duplicate it to change its numbers.");
    case MachineSource::Simulated:
        break;
    }
    return tr("Runtimes were simulated for this machine as it is. Duplicate it to change its numbers.");
}

void MachineActions::show_availability() {
    const MachineEdits::State machine = current();
    const QString no_machine = machine ? QString() : tr("No machine is selected.");
    const bool is_described = machine && description_of(*machine);
    const QString unknown =
        is_described ? QString() : tr("Nothing is known of this machine but its name and its runtimes.");
    const auto first_of = [](std::initializer_list<QString> reasons) {
        for (const QString& reason : reasons)
            if (!reason.isEmpty())
                return reason;
        return QString();
    };
    set_availability(*new_, against_writing_);
    set_availability(*import_, against_writing_);
    set_availability(*duplicate_, first_of({against_writing_, no_machine, unknown}));
    set_availability(*export_, first_of({no_machine, unknown}));
    set_availability(*remove_, first_of({against_writing_, no_machine,
                                         fingerprint_ == edits_.this_machine()
                                             ? tr("This computer stays: what is measured next belongs to it.")
                                             : QString()}));
}

void MachineActions::duplicate_machine() {
    const MachineEdits::State machine = current();
    auto copy = machine ? description_of(*machine) : std::nullopt;
    if (!copy)
        return;
    copy->date.reset(); // the date of measurements, which a copy does not have
    Q_EMIT made(edits_.add(*std::move(copy), tr("duplicate %1").arg(QString::fromStdString(machine->name))));
}

void MachineActions::remove_machine() {
    const MachineEdits::State machine = current();
    if (!machine)
        return;
    if (!edits_.can_be_brought_back(fingerprint_, times_))
        return ask_before_removing(*machine);
    const QString fingerprint = fingerprint_;
    edits_.remove(fingerprint, tr("delete %1").arg(QString::fromStdString(machine->name)));
    Q_EMIT removed(fingerprint);
}

void MachineActions::ask_before_removing(const MachineRecord& machine) {
    const QString name = QString::fromStdString(machine.name);
    const QString what =
        times_ > 0
            ? tr("%1 and all runtimes that are stored for it are removed from the workspace.").arg(name)
            : tr("%1 is removed from the workspace.").arg(name);
    auto* const question =
        new QMessageBox(QMessageBox::Question, tr("Delete %1?").arg(name),
                        what + u' ' +
                            tr("%1, %2 and models stay. This can't be undone.")
                                .arg(title_of_many(words_.workload), many(words_.configuration)),
                        QMessageBox::Cancel, &where_);
    question->setObjectName(QStringLiteral("delete-machine-question"));
    question->addButton(tr("&Delete"), QMessageBox::DestructiveRole)
        ->setObjectName(QStringLiteral("delete-machine-with-times"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &QMessageBox::buttonClicked, this,
            [this, question, fingerprint = fingerprint_](QAbstractButton* clicked) {
                if (question->buttonRole(clicked) != QMessageBox::DestructiveRole ||
                    !edits_.machine(fingerprint))
                    return;
                edits_.remove_with_times(fingerprint);
                Q_EMIT removed(fingerprint);
            });
    question->open();
}

void MachineActions::ask_for_import() {
    auto* const dialog = new QFileDialog(&where_, tr("Import a machine"), QDir::homePath(),
                                         tr("Machines (*.json);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &MachineActions::import_from);
    dialog->open();
}

void MachineActions::import_from(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        Q_EMIT notice(tr("%1 can't be read: %2").arg(path, file.errorString()), true,
                      QStringLiteral("import"));
        return;
    }
    const auto machine = machine_from_printed_text(file.readAll().toStdString());
    const auto usable = machine ? require_consistent(*machine) : std::unexpected(machine.error());
    if (!usable) {
        Q_EMIT notice(tr("%1: %2").arg(path, QString::fromStdString(usable.error().text())), true,
                      QStringLiteral("import"));
        return;
    }
    Q_EMIT made(edits_.add(*machine, tr("import %1").arg(QString::fromStdString(machine->name))));
    Q_EMIT notice({}, false, QStringLiteral("import"));
}

void MachineActions::ask_for_export() {
    const MachineEdits::State machine = current();
    if (!machine)
        return;
    const QString name = QString::fromStdString(machine->name).replace(QLatin1Char('/'), QLatin1Char('-'));
    auto* const dialog =
        new QFileDialog(&where_, tr("Export the machine"), QDir::homePath(), tr("Machines (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->selectFile(name + QStringLiteral(".json"));
    connect(dialog, &QFileDialog::fileSelected, this, &MachineActions::export_to);
    dialog->open();
}

void MachineActions::export_to(const QString& path) {
    const MachineEdits::State machine = current();
    if (!machine)
        return;
    QSaveFile file(path);
    const QByteArray text = QByteArray::fromStdString(machine->description);
    const bool is_saved = file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit();
    Q_EMIT notice(is_saved ? tr("Saved %1").arg(path)
                           : tr("%1 can't be written: %2").arg(path, file.errorString()),
                  !is_saved, QStringLiteral("export"));
}

MachineJobs::MachineJobs(Services services, const Domain& domain, QWidget& where)
    : QObject(&where)
    , services_(services)
    , domain_(domain)
    , probe_(new QAction(icon(QStringLiteral("probe")), tr("&Probe this computer"), this))
    , calibrate_(new QAction(icon(QStringLiteral("measure")), tr("Cali&brate"), this))
    , line_(new JobProgressLine(services.jobs, &where)) {
    probe_->setObjectName(QStringLiteral("probe"));
    calibrate_->setObjectName(QStringLiteral("calibrate"));
    calibrate_->setToolTip(
        tr("Fit the simulation of this machine to its measurements, mostly within a minute. A third of the "
           "%1 is kept back as a test. If there are few, each is left out once.")
            .arg(many(domain_.words().workload)));
    connect(probe_, &QAction::triggered, this,
            [this] { start(ProbeJob{services_.session.path()}, QStringLiteral("probe")); });
    connect(calibrate_, &QAction::triggered, this, &MachineJobs::start_calibration);
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished,
                              &JobService::job_removed})
        connect(&services_.jobs, signal, this, &MachineJobs::show_availability);
    connect(&services_.jobs, &JobService::job_finished, this, &MachineJobs::follow_end);
    show_availability();
}

void MachineJobs::set_machine(const std::optional<MachineRecord>& machine,
                              const std::optional<LearningSource>& measurements,
                              const QString& reason_against_writing) {
    machine_ = machine;
    measurements_ = measurements;
    against_writing_ = reason_against_writing;
    show_availability();
}

void MachineJobs::start(const JobRequest& request, const QString& action) {
    const auto started = services_.jobs.start(request);
    Q_EMIT notice(started ? QString() : started.error(), !started, action);
    show_availability();
}

void MachineJobs::start_calibration() {
    if (!machine_ || !measurements_)
        return;
    start(CalibrateJob{services_.session.path(), fingerprint_of(*machine_),
                       QString::fromStdString(machine_->name), job_setting(domain_, measurements_->setting),
                       measurements_->purpose_text},
          QStringLiteral("calibrate"));
    Q_EMIT calibration_started();
}

/// Shows what a calibration says about its own accuracy.
void MachineJobs::follow_end(const JobId& id) {
    const auto job = services_.jobs.job(id);
    if (!job || job->kind != JobKind::Calibrate || job->state != JobState::Finished ||
        job->workspace != services_.session.path())
        return;
    const QStringList lines = services_.jobs.event_lines(id, 40);
    const QJsonObject end =
        lines.isEmpty() ? QJsonObject() : QJsonDocument::fromJson(lines.last().toUtf8()).object();
    QStringList remarks;
    const QJsonArray told = end.value(QLatin1String("remarks")).toArray();
    for (const auto& remark : told)
        remarks << remark.toString();
    if (!remarks.isEmpty())
        Q_EMIT notice(
            (end.value(QLatin1String("stored")).toBool() ? tr("Calibrated: %1.") : tr("Not calibrated: %1."))
                .arg(remarks.join(QStringLiteral("; "))),
            false, QStringLiteral("calibrate"));
}

std::optional<Job> MachineJobs::under_way(JobKind kind, const QString& machine) const {
    for (const Job& job : services_.jobs.jobs())
        if (job.kind == kind && job.workspace == services_.session.path() && !is_over(job.state) &&
            (machine.isEmpty() || calibrated_machine(job) == machine))
            return job;
    return std::nullopt;
}

QString MachineJobs::reason_against_probing() const {
    if (!against_writing_.isEmpty())
        return against_writing_;
    const auto job = under_way(JobKind::Probe);
    return job ? tr("It is being probed now: %1").arg(job->progress.what) : QString();
}

QString MachineJobs::reason_against_calibrating() const {
    if (!against_writing_.isEmpty())
        return against_writing_;
    if (!machine_)
        return tr("No machine is selected.");
    const auto description = description_of(*machine_);
    if (description && description->source == MachineSource::Simulated)
        return tr("The numbers of a simulated machine were chosen: there is nothing to fit. Real machines "
                  "are fitted to what was measured on them.");
    if (under_way(JobKind::Calibrate, fingerprint_of(*machine_)))
        return tr("It is being calibrated now.");
    if (measurements_)
        return {};
    return fingerprint_of(*machine_) == services_.session.this_machine()
               ? tr("Nothing was measured on this computer yet: measure %1 of some %2 first.")
                     .arg(many(domain_.words().configuration), many(domain_.words().workload))
               : tr("No runtimes of this machine are known that belong to %1 with their data: import both "
                    "first.")
                     .arg(many(domain_.words().workload));
}

void MachineJobs::show_availability() {
    const MachineRecord* here = services_.session.machine(services_.session.this_machine());
    probe_->setText(here != nullptr && is_speed_known(*here) ? tr("&Probe this computer again")
                                                             : tr("&Probe this computer"));
    set_availability(*probe_, reason_against_probing());
    set_availability(*calibrate_, reason_against_calibrating());
    auto job = under_way(JobKind::Calibrate);
    if (auto probing = under_way(JobKind::Probe); probing && (!job || is_active(probing->state)))
        job = probing;
    line_->show_job(job);
}

} // namespace sparsight

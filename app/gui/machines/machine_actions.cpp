#include "gui/machines/machine_actions.h"

#include "gui/icons/icon.h"
#include "gui/page/availability.h"
#include "machine/machine_edit.h"
#include "machine/machine_json.h"
#include "machine/machine_presets.h"
#include "store/imagined_machines.h"
#include "widgets/look/info_button.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QSaveFile>
#include <QUndoStack>

namespace sparsight {

namespace {

QString text_of(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

MachineActions::MachineActions(MachineEdits& edits, QWidget& where)
    : QObject(&where)
    , edits_(edits)
    , where_(where)
    , presets_(new QMenu(&where))
    , new_(add_action(QStringLiteral("new"), tr("&New"), QStringLiteral("new-machine")))
    , duplicate_(add_action(QStringLiteral("copy"), tr("&Duplicate"), QStringLiteral("duplicate-machine")))
    , remove_(add_action(QStringLiteral("delete"), tr("De&lete"), QStringLiteral("delete-machine")))
    , import_(add_action(QStringLiteral("import"), tr("&From a file…"), QStringLiteral("import-machine")))
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
        Qt::WidgetWithChildrenShortcut); // of the table alone: fields have a Delete, too
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
        const QString name = QString::fromStdString(preset.machine.name);
        QAction* const action =
            presets_->addAction(preset.key.starts_with("report-") ? tr("%1, of the report").arg(name) : name);
        action->setObjectName(QStringLiteral("preset-") + text_of(preset.key));
        action->setToolTip(explained_tooltip(text_of(preset.source), text_of(preset.note)));
        connect(action, &QAction::triggered, this, [this, machine = preset.machine] {
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
    copy->date.reset(); // that of measurements, which a copy has none of
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
                        what + u' ' + tr("Matrices, schedules and models stay. This can't be undone."),
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

} // namespace sparsight

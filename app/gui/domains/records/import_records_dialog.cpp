#include "gui/domains/records/import_records_dialog.h"

#include "gui/icons/icon.h"
#include "gui/settings/settings.h"
#include "gui/shell/window/file_drop.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr int path_role = Qt::UserRole;

} // namespace

QStringList record_file_patterns() {
    QStringList patterns;
    for (const char* const ending : {"*.csv", "*.json", "*.log", "*db.txt"})
        patterns << QLatin1String(ending) << QLatin1String(ending) + QStringLiteral(".*");
    return patterns;
}

ImportRecordsDialog::ImportRecordsDialog(UserSettings& settings, QWidget* parent)
    : QDialog(parent)
    , settings_(settings)
    , tables_(new QListWidget(this))
    , decisions_(new QLineEdit(this))
    , machine_(new QLineEdit(this))
    , workload_sheet_(new QLineEdit(this))
    , machine_sheet_(new QLineEdit(this))
    , remove_(new QPushButton(icon(QStringLiteral("close")), tr("&Remove"), this))
    , import_(new QPushButton(icon_on_accent(QStringLiteral("import")), tr("&Import"), this)) {
    setWindowTitle(tr("Import tuning records"));
    setAcceptDrops(true);
    build();
    resize(680, 480);
    show_state();
}

void ImportRecordsDialog::build() {
    auto* const hint = new QLabel(
        tr("A table has one line for each measured run. Its columns are the workload, the time (time_ms), "
           "and each decision. Files of Kernel Tuner, TVM, MIOpen and the T4 format are recognised by their "
           "content. All may be compressed (.gz, .bz2, .xz, .zst)."),
        this);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    tables_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    tables_->setAccessibleName(tr("Tables to import"));
    tables_->setObjectName(QStringLiteral("tables"));
    auto* const files = new QPushButton(icon(QStringLiteral("open")), tr("Add &tables…"), this);
    auto* const cancel = new QPushButton(tr("Cancel"), this);
    for (QPushButton* const button : {files, remove_, cancel})
        button->setAutoDefault(false);
    auto* const tools = new QHBoxLayout;
    tools->addWidget(files);
    tools->addWidget(remove_);
    tools->addStretch();

    decisions_->setObjectName(QStringLiteral("decisions"));
    decisions_->setPlaceholderText(tr("all columns before the time that have no other meaning"));
    decisions_->setToolTip(tr("Columns that make a configuration, with commas: tile_x,tile_y,unroll"));
    machine_->setObjectName(QStringLiteral("machine"));
    machine_->setPlaceholderText(tr("the column “machine”"));
    machine_->setToolTip(tr("Whose times these are, where the tables have no column for it"));
    auto* const form = new QFormLayout;
    form->addRow(tr("&Decisions"), decisions_);
    form->addRow(tr("&Machine"), machine_);
    form->addRow(tr("Facts of &workloads"), sheet_field(workload_sheet_, tr("Facts of workloads")));
    form->addRow(tr("Facts of m&achines"), sheet_field(machine_sheet_, tr("Facts of machines")));

    import_->setObjectName(QStringLiteral("import"));
    import_->setDefault(true);
    auto* const bottom = new QHBoxLayout;
    bottom->addStretch(1);
    bottom->addWidget(cancel);
    bottom->addWidget(import_);
    auto* const column = new QVBoxLayout(this);
    column->addWidget(hint);
    column->addLayout(tools);
    column->addWidget(tables_, 1);
    column->addLayout(form);
    column->addSpacing(grid_step);
    column->addLayout(bottom);

    connect(files, &QPushButton::clicked, this, &ImportRecordsDialog::choose_tables);
    connect(remove_, &QPushButton::clicked, this, &ImportRecordsDialog::remove_selected);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(tables_, &QListWidget::itemSelectionChanged, this, &ImportRecordsDialog::show_state);
    connect(import_, &QPushButton::clicked, this, [this] {
        Q_EMIT chosen(request());
        accept();
    });
}

QWidget* ImportRecordsDialog::sheet_field(QLineEdit* field, const QString& name) {
    auto* const both = new QWidget(this);
    auto* const row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    auto* const choose = new QToolButton(both);
    choose->setIcon(icon(QStringLiteral("open")));
    choose->setToolTip(tr("Choose a file"));
    choose->setAccessibleName(tr("Choose a file: %1").arg(name));
    field->setAccessibleName(name);
    field->setPlaceholderText(tr("none: a table with a line for each, joined by its name"));
    row->addWidget(field, 1);
    row->addWidget(choose);
    both->setFocusProxy(field);
    connect(choose, &QToolButton::clicked, this, [this, field, name] {
        auto* const dialog = new QFileDialog(this, name, settings_.import_folder.get());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFile);
        connect(dialog, &QFileDialog::fileSelected, field, &QLineEdit::setText);
        dialog->open();
    });
    return both;
}

void ImportRecordsDialog::add_tables(const QStringList& paths) {
    for (const QString& path : paths) {
        const QFileInfo file(path);
        if (!file.isFile())
            continue;
        auto* const item = new QListWidgetItem(
            tr("%1   (%2)").arg(file.fileName(), bytes_text(static_cast<double>(file.size()))), tables_);
        item->setToolTip(path);
        item->setData(path_role, path);
    }
    show_state();
}

ImportRecordsJob ImportRecordsDialog::request() const {
    ImportRecordsJob job;
    for (int row = 0; row < tables_->count(); ++row)
        job.tables << tables_->item(row)->data(path_role).toString();
    job.tables.removeDuplicates();
    job.decisions = decisions_->text().simplified().remove(u' ');
    job.machine = machine_->text().trimmed();
    job.workloads = workload_sheet_->text().trimmed();
    job.machines = machine_sheet_->text().trimmed();
    return job;
}

void ImportRecordsDialog::choose_tables() {
    auto* const dialog =
        new QFileDialog(this, tr("Tables of tuning records"), settings_.import_folder.get(),
                        tr("Tuning records (%1);;All files (*)").arg(record_file_patterns().join(u' ')));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& files) {
        settings_.import_folder.set(QFileInfo(files.front()).absolutePath());
        add_tables(files);
    });
    dialog->open();
}

void ImportRecordsDialog::remove_selected() {
    qDeleteAll(tables_->selectedItems());
    show_state();
}

void ImportRecordsDialog::show_state() {
    const bool has_tables = tables_->count() > 0;
    import_->setEnabled(has_tables);
    import_->setToolTip(has_tables ? QString() : tr("Add a table first."));
    remove_->setEnabled(!tables_->selectedItems().isEmpty());
    remove_->setToolTip(remove_->isEnabled() ? QString() : tr("Select tables in the list first."));
}

void ImportRecordsDialog::dragEnterEvent(QDragEnterEvent* event) {
    if (!local_files(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void ImportRecordsDialog::dropEvent(QDropEvent* event) {
    add_tables(local_files(*event->mimeData()));
    event->acceptProposedAction();
}

} // namespace sparsight

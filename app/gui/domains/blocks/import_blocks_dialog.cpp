#include "gui/domains/blocks/import_blocks_dialog.h"

#include "gui/icons/icon.h"
#include "gui/settings/settings.h"
#include "gui/shell/window/file_drop.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QCheckBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr int path_role = Qt::UserRole;

QStringList paths_of(const QListWidget& list) {
    QStringList paths;
    for (int row = 0; row < list.count(); ++row)
        paths << list.item(row)->data(path_role).toString();
    paths.removeDuplicates();
    return paths;
}

} // namespace

ImportBlocksDialog::ImportBlocksDialog(UserSettings& settings, QWidget* parent)
    : QDialog(parent)
    , settings_(settings)
    , tables_(new QListWidget(this))
    , port_tables_(new QListWidget(this))
    , machines_(new QLineEdit(this))
    , without_aliasing_(new QCheckBox(tr("&Leave out blocks whose measurement may be disturbed"), this))
    , remove_(new QPushButton(icon(QStringLiteral("close")), tr("&Remove"), this))
    , import_(new QPushButton(icon_on_accent(QStringLiteral("import")), tr("&Import"), this)) {
    setWindowTitle(tr("Import basic blocks"));
    setAcceptDrops(true);
    build();
    resize(680, 540);
    show_state();
}

void ImportBlocksDialog::build() {
    auto* const hint = new QLabel(
        tr("A table has one block a line. The column hex is its machine code, and tp_hsw its cycles per 100 "
           "iterations on Haswell. Tables may be compressed (.gz, .bz2, .xz, .zst)."),
        this);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    tables_->setObjectName(QStringLiteral("tables"));
    port_tables_->setObjectName(QStringLiteral("port-tables"));
    machines_->setObjectName(QStringLiteral("machines"));
    machines_->setPlaceholderText(tr("all machines of the tables"));
    machines_->setToolTip(tr("Machines whose times are imported, with commas: hsw,skl"));
    without_aliasing_->setObjectName(QStringLiteral("without-aliasing"));
    without_aliasing_->setToolTip(tr("Blocks with 1 in the column may_alias"));
    auto* const add_tables =
        new QPushButton(icon(QStringLiteral("open")), tr("Add &tables of blocks…"), this);
    auto* const add_ports = new QPushButton(icon(QStringLiteral("open")), tr("Add tables of &ports…"), this);
    add_ports->setToolTip(tr("Ports and latencies of instructions, as uops.info or OSACA write them"));
    auto* const cancel = new QPushButton(tr("Cancel"), this);
    for (QPushButton* const button : {add_tables, add_ports, remove_, cancel})
        button->setAutoDefault(false);
    auto* const form = new QFormLayout;
    form->addRow(tr("&Machines"), machines_);
    form->addRow(QString(), without_aliasing_);
    import_->setObjectName(QStringLiteral("import"));
    import_->setDefault(true);
    auto* const bottom = new QHBoxLayout;
    bottom->addWidget(remove_);
    bottom->addStretch(1);
    bottom->addWidget(cancel);
    bottom->addWidget(import_);
    auto* const column = new QVBoxLayout(this);
    column->addWidget(hint);
    column->addWidget(file_list(tables_, add_tables, tr("Tables of blocks")), 3);
    column->addWidget(file_list(port_tables_, add_ports, tr("Tables of ports and latencies")), 2);
    column->addLayout(form);
    column->addSpacing(grid_step);
    column->addLayout(bottom);

    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(remove_, &QPushButton::clicked, this, &ImportBlocksDialog::remove_selected);
    connect(import_, &QPushButton::clicked, this, [this] {
        Q_EMIT chosen(request());
        accept();
    });
}

QWidget* ImportBlocksDialog::file_list(QListWidget* list, QPushButton* add, const QString& title) {
    auto* const both = new QWidget(this);
    auto* const lines = new QVBoxLayout(both);
    lines->setContentsMargins(0, 0, 0, 0);
    auto* const tools = new QHBoxLayout;
    tools->addWidget(add);
    tools->addStretch();
    lines->addLayout(tools);
    lines->addWidget(list, 1);
    list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list->setAccessibleName(title);
    connect(list, &QListWidget::itemSelectionChanged, this, &ImportBlocksDialog::show_state);
    connect(add, &QPushButton::clicked, this, [this, list, title] { ask_for_files(list, title); });
    return both;
}

void ImportBlocksDialog::ask_for_files(QListWidget* list, const QString& title) {
    auto* const dialog = new QFileDialog(this, title, settings_.import_folder.get(),
                                         tr("Tables (*.csv *.csv.*);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, [this, list](const QStringList& files) {
        settings_.import_folder.set(QFileInfo(files.front()).absolutePath());
        add_files(*list, files);
    });
    dialog->open();
}

void ImportBlocksDialog::add_tables(const QStringList& paths) {
    add_files(*tables_, paths);
}

void ImportBlocksDialog::add_files(QListWidget& list, const QStringList& paths) {
    for (const QString& path : paths) {
        const QFileInfo file(path);
        if (!file.isFile())
            continue;
        auto* const item = new QListWidgetItem(
            tr("%1   (%2)").arg(file.fileName(), bytes_text(static_cast<double>(file.size()))), &list);
        item->setToolTip(path);
        item->setData(path_role, path);
    }
    show_state();
}

ImportBlocksJob ImportBlocksDialog::request() const {
    ImportBlocksJob job;
    job.tables = paths_of(*tables_);
    job.port_tables = paths_of(*port_tables_);
    job.machines = machines_->text().simplified().remove(u' ');
    job.leaves_out_aliasing = without_aliasing_->isChecked();
    return job;
}

void ImportBlocksDialog::remove_selected() {
    for (QListWidget* const list : {tables_, port_tables_})
        qDeleteAll(list->selectedItems());
    show_state();
}

void ImportBlocksDialog::show_state() {
    const bool has_tables = tables_->count() > 0;
    import_->setEnabled(has_tables);
    import_->setToolTip(has_tables ? QString() : tr("Add a table of blocks first."));
    remove_->setEnabled(!tables_->selectedItems().isEmpty() || !port_tables_->selectedItems().isEmpty());
    remove_->setToolTip(remove_->isEnabled() ? QString() : tr("Select tables in the lists first."));
}

void ImportBlocksDialog::dragEnterEvent(QDragEnterEvent* event) {
    if (!local_files(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void ImportBlocksDialog::dropEvent(QDropEvent* event) {
    add_tables(local_files(*event->mimeData()));
    event->acceptProposedAction();
}

} // namespace sparsight

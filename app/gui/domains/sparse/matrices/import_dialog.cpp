#include "gui/domains/sparse/matrices/import_dialog.h"

#include "gui/icons/icon.h"
#include "gui/settings/settings.h"
#include "gui/shell/window/file_drop.h"
#include "gui/workspace/background_work.h"
#include "widgets/look/number_text.h"

#include <QDirIterator>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr int path_role = Qt::UserRole;
constexpr int size_role = Qt::UserRole + 1;

} // namespace

QStringList matrix_file_patterns() {
    return {QStringLiteral("*.mtx"), QStringLiteral("*.mtx.gz"), QStringLiteral("*.tar.gz"),
            QStringLiteral("*.tgz"), QStringLiteral("*.zip"),    QStringLiteral("*.csr"),
            QStringLiteral("*.smtx")};
}

ImportDialog::ImportDialog(UserSettings& settings, QWidget* parent)
    : QDialog(parent)
    , settings_(settings)
    , list_(new QListWidget(this))
    , hint_(
          new QLabel(tr("<p align=center>Drop matrix files or folders here.</p><p align=center>Matrix Market "
                        "(.mtx, plain or gzipped), SuiteSparse archives (.tar.gz, .zip), WACO (.csr) and "
                        "DLMC (.smtx).</p>"),
                     list_))
    , total_(new QLabel(this))
    , remove_(new QPushButton(icon(QStringLiteral("close")), tr("&Remove"), this))
    , import_(new QPushButton(icon_on_accent(QStringLiteral("import")), tr("&Import"), this)) {
    setWindowTitle(tr("Import matrices"));
    setAcceptDrops(true);
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list_->setAccessibleName(tr("Files to import"));
    hint_->setWordWrap(true);
    hint_->setForegroundRole(QPalette::PlaceholderText);
    hint_->setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* over_list = new QVBoxLayout(list_);
    over_list->addWidget(hint_);

    auto* files = new QPushButton(icon(QStringLiteral("open")), tr("Add &files…"), this);
    auto* folder = new QPushButton(tr("Add f&older…"), this);
    auto* close = new QPushButton(tr("Cancel"), this);
    for (QPushButton* button : {files, folder, remove_, close})
        button->setAutoDefault(false);
    connect(files, &QPushButton::clicked, this, &ImportDialog::choose_files);
    connect(folder, &QPushButton::clicked, this, &ImportDialog::choose_folder);
    connect(remove_, &QPushButton::clicked, this, &ImportDialog::remove_selected);
    connect(new QShortcut(QKeySequence::Delete, list_), &QShortcut::activated, this,
            &ImportDialog::remove_selected);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(list_, &QListWidget::itemSelectionChanged, this, &ImportDialog::show_state);
    import_->setObjectName(QStringLiteral("import"));
    import_->setDefault(true);
    connect(import_, &QPushButton::clicked, this, [this] {
        Q_EMIT import_files(this->files());
        accept();
    });

    auto* tools = new QHBoxLayout;
    tools->addWidget(files);
    tools->addWidget(folder);
    tools->addWidget(remove_);
    tools->addStretch();
    auto* bottom = new QHBoxLayout;
    bottom->addWidget(total_, 1);
    bottom->addWidget(close);
    bottom->addWidget(import_);
    auto* column = new QVBoxLayout(this);
    column->addLayout(tools);
    column->addWidget(list_, 1);
    column->addLayout(bottom);
    resize(640, 420);
    show_state();
}

ImportDialog::~ImportDialog() {
    stop_.request_stop();
}

void ImportDialog::done(int result) {
    stop_.request_stop();
    QDialog::done(result);
}

QStringList ImportDialog::files() const {
    QStringList files;
    for (int row = 0; row < list_->count(); ++row)
        files << list_->item(row)->data(path_role).toString();
    return files;
}

std::vector<ImportDialog::Found> ImportDialog::search(const QStringList& paths, const std::stop_token& stop) {
    std::vector<Found> found;
    for (const QString& path : paths) {
        if (const QFileInfo file(path); !file.isDir()) {
            found.push_back({path, file.size()});
            continue;
        }
        QDirIterator below(path, matrix_file_patterns(), QDir::Files, QDirIterator::Subdirectories);
        while (below.hasNext() && !stop.stop_requested()) {
            const QString file = below.next();
            found.push_back({file, below.fileInfo().size()});
        }
    }
    return found;
}

/// Every search counts, even one that began before another: each adds what it found.
void ImportDialog::add(const QStringList& paths) {
    ++searches_;
    in_background(
        this, [paths, stop = stop_.get_token()] { return search(paths, stop); },
        [this](const std::vector<Found>& found) {
            --searches_;
            for (const Found& file : found)
                add_file(file);
            show_state();
        });
    show_state();
}

void ImportDialog::add_file(const Found& file) {
    if (known_.contains(file.path))
        return;
    known_.insert(file.path);
    auto* item = new QListWidgetItem(
        tr("%1   (%2)").arg(QFileInfo(file.path).fileName(), bytes_text(static_cast<double>(file.bytes))),
        list_);
    item->setToolTip(file.path);
    item->setData(path_role, file.path);
    item->setData(size_role, file.bytes);
}

void ImportDialog::choose_files() {
    auto* dialog = new QFileDialog(
        this, tr("Matrix files"), settings_.import_folder.get(),
        tr("Matrices (%1);;All files (*)").arg(matrix_file_patterns().join(QLatin1Char(' '))));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& chosen) {
        settings_.import_folder.set(QFileInfo(chosen.front()).absolutePath());
        add(chosen);
    });
    dialog->open();
}

void ImportDialog::choose_folder() {
    auto* dialog = new QFileDialog(this, tr("Folder with matrix files"), settings_.import_folder.get());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& chosen) {
        settings_.import_folder.set(chosen);
        add({chosen});
    });
    dialog->open();
}

void ImportDialog::remove_selected() {
    for (QListWidgetItem* item : list_->selectedItems()) {
        known_.remove(item->data(path_role).toString());
        delete item;
    }
    show_state();
}

void ImportDialog::show_state() {
    qint64 bytes = 0;
    for (int row = 0; row < list_->count(); ++row)
        bytes += list_->item(row)->data(size_role).toLongLong();
    const bool none = list_->count() == 0;
    hint_->setVisible(none && !is_searching());
    const QString files =
        none ? QString()
             : tr("Files: %1 · %2").arg(count_text(list_->count()), bytes_text(static_cast<double>(bytes)));
    total_->setText(is_searching() ? tr("Searching… %1").arg(files) : files);
    import_->setEnabled(!none && !is_searching());
    import_->setToolTip(is_searching() ? tr("Folders are being searched.")
                        : none         ? tr("Add files first.")
                                       : QString());
    remove_->setEnabled(!list_->selectedItems().isEmpty());
    remove_->setToolTip(remove_->isEnabled() ? QString() : tr("Select files in the list first."));
}

void ImportDialog::dragEnterEvent(QDragEnterEvent* event) {
    if (!local_files(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void ImportDialog::dropEvent(QDropEvent* event) {
    add(local_files(*event->mimeData()));
    event->acceptProposedAction();
}

} // namespace sparsight

#include "gui/about/about_dialog.h"

#include "gui/about/system_report.h"
#include "gui/icons/icon.h"
#include "gui/program/program.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/record_model.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFile>
#include <QFormLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

#include <memory>

namespace sparsight {

namespace {

constexpr int icon_side = 9 * grid_step;

QLabel* selectable(const QString& text, QWidget* parent) {
    auto* const label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

} // namespace

AboutDialog::AboutDialog(QWidget* parent)
    : QDialog(parent)
    , tabs_(new QTabWidget(this)) {
    setWindowTitle(tr("About %1").arg(application_name()));
    tabs_->addTab(make_libraries(), tr("&Libraries"));
    tabs_->addTab(make_system(), tr("&System"));
    tabs_->addTab(make_licence(), tr("L&icence"));

    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* const copy = buttons->addButton(tr("&Copy for a Bug Report"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("copy-report"));
    copy->setIcon(icon(QStringLiteral("copy")));
    copy->setToolTip(tr("Version, system and libraries, as text"));
    connect(copy, &QPushButton::clicked, this, [this, copy] {
        copy_report();
        copy->setText(tr("Copied"));
        copy->setIcon(icon(QStringLiteral("check")));
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(3 * grid_step, 3 * grid_step, 3 * grid_step, 2 * grid_step);
    column->setSpacing(2 * grid_step);
    column->addWidget(make_header());
    column->addWidget(tabs_, 1);
    column->addWidget(buttons);
    buttons->button(QDialogButtonBox::Close)->setDefault(true);
    buttons->button(QDialogButtonBox::Close)->setFocus();
    dress();
    resize(fontMetrics().averageCharWidth() * 142, fontMetrics().height() * 40);
}

QWidget* AboutDialog::make_header() {
    auto* const header = new QWidget(this);
    icon_ = new QLabel(header);
    icon_->setAccessibleName(tr("Icon of the program"));
    name_ = new QLabel(application_name(), header);
    version_ = selectable(tr("Version %1").arg(application_version()), header);
    auto* const what = new QLabel(
        tr("Shows why sparse schedules win or lose: it looks at the pattern of a sparse matrix, compiles "
           "storage "
           "formats and loops together, and measures on this computer which beat plain CSR, and by how much. "
           "It is free software under the GNU General Public License, version 3 or later, and comes without "
           "any "
           "warranty."),
        header);
    what->setWordWrap(true);
    auto* const texts = new QVBoxLayout;
    texts->setSpacing(grid_step / 2);
    texts->addWidget(name_);
    texts->addWidget(version_);
    texts->addSpacing(grid_step / 2);
    texts->addWidget(what);
    auto* const row = new QHBoxLayout(header);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2 * grid_step);
    row->addWidget(icon_, 0, Qt::AlignTop);
    row->addLayout(texts, 1);
    return header;
}

QWidget* AboutDialog::make_libraries() {
    using Row = LibraryVersion;
    const auto column = [](const QString& title, QString Row::* member) {
        RecordColumn<Row> made;
        made.title = title;
        made.text = [member](const Row& row) { return row.*member; };
        return made;
    };
    std::vector<RecordColumn<Row>> columns{
        column(tr("Library"), &Row::name), column(tr("Version"), &Row::version),
        column(tr("Licence"), &Row::licence), column(tr("Used for"), &Row::purpose)};
    columns[1].tooltip = tr("The one that is loaded, where the library can tell");
    auto* const table = new DataTable(this);
    auto* const model =
        new RecordModel<Row>(std::move(columns), [](const Row& row) { return row.name; }, table);
    table->setAccessibleName(tr("Libraries"));
    table->set_model(model);
    model->set_rows(library_versions());
    table->fit_columns();
    return table;
}

QWidget* AboutDialog::make_system() {
    auto* const page = new QWidget(this);
    auto* const form = new QFormLayout(page);
    form->setContentsMargins(2 * grid_step, 2 * grid_step, 2 * grid_step, 2 * grid_step);
    form->setHorizontalSpacing(2 * grid_step);
    form->setLabelAlignment(Qt::AlignLeft);
    for (const auto& [name, value] : system_facts()) {
        auto* const label = new QLabel(name, page);
        label->setForegroundRole(QPalette::PlaceholderText);
        form->addRow(label, selectable(value, page));
    }
    return page;
}

QWidget* AboutDialog::make_licence() {
    auto* const text = new QPlainTextEdit(this);
    text->setObjectName(QStringLiteral("licence"));
    text->setAccessibleName(tr("Text of the licence"));
    text->setReadOnly(true);
    text->setTabChangesFocus(true);
    text->setFrameShape(QFrame::NoFrame);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->document()->setDocumentMargin(2 * grid_step);
    QFile file(QStringLiteral(":/licence/LICENSE"));
    if (file.open(QIODevice::ReadOnly))
        text->setPlainText(QString::fromUtf8(file.readAll()));
    return text;
}

void AboutDialog::copy_report() {
    QGuiApplication::clipboard()->setText(bug_report_text());
}

void AboutDialog::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (version_ != nullptr &&
        (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange))
        dress();
}

void AboutDialog::dress() {
    icon_->setPixmap(application_icon().pixmap(QSize(icon_side, icon_side), devicePixelRatioF()));
    name_->setFont(page_title_font());
    version_->setForegroundRole(QPalette::PlaceholderText);
    findChild<QPlainTextEdit*>(QStringLiteral("licence"))->setFont(monospace_font());
}

} // namespace sparsight

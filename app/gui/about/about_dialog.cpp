#include "gui/about/about_dialog.h"

#include "gui/icons/icon.h"
#include "gui/program/program.h"
#include "machine/probe/probe.h"
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

#include <QApplication>
#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QScreen>
#include <QStyle>
#include <QSysInfo>
#include <archive.h>
#include <fmt/core.h>
#include <llvm-c/Core.h>
#include <memory>
#include <nlohmann/detail/macro_scope.hpp>
#include <png.h>
#include <sqlite3.h>
#include <zlib.h>

namespace sparsight {

namespace {

QString dotted(int major, int minor, int patch) {
    return QStringLiteral("%1.%2.%3").arg(major).arg(minor).arg(patch);
}

QString llvm_version() {
    unsigned major = 0;
    unsigned minor = 0;
    unsigned patch = 0;
    LLVMGetVersion(&major, &minor, &patch);
    return dotted(static_cast<int>(major), static_cast<int>(minor), static_cast<int>(patch));
}

/// Splits a version number: libarchive, libpng and fmt write 3.6.2 as 3006002, 10639 and 90100.
QString from_digits(int number, int step) {
    return dotted(number / (step * step), number / step % step, number % step);
}

} // namespace

std::vector<LibraryVersion> library_versions() {
    struct Text {
        Q_DECLARE_TR_FUNCTIONS(sparsight::LibraryVersions)
    };
    const auto latin = [](const char* text) { return QString::fromLatin1(text); };
    return {
        {latin("Qt"), latin(qVersion()), latin("LGPL-3.0-only"), Text::tr("the window")},
        {latin("Qt Charts"), latin(qVersion()), latin("GPL-3.0-only"), Text::tr("charts")},
        {latin("LLVM"), llvm_version(), latin("Apache-2.0 WITH LLVM-exception"),
         Text::tr("compiles kernels while the program runs")},
        {latin("SQLite"), latin(sqlite3_libversion()), Text::tr("public domain"),
         Text::tr("the workspace file")},
        {latin("libarchive"), from_digits(archive_version_number(), 1000), latin("BSD-2-Clause"),
         Text::tr("compressed matrices and archives")},
        {latin("zlib"), latin(zlibVersion()), latin("Zlib"), Text::tr("patterns in the workspace")},
        {latin("libpng"), from_digits(static_cast<int>(png_access_version_number()), 100),
         latin("libpng-2.0"), Text::tr("pictures in reports")},
        {latin("{fmt}"), from_digits(FMT_VERSION, 100), latin("MIT"), Text::tr("texts")},
        {latin("JSON for Modern C++"),
         dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH),
         latin("MIT"), Text::tr("descriptions of machines, events of jobs")},
        {latin("fast_float"), latin(SPARSIGHT_FAST_FLOAT_VERSION), latin("MIT OR Apache-2.0"),
         Text::tr("numbers in matrix files")},
        {latin("CLI11"), latin(SPARSIGHT_CLI11_VERSION), latin("BSD-3-Clause"),
         Text::tr("the command line, in sparsight-cli")},
        {latin("Eigen"), latin(SPARSIGHT_EIGEN_VERSION), latin("MPL-2.0"),
         Text::tr("the reference of kernels; tests only")},
        {latin("GoogleTest"), latin(SPARSIGHT_GTEST_VERSION), latin("BSD-3-Clause"), Text::tr("tests only")},
        {latin("Google Benchmark"), latin(SPARSIGHT_BENCHMARK_VERSION), latin("Apache-2.0"),
         Text::tr("benchmarks only")},
    };
}

namespace {

QString screens_text() {
    QStringList screens;
    for (const QScreen* const screen : QGuiApplication::screens())
        screens << QStringLiteral("%1 × %2 at %3 %")
                       .arg(screen->size().width())
                       .arg(screen->size().height())
                       .arg(qRound(screen->devicePixelRatio() * 100));
    return screens.join(QStringLiteral(", "));
}

Result<MachineDescription> read_facts() {
    ProbeOptions options;
    options.measure = false;
    return probe_this_computer(options);
}

QString processor_text(const MachineDescription& machine) {
    QString text = machine.cpu_model ? QString::fromStdString(*machine.cpu_model) : QStringLiteral("unknown");
    if (machine.cores)
        text += QStringLiteral(", %1 cores").arg(*machine.cores);
    if (machine.threads)
        text += QStringLiteral(", %1 threads").arg(*machine.threads);
    return text;
}

QString instruction_sets(const MachineDescription& machine) {
    QStringList names;
    for (const std::string& name : machine.instruction_sets)
        names << QString::fromStdString(name);
    return names.join(QLatin1Char(' '));
}

} // namespace

std::vector<std::pair<QString, QString>> system_facts() {
    std::vector<std::pair<QString, QString>> facts;
    const auto add = [&](const char* name, const QString& value) {
        if (!value.isEmpty())
            facts.emplace_back(QString::fromLatin1(name), value);
    };
    add("System", QSysInfo::prettyProductName());
    add("Kernel", QSysInfo::kernelType() + QLatin1Char(' ') + QSysInfo::kernelVersion());
    add("Architecture", QSysInfo::currentCpuArchitecture());
    if (const auto machine = read_facts()) {
        add("Processor", processor_text(*machine));
        add("Instruction sets", instruction_sets(*machine));
        if (machine->memory_bytes)
            add("Memory", QString::fromStdString(format_bytes(*machine->memory_bytes)));
    }
    add("Qt platform", QGuiApplication::platformName());
    add("Qt style", QApplication::style()->name());
    add("Qt build",
        QLibraryInfo::build() != nullptr ? QString::fromLatin1(QLibraryInfo::build()) : QString());
    add("Screens", screens_text());
    add("Locale", QLocale::system().name());
    return facts;
}

QString bug_report_text() {
    QString text = application_name() + QLatin1Char(' ') + application_version() + QLatin1Char('\n');
    for (const auto& [name, value] : system_facts())
        text += QStringLiteral("%1: %2\n").arg(name, value);
    QStringList libraries;
    for (const LibraryVersion& library : library_versions())
        libraries << library.name + QLatin1Char(' ') + library.version;
    return text + QStringLiteral("Libraries: %1\n").arg(libraries.join(QStringLiteral(", ")));
}

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
    auto* const what = new QLabel(application_summary() + u' ' +
                                      tr("It is free software under the GNU General Public License, version "
                                         "3 or later, and comes without "
                                         "any warranty."),
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

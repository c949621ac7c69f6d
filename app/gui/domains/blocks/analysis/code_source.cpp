#include "gui/domains/blocks/analysis/code_source.h"

#include "base/files.h"
#include "gui/domains/blocks/analysis/cycle_bars.h"
#include "gui/domains/blocks/analysis/example_blocks.h"
#include "gui/icons/icon.h"
#include "gui/selection/selection.h"
#include "gui/settings/settings.h"
#include "gui/workspace/background_work.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <utility>

namespace sparsight {

namespace {

// Entries of the box of code; examples are those from first_example on.
constexpr int of_workspace = -1;
constexpr int of_file = -2;
constexpr int own = -3;

/// What a file holds: functions of an object file, or text.
struct OpenedCode {
    std::vector<ObjectFunction> functions;
    std::string text;
};

Result<OpenedCode> read_code(const std::string& path) {
    constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20; // of a large object file
    auto content = read_whole_file(path, most_bytes);
    if (!content)
        return std::unexpected(std::move(content).error());
    if (!is_object_file(*content))
        return OpenedCode{{}, *std::move(content)};
    auto functions = functions_of_object(*content);
    if (!functions)
        return fail_in_file(functions.error().fault, path, 0, functions.error().message);
    return OpenedCode{*std::move(functions), {}};
}

} // namespace

CodeSource::CodeSource(Services services, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , code_(new QComboBox(this))
    , function_(new QComboBox(this))
    , form_(new QComboBox(this))
    , machine_(new QComboBox(this))
    , open_(new QPushButton(icon(QStringLiteral("open")), tr("&Open file…"), this)) {
    build();
    fill();
    connect(code_, &QComboBox::activated, this, &CodeSource::choose);
    connect(function_, &QComboBox::activated, this, &CodeSource::choose_function);
    connect(form_, &QComboBox::activated, this, [this] { Q_EMIT form_wanted(form()); });
    connect(machine_, &QComboBox::currentIndexChanged, this, &CodeSource::machine_changed);
    connect(open_, &QPushButton::clicked, this, &CodeSource::ask_for_file);
}

void CodeSource::build() {
    code_->setObjectName(QStringLiteral("block-code"));
    code_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    code_->setMinimumContentsLength(24);
    function_->setObjectName(QStringLiteral("block-function"));
    function_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    function_->setMinimumContentsLength(14);
    form_->setObjectName(QStringLiteral("block-form"));
    form_->addItem(tr("Intel"), static_cast<int>(CodeForm::Intel));
    form_->addItem(tr("AT&T"), static_cast<int>(CodeForm::Att));
    form_->addItem(tr("Bytes"), static_cast<int>(CodeForm::Hex));
    machine_->setObjectName(QStringLiteral("block-machine"));
    open_->setObjectName(QStringLiteral("block-open"));
    open_->setToolTip(tr("Open an object file, assembly, or bytes as hexadecimal digits"));
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    FieldRow row(*column);
    row.add(tr("&Code"), code_, tr("A block of the workspace, or an example. Type or paste your own below."));
    row.add(tr("&Function"), function_, tr("The function of the object file"));
    row.add(tr("&Syntax"), form_, tr("Shows the same code in another syntax, or as its bytes"));
    row.add(tr("&Machine"), machine_, tr("Whose ports and latencies are shown below"));
    row.add(open_);
    function_->parentWidget()->hide();
}

CodeForm CodeSource::form() const {
    return static_cast<CodeForm>(form_->currentData().toInt());
}

void CodeSource::set_form(CodeForm form) {
    form_->setCurrentIndex(form_->findData(static_cast<int>(form)));
}

std::string CodeSource::machine() const {
    return machine_->currentData().toString().toStdString();
}

void CodeSource::set_machine(const std::string& machine) {
    if (const int at = machine_->findData(QString::fromStdString(machine)); at >= 0)
        machine_->setCurrentIndex(at);
}

void CodeSource::offer_machines(const std::vector<std::string>& machines) {
    const std::string before = machine().empty() ? "hsw" : machine();
    const QSignalBlocker quiet(machine_);
    machine_->clear();
    for (const std::string& machine : machines)
        machine_->addItem(title_of_machine(machine), QString::fromStdString(machine));
    set_machine(before);
}

/// The entries follow what is selected and opened.
void CodeSource::fill() {
    const QSignalBlocker quiet(code_);
    const QVariant before = code_->currentData();
    code_->clear();
    const QString selected = services_.selection.current().workload;
    const bool is_known = services_.session.workload(selected) != nullptr;
    if (is_known)
        code_->addItem(tr("Block %1").arg(selected), of_workspace);
    else if (!services_.session.contents().workloads.empty())
        code_->addItem(tr("Choose a block of the workspace…"), of_workspace);
    if (!file_.isEmpty())
        code_->addItem(file_, of_file);
    if (own_)
        code_->addItem(tr("Your own code"), own);
    for (int at = 0; at < static_cast<int>(example_blocks().size()); ++at) {
        const ExampleBlock& example = example_blocks()[static_cast<std::size_t>(at)];
        code_->addItem(tr("Example: %1").arg(example.title), at);
        code_->setItemData(code_->count() - 1, example.origin, Qt::ToolTipRole);
    }
    code_->setCurrentIndex(code_->findData(before));
}

void CodeSource::follow_selection() {
    fill();
    const QString selected = services_.selection.current().workload;
    const bool is_known = services_.session.workload(selected) != nullptr;
    const QVariant now = code_->currentData();
    if (is_known && selected != workload_)
        choose(code_->findData(of_workspace));
    else if (!now.isValid() || (!is_known && !workload_.isEmpty()))
        choose(code_->findData(0));
}

QString CodeSource::code_of(const QString& workload) const {
    const WorkloadRecord* const record = services_.session.workload(workload);
    return record == nullptr ? QString()
                             : QJsonDocument::fromJson(QByteArray::fromStdString(record->known.facts))
                                   .object()
                                   .value(QStringLiteral("code"))
                                   .toString();
}

void CodeSource::choose(int entry) {
    const QVariant what = code_->itemData(entry);
    if (!what.isValid())
        return;
    const QString selected = services_.selection.current().workload;
    const int value = what.toInt();
    if (value == of_workspace && services_.session.workload(selected) == nullptr) {
        services_.selection.select_page(QStringLiteral("workloads"));
        return;
    }
    code_->setCurrentIndex(entry);
    function_->parentWidget()->setVisible(value == of_file && !functions_.empty());
    workload_ = value == of_workspace ? selected : QString();
    if (value == of_workspace)
        Q_EMIT code_chosen({code_of(selected).toStdString(), CodeForm::Hex});
    else if (value == of_file && !functions_.empty())
        choose_function(function_->currentIndex());
    else if (value == own && own_)
        Q_EMIT code_chosen(*own_);
    else if (value >= 0)
        Q_EMIT code_chosen(
            {example_blocks()[static_cast<std::size_t>(value)].code.toStdString(), CodeForm::Intel});
}

void CodeSource::choose_function(int entry) {
    if (entry >= 0 && entry < static_cast<int>(functions_.size()))
        Q_EMIT code_chosen({to_hex(functions_[static_cast<std::size_t>(entry)].code), CodeForm::Hex});
}

void CodeSource::note_edit(CodeText code) {
    own_ = std::move(code);
    if (code_->currentData() == own)
        return;
    workload_.clear();
    fill();
    code_->setCurrentIndex(code_->findData(own));
    function_->parentWidget()->hide();
}

void CodeSource::ask_for_file() {
    auto* const dialog = new QFileDialog(this, tr("Open code"), services_.settings.import_folder.get(),
                                         tr("Object files, assembly and bytes (*.o *.so *.s *.S *.asm *.hex "
                                            "*.txt);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        services_.settings.import_folder.set(QFileInfo(file).absolutePath());
        open_file(file);
    });
    dialog->open();
}

void CodeSource::open_file(const QString& path) {
    in_background(
        this, [path = path.toStdString()] { return read_code(path); },
        [this, path](Result<OpenedCode> opened) {
            if (!opened) {
                Q_EMIT failed(QString::fromStdString(opened.error().text()));
                return;
            }
            Q_EMIT failed({});
            if (!opened->functions.empty()) {
                show_functions(std::move(opened->functions), QFileInfo(path).fileName());
                return;
            }
            note_edit({std::move(opened->text), form()});
            Q_EMIT code_chosen(*own_);
        });
}

void CodeSource::show_functions(std::vector<ObjectFunction> functions, const QString& file) {
    functions_ = std::move(functions);
    file_ = file;
    function_->clear();
    for (const ObjectFunction& function : functions_)
        function_->addItem(
            tr("%1   (%2 bytes)").arg(QString::fromStdString(function.name)).arg(function.code.size()));
    fill();
    choose(code_->findData(of_file));
}

} // namespace sparsight

#include "gui/settings/settings_dialog.h"

#include "base/parallel.h"
#include "gui/settings/settings.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/number_input.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace sparsight {

namespace {

QLabel* heading(const QString& text) {
    auto* label = new QLabel(text);
    keep_font(*label, title_font);
    label->setContentsMargins(0, grid_step, 0, 0);
    return label;
}

/// A choice of named values for one setting.
template <typename T>
QComboBox* choice(Preference<T>& setting, std::initializer_list<std::pair<QString, T>> choices) {
    auto* box = new QComboBox;
    for (const auto& [text, value] : choices) {
        box->addItem(text, static_cast<int>(value));
        if (value == setting.get())
            box->setCurrentIndex(box->count() - 1);
    }
    box->setObjectName(setting.key());
    QObject::connect(box, &QComboBox::currentIndexChanged, box,
                     [box, &setting] { setting.set(static_cast<T>(box->currentData().toInt())); });
    return box;
}

NumberField* number(UserSettings& settings, const NumberSetting& setting) {
    auto* box = new NumberField(NumberField::Kind::Whole);
    const auto preference = [&settings, key = setting.key, fallback = setting.fallback] {
        return settings.preference(key, fallback);
    };
    box->setRange(setting.least, setting.most);
    box->setValue(preference().get());
    box->setObjectName(setting.key);
    box->setToolTip(setting.tooltip);
    QObject::connect(box, &NumberField::valueChanged, box,
                     [box, preference] { preference().set(static_cast<int>(box->whole_value())); });
    return box;
}

} // namespace

SettingsDialog::SettingsDialog(UserSettings& settings, QWidget* parent)
    : QDialog(parent)
    , settings_(settings)
    , sample_(new QLabel(this)) {
    setWindowTitle(tr("Settings"));
    auto* column = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    add_look(*form);
    add_measuring(*form);
    for (const SettingsGroup& group : settings_.groups())
        add_group(*form, group);
    add_session(*form);
    align_forms({form});
    column->addLayout(form);
    column->addStretch();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    // Enter in a field means the field, not the end of it all.
    for (QAbstractButton* button : buttons->buttons())
        static_cast<QPushButton*>(button)->setAutoDefault(false);
    column->addWidget(buttons);
    connect(&settings_, &UserSettings::changed, this, &SettingsDialog::show_sample);
    show_sample();
    resize(480, sizeHint().height());
}

std::vector<SettingsDialog::Entry> SettingsDialog::entries() const {
    std::vector<Entry> entries;
    const auto add = [&](const QWidget* field, QString title) {
        if (field == nullptr || field->objectName().isEmpty())
            return;
        QStringList choices;
        if (const auto* box = qobject_cast<const QComboBox*>(field))
            for (int at = 0; at < box->count(); ++at)
                choices << box->itemText(at);
        entries.push_back({field->objectName(), title.remove(QLatin1Char('&')), choices, field->toolTip()});
    };
    for (const QLabel* label : findChildren<QLabel*>())
        add(label->buddy(), label->text());
    for (const QCheckBox* box : findChildren<QCheckBox*>())
        add(box, box->text());
    return entries;
}

void SettingsDialog::go_to(const QString& key) {
    if (auto* field = findChild<QWidget*>(key))
        field->setFocus(Qt::ShortcutFocusReason);
}

void SettingsDialog::add_look(QFormLayout& form) {
    form.addRow(heading(tr("Look")));
    QComboBox* theme = choice<ThemeChoice>(settings_.theme, {{tr("Same as the system"), ThemeChoice::System},
                                                             {tr("Light"), ThemeChoice::Light},
                                                             {tr("Dark"), ThemeChoice::Dark}});
    theme->setToolTip(tr("“Same as the system” takes what the desktop tells Qt. Some desktops tell nothing: "
                         "if the window stays light on a dark one, choose it here."));
    form.addRow(tr("&Theme"), theme);
    thousands_ =
        choice<ThousandsSeparator>(settings_.thousands, {{tr("Thin space"), ThousandsSeparator::ThinSpace},
                                                         {tr("Comma"), ThousandsSeparator::Comma},
                                                         {tr("Nothing"), ThousandsSeparator::None}});
    form.addRow(tr("Thousands, &grouped by"), thousands_);
    decimal_ = choice<bool>(settings_.decimal_comma, {{tr("Point"), false}, {tr("Comma"), true}});
    form.addRow(tr("De&cimal point"), decimal_);
    form.addRow(tr("&Sizes"), choice<ByteUnits>(settings_.byte_units,
                                                {{tr("Powers of 1024 (KiB, MiB)"), ByteUnits::Binary},
                                                 {tr("Powers of 1000 (kB, MB)"), ByteUnits::Decimal}}));
    form.addRow(tr("Sample"), sample_);
}

void SettingsDialog::add_measuring(QFormLayout& form) {
    form.addRow(heading(tr("Measuring")));
    const NumberSetting setting{
        settings_.threads.key(),
        0,
        tr("Th&reads"),
        tr("Threads that measured code runs on. Times with different numbers of threads "
           "are never compared."),
        0,
        1024};
    NumberField* threads = number(settings_, setting);
    threads->setSpecialValueText(tr("all of this computer (%1)").arg(available_threads()));
    form.addRow(setting.title, threads);

    auto* worker = new QLineEdit(settings_.worker.get());
    worker->setObjectName(settings_.worker.key());
    worker->setPlaceholderText(tr("sparsight-cli beside this program"));
    worker->setToolTip(tr("The program that does long work in a process of its own."));
    connect(worker, &QLineEdit::editingFinished, worker,
            [this, worker] { settings_.worker.set(worker->text().trimmed()); });
    auto* browse = new QPushButton(tr("Choose…"));
    browse->setAutoDefault(false);
    connect(browse, &QPushButton::clicked, this, [this, worker] {
        const QString file = QFileDialog::getOpenFileName(this, tr("Worker program"), worker->text());
        if (!file.isEmpty()) {
            worker->setText(file);
            settings_.worker.set(file);
        }
    });
    auto* row = new QHBoxLayout;
    row->addWidget(worker, 1);
    row->addWidget(browse);
    auto* label = new QLabel(tr("&Worker"));
    label->setBuddy(worker);
    form.addRow(label, row);
}

void SettingsDialog::add_group(QFormLayout& form, const SettingsGroup& group) {
    form.addRow(heading(group.title));
    for (const NumberSetting& setting : group.numbers)
        form.addRow(setting.title, number(settings_, setting));
}

void SettingsDialog::add_session(QFormLayout& form) {
    form.addRow(heading(tr("Session")));
    auto* restore = new QCheckBox(tr("&Open the last workspace at the start"));
    restore->setObjectName(settings_.restores_session.key());
    restore->setChecked(settings_.restores_session.get());
    connect(restore, &QCheckBox::toggled, restore, [this](bool on) { settings_.restores_session.set(on); });
    form.addRow(restore);
}

/// A comma that is both would leave open which one it is: where one has it, the other can't.
void SettingsDialog::allow_one_comma() {
    const auto allow = [this](QComboBox& box, int value, bool is_allowed) {
        const int row = box.findData(value);
        auto* item = qobject_cast<QStandardItemModel*>(box.model())->item(row);
        item->setEnabled(is_allowed || box.currentIndex() == row);
        item->setToolTip(is_allowed ? QString()
                                    : tr("A comma can't be both: choose another sign for the other first"));
    };
    allow(*thousands_, static_cast<int>(ThousandsSeparator::Comma), !settings_.decimal_comma.get());
    allow(*decimal_, 1, settings_.thousands.get() != ThousandsSeparator::Comma);
}

void SettingsDialog::show_sample() {
    allow_one_comma();
    const NumberStyle style = settings_.number_style();
    sample_->setText(tr("%1 entries · %2 · %3")
                         .arg(count_text(1'234'567, style), bytes_text(9'876'543, style),
                              duration_with_spread(1.234, 0.056, style)));
}

} // namespace sparsight

#include "gui/train/hyper_parameters.h"

#include "gui/icons/icon.h"
#include "gui/runs/stored_learning.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/labels.h"
#include "widgets/look/number_input.h"
#include "widgets/look/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

const TrainingChoice& chosen_of(const std::vector<TrainingChoice>& choices, const QComboBox& box) {
    return choices[static_cast<std::size_t>(std::max(0, box.currentIndex()))];
}

QFormLayout* make_form() {
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setHorizontalSpacing(grid_step);
    form->setVerticalSpacing(grid_step / 2);
    return form;
}

/// As short as it can be written and read back.
QString number_text(double value) {
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

} // namespace

HyperParameters::HyperParameters(const DomainWords& words, const TrainingOffer& offer, QWidget* parent)
    : QWidget(parent)
    , methods_(training_methods(words))
    , architectures_(offer.architectures)
    , architecture_(new QComboBox(this))
    , method_(new QComboBox(this))
    , explanation_(new QLabel(this))
    , more_(new QToolButton(this))
    , advanced_(new QWidget(this))
    , basic_form_(make_form())
    , advanced_form_(make_form()) {
    architecture_->setObjectName(QStringLiteral("architecture"));
    method_->setObjectName(QStringLiteral("method"));
    build_choice(architecture_, architectures_);
    build_choice(method_, methods_);
    basic_form_->addRow(tr("Model"), architecture_);
    basic_form_->addRow(tr("Method"), method_);
    keep_font(*explanation_, caption_font);
    explanation_->setWordWrap(true);
    explanation_->setForegroundRole(QPalette::PlaceholderText);
    basic_form_->addRow(explanation_);
    for (const TrainingField& field : training_fields(words))
        add_field(field);
    more_->setObjectName(QStringLiteral("more-settings"));
    more_->setText(tr("More settings"));
    more_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    more_->setIcon(icon(QStringLiteral("chevron-right")));
    more_->setAutoRaise(true);
    more_->setCheckable(true);
    connect(more_, &QToolButton::toggled, this, [this](bool open) {
        advanced_->setVisible(open);
        more_->setIcon(icon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
    });
    advanced_->setLayout(advanced_form_);
    advanced_->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addLayout(basic_form_);
    column->addWidget(more_);
    column->addWidget(advanced_);
    align_forms({basic_form_, advanced_form_});
    show_meaning();
}

void HyperParameters::build_choice(QComboBox* box, const std::vector<TrainingChoice>& choices) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const TrainingChoice& choice : choices) {
        box->addItem(choice.text, choice.value);
        box->setItemData(box->count() - 1, explained_tooltip(choice.text, choice.explanation),
                         Qt::ToolTipRole);
    }
    connect(box, &QComboBox::currentIndexChanged, this, [this] {
        show_meaning();
        if (!is_filling_)
            Q_EMIT changed();
    });
}

void HyperParameters::add_field(const TrainingField& about) {
    Field field;
    field.about = about;
    field.form = about.group == FieldGroup::Advanced ? advanced_form_ : basic_form_;
    const auto told = [this] {
        if (!is_filling_)
            Q_EMIT changed();
    };
    if (about.kind == FieldKind::Choice) {
        auto* box = new QComboBox(this);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        for (const auto& [value, text] : about.choices)
            box->addItem(text, value);
        connect(box, &QComboBox::currentIndexChanged, this, told);
        field.value = [box] { return box->currentData().toString(); };
        field.set = [box](const QString& value) { box->setCurrentIndex(std::max(0, box->findData(value))); };
        field.editor = box;
    } else if (about.kind == FieldKind::Switch) {
        auto* box = new QCheckBox(about.label, this);
        connect(box, &QCheckBox::toggled, this, told);
        field.value = [box] { return box->isChecked() ? QStringLiteral("yes") : QString(); };
        field.set = [box](const QString& value) { box->setChecked(!value.isEmpty()); };
        field.editor = box;
    } else {
        const bool is_whole = about.kind == FieldKind::Whole;
        auto* box = new NumberField(is_whole ? NumberField::Kind::Whole : NumberField::Kind::Real, this);
        box->setRange(about.least, about.most);
        box->setValue(about.fallback);
        connect(box, &NumberField::valueChanged, this, told);
        field.value = [box, is_whole] {
            return is_whole ? QString::number(box->whole_value()) : number_text(box->value());
        };
        field.set = [box, fallback = about.fallback](const QString& value) {
            box->setValue(value.isEmpty() ? fallback : value.toDouble());
        };
        field.editor = box;
    }
    field.editor->setObjectName(QLatin1String(about.option));
    field.editor->setToolTip(explained_tooltip(about.label, about.tip));
    field.editor->setAccessibleName(about.label);
    if (about.kind == FieldKind::Switch) {
        field.form->addRow(field.editor);
    } else {
        auto* label = new QLabel(about.label, this);
        label->setToolTip(field.editor->toolTip());
        label->setBuddy(field.editor);
        field.form->addRow(label, field.editor);
    }
    fields_.push_back(std::move(field));
}

QString HyperParameters::method() const {
    return is_of_trees(architecture()) ? QStringLiteral("supervised") : method_->currentData().toString();
}

QString HyperParameters::architecture() const {
    return architecture_->currentData().toString();
}

bool HyperParameters::has_meaning(const TrainingField& field) const {
    if (is_of_trees(architecture()))
        return QLatin1String(field.option) == QLatin1String("seed");
    const bool is_closed_form = method() == QStringLiteral("closed-form");
    const bool has_inner_loop = chosen_of(methods_, *method_).has_inner_loop && !is_closed_form;
    const QLatin1String option(field.option);
    const bool is_of_episodes = option == QLatin1String("support-matrices") ||
                                option == QLatin1String("query-matrices") ||
                                option == QLatin1String("tasks-per-step");
    const bool needs_episodes = is_of_episodes && method() == QStringLiteral("report");
    return (field.group != FieldGroup::Inner && !is_of_episodes) || (has_inner_loop && !needs_episodes) ||
           (is_closed_form && is_of_episodes);
}

/// The closed form is of gray boxes alone.
void HyperParameters::offer_methods() {
    const bool is_gray_box = architecture() == QStringLiteral("gray-box");
    const int place = method_->findData(QStringLiteral("closed-form"));
    auto* const items = qobject_cast<QStandardItemModel*>(method_->model());
    QStandardItem* const item = items == nullptr || place < 0 ? nullptr : items->item(place);
    if (item == nullptr)
        return;
    item->setEnabled(is_gray_box);
    const TrainingChoice& choice = methods_[static_cast<std::size_t>(place)];
    item->setToolTip(explained_tooltip(
        choice.text, is_gray_box ? choice.explanation : tr("Only a gray box can be trained by it.")));
    if (!is_gray_box && method_->currentIndex() == place)
        method_->setCurrentIndex(0);
}

/// Only what the method uses is shown.
void HyperParameters::show_meaning() {
    offer_methods();
    const bool is_network = !is_of_trees(architecture());
    const TrainingChoice& method = chosen_of(methods_, *method_);
    const TrainingChoice& architecture = chosen_of(architectures_, *architecture_);
    basic_form_->setRowVisible(method_, is_network);
    explanation_->setText(is_network ? method.explanation : architecture.explanation);
    method_->setToolTip(explained_tooltip(method.text, method.explanation));
    architecture_->setToolTip(explained_tooltip(architecture.text, architecture.explanation));
    for (const Field& field : fields_)
        field.form->setRowVisible(field.editor, has_meaning(field.about));
}

TrainingValues HyperParameters::values() const {
    TrainingValues values;
    for (const Field& field : fields_)
        if (has_meaning(field.about))
            values[QLatin1String(field.about.option)] = field.value();
    return values;
}

void HyperParameters::set_values(const TrainingValues& values) {
    const auto value_of = [&values](const QString& option) {
        const auto found = values.find(option);
        return found == values.end() ? QString() : found->second;
    };
    is_filling_ = true;
    architecture_->setCurrentIndex(
        std::max(0, architecture_->findData(value_of(QStringLiteral("architecture")))));
    method_->setCurrentIndex(std::max(0, method_->findData(value_of(QStringLiteral("method")))));
    for (const Field& field : fields_)
        field.set(value_of(QLatin1String(field.about.option)));
    is_filling_ = false;
    show_meaning();
    Q_EMIT changed();
}

bool HyperParameters::are(const TrainingValues& values) const {
    const auto value_of = [&values](const QString& option, const QString& fallback) {
        const auto found = values.find(option);
        return found == values.end() ? fallback : found->second;
    };
    if (architecture() != value_of(QStringLiteral("architecture"), architectures_.front().value) ||
        method() != value_of(QStringLiteral("method"), methods_.front().value))
        return false;
    return std::ranges::all_of(fields_, [&](const Field& field) {
        if (!has_meaning(field.about))
            return true;
        const TrainingField& about = field.about;
        const QString fallback = about.kind == FieldKind::Choice   ? about.choices.front().first
                                 : about.kind == FieldKind::Switch ? QString()
                                                                   : number_text(about.fallback);
        const QString wanted = value_of(QLatin1String(about.option), fallback);
        return about.kind == FieldKind::Whole || about.kind == FieldKind::Real
                   ? std::abs(field.value().toDouble() - wanted.toDouble()) <=
                         1e-12 * std::abs(wanted.toDouble())
                   : field.value() == wanted;
    });
}

} // namespace sparsight

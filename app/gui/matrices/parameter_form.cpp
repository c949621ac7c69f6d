#include "gui/matrices/parameter_form.h"

#include "widgets/look/number_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <cmath>

namespace sparsight {

namespace {

QString from(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// "edge-factor" → "Edge factor".
QString label_of(const Parameter& parameter) {
    QString label = from(parameter.name).replace(QLatin1Char('-'), QLatin1Char(' '));
    label[0] = label[0].toUpper();
    return label;
}

bool is_switch(const Parameter& parameter) {
    return parameter.choices == std::vector<double>{0, 1};
}

} // namespace

ParameterForm::ParameterForm(QWidget* parent)
    : QWidget(parent)
    , form_(new QFormLayout(this)) {
    form_->setContentsMargins(0, 0, 0, 0);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

void ParameterForm::show_parameters(std::span<const Parameter> parameters) {
    while (form_->rowCount() > 0)
        form_->removeRow(0);
    fields_.clear();
    for (const Parameter& parameter : parameters)
        fields_.push_back(make_field(parameter));
}

ParameterForm::Field ParameterForm::make_field(const Parameter& parameter) {
    const auto add = [this, &parameter](QWidget* editor) {
        editor->setObjectName(from(parameter.name));
        editor->setToolTip(from(parameter.description));
        editor->setAccessibleName(label_of(parameter));
        auto* label = new QLabel(label_of(parameter), this);
        label->setToolTip(from(parameter.description));
        label->setBuddy(editor);
        form_->addRow(label, editor);
    };
    Field field;
    field.parameter = &parameter;
    if (is_switch(parameter)) {
        auto* box = new QCheckBox(this);
        box->setChecked(parameter.default_value != 0);
        connect(box, &QCheckBox::toggled, this, &ParameterForm::changed);
        add(box);
        field.value = [box] { return box->isChecked() ? 1.0 : 0.0; };
        field.set = [box](double value) { box->setChecked(value != 0); };
    } else if (!parameter.choices.empty()) {
        auto* box = new QComboBox(this);
        for (const double choice : parameter.choices)
            box->addItem(QString::number(choice), choice);
        box->setCurrentIndex(box->findData(parameter.default_value));
        connect(box, &QComboBox::currentIndexChanged, this, &ParameterForm::changed);
        add(box);
        field.value = [box] { return box->currentData().toDouble(); };
        field.set = [box](double value) { box->setCurrentIndex(box->findData(value)); };
    } else {
        auto* box =
            new NumberField(parameter.is_integer ? NumberField::Kind::Whole : NumberField::Kind::Real, this);
        box->setRange(parameter.minimum, parameter.maximum);
        box->setValue(parameter.default_value);
        if (!parameter.unit.empty())
            box->setSuffix(QLatin1Char(' ') + from(parameter.unit));
        connect(box, &NumberField::valueChanged, this, &ParameterForm::changed);
        add(box);
        field.value = [box] { return box->value(); };
        field.set = [box](double value) { box->setValue(value); };
    }
    return field;
}

ParameterValues ParameterForm::values() const {
    ParameterValues values;
    for (const Field& field : fields_)
        if (const double value = field.value(); std::abs(value - field.parameter->default_value) > 1e-15)
            values[std::string(field.parameter->name)] = value;
    return values;
}

void ParameterForm::reset() {
    for (const Field& field : fields_)
        field.set(field.parameter->default_value);
}

} // namespace sparsight

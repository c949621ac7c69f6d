#include "widgets/look/field_row.h"

#include "widgets/look/flow_layout.h"
#include "widgets/look/kept_font.h"
#include "widgets/look/theme.h"

#include <QLabel>
#include <QVBoxLayout>

namespace sparsight {

FieldRow::FieldRow(QVBoxLayout& column)
    : flow_(new FlowLayout) {
    column.addLayout(flow_);
}

QLabel* FieldRow::add(const QString& caption, QWidget* field, const QString& tip) {
    auto* label = new QLabel(caption);
    keep_font(*label, caption_font);
    label->setBuddy(field);
    label->setToolTip(tip);
    field->setToolTip(tip);
    if (field->accessibleName().isEmpty())
        field->setAccessibleName(QString(caption).remove(QLatin1Char('&')));
    auto* both = new QWidget;
    auto* lines = new QVBoxLayout(both);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(2);
    lines->addWidget(label);
    lines->addWidget(field);
    flow_->addWidget(both);
    return label;
}

void FieldRow::add(QWidget* field) {
    flow_->addWidget(field);
}

void FieldRow::begin_end() {
    flow_->begin_end();
}

} // namespace sparsight

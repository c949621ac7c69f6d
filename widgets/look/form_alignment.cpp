#include "widgets/look/form_alignment.h"

#include <QFormLayout>
#include <QLabel>
#include <algorithm>

namespace sparsight {

namespace {

/// The label of a row; null for a row without one or with none of text.
QLabel* label_of(const QFormLayout& form, int row) {
    const QLayoutItem* const item = form.itemAt(row, QFormLayout::LabelRole);
    return item == nullptr ? nullptr : qobject_cast<QLabel*>(item->widget());
}

/// Also of a field that is not shown yet.
int field_height(const QFormLayout& form, int row) {
    const QLayoutItem* const item = form.itemAt(row, QFormLayout::FieldRole);
    if (item == nullptr || item->widget() == nullptr)
        return item == nullptr ? 0 : item->sizeHint().height();
    item->widget()->ensurePolished();
    return item->widget()->sizeHint().height();
}

} // namespace

void align_forms(std::initializer_list<QFormLayout*> forms) {
    int width = 0;
    for (const QFormLayout* form : forms)
        for (int row = 0; row < form->rowCount(); ++row)
            if (const QLabel* label = label_of(*form, row))
                width = std::max(width, label->sizeHint().width());
    for (const QFormLayout* form : forms)
        for (int row = 0; row < form->rowCount(); ++row)
            if (QLabel* label = label_of(*form, row)) {
                label->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
                label->setMinimumSize(width, field_height(*form, row));
            }
}

} // namespace sparsight

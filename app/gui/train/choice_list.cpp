#include "gui/train/choice_list.h"

namespace sparsight {

ChoiceList::ChoiceList(const QString& id, const QString& name, const QString& tip, QWidget* parent)
    : QListWidget(parent) {
    setObjectName(id);
    setAccessibleName(name);
    setToolTip(tip);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextElideMode(Qt::ElideRight);
    setMinimumHeight(84);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // such lists share what room there is
}

QListWidgetItem* ChoiceList::add(const QString& text, const QString& value) {
    auto* item = new QListWidgetItem(text, this);
    item->setData(Qt::UserRole, value);
    return item;
}

void ChoiceList::add_tickable(const QString& text, const QString& value, bool is_ticked) {
    QListWidgetItem* item = add(text, value);
    item->setFlags(Qt::ItemIsUserCheckable | Qt::ItemIsEnabled);
    item->setCheckState(is_ticked ? Qt::Checked : Qt::Unchecked);
}

QString ChoiceList::value() const {
    return currentItem() == nullptr ? QString() : currentItem()->data(Qt::UserRole).toString();
}

bool ChoiceList::has(const QString& value) const {
    for (int row = 0; row < count(); ++row)
        if (item(row)->data(Qt::UserRole).toString() == value)
            return true;
    return false;
}

void ChoiceList::choose(const QString& value) {
    int chosen = count() > 0 ? 0 : -1;
    for (int row = 0; row < count(); ++row)
        if (item(row)->data(Qt::UserRole).toString() == value)
            chosen = row;
    setCurrentRow(chosen);
}

QStringList ChoiceList::ticked() const {
    QStringList values;
    for (int row = 0; row < count(); ++row)
        if (item(row)->checkState() == Qt::Checked)
            values << item(row)->data(Qt::UserRole).toString();
    return values;
}

} // namespace sparsight

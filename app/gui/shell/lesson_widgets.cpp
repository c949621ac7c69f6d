#include "gui/shell/lesson_widgets.h"

#include "widgets/look/number_input.h"
#include "widgets/table/data_table.h"

#include <QAbstractButton>
#include <QAbstractItemModel>
#include <QAbstractItemView>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSpinBox>
#include <QTabWidget>
#include <cmath>

namespace sparsight {

namespace {

int entry_of(const QComboBox& box, const QString& value) {
    for (int row = 0; row < box.count(); ++row)
        if (box.itemText(row) == value || box.itemData(row).toString() == value)
            return row;
    return -1;
}

/// −1: no entry has the text.
int first_entry_with(const QComboBox& box, const QString& text) {
    for (int row = 0; row < box.count(); ++row)
        if (box.itemText(row).contains(text))
            return row;
    return -1;
}

QString tab_text(const QTabWidget& tabs, int at) {
    return tabs.tabText(at).remove(u'&');
}

int tab_of(const QTabWidget& tabs, const QString& value) {
    for (int at = 0; at < tabs.count(); ++at)
        if (tab_text(tabs, at) == value || tabs.widget(at)->objectName() == value)
            return at;
    return -1;
}

bool compares(double value, LessonCondition::Relation relation, double asked) {
    const double rounding = 1e-6 * std::max(std::abs(value), std::abs(asked)); // a slider stops beside it
    switch (relation) {
    case LessonCondition::Relation::AtMost:
        return value <= asked + rounding;
    case LessonCondition::Relation::AtLeast:
        return value >= asked - rounding;
    case LessonCondition::Relation::Equal:
        break;
    }
    return std::abs(value - asked) <= rounding;
}

const QAbstractItemModel* model_of(const QWidget& widget) {
    if (const auto* const box = qobject_cast<const QComboBox*>(&widget))
        return box->model();
    const auto* view = qobject_cast<const QAbstractItemView*>(&widget);
    if (view == nullptr)
        view = widget.findChild<const QAbstractItemView*>();
    return view == nullptr ? nullptr : view->model();
}

} // namespace

bool set_lesson_value(QWidget& widget, const QString& value) {
    bool is_number = false;
    const double number = value.toDouble(&is_number);
    if (auto* const box = qobject_cast<QComboBox*>(&widget)) {
        const int row = entry_of(*box, value);
        if (row >= 0)
            box->setCurrentIndex(row);
        return row >= 0;
    }
    if (auto* const tabs = qobject_cast<QTabWidget*>(&widget)) {
        const int at = tab_of(*tabs, value);
        if (at >= 0)
            tabs->setCurrentIndex(at);
        return at >= 0;
    }
    if (auto* const button = qobject_cast<QAbstractButton*>(&widget)) {
        if (!button->isCheckable())
            return false;
        button->setChecked(value == QStringLiteral("yes"));
        return true;
    }
    if (!is_number)
        return false;
    if (auto* const slider = qobject_cast<ValueSlider*>(&widget))
        slider->move_to(number);
    else if (auto* const whole = qobject_cast<QSpinBox*>(&widget))
        whole->setValue(static_cast<int>(number));
    else if (auto* const real = qobject_cast<QDoubleSpinBox*>(&widget))
        real->setValue(number);
    else
        return false;
    return true;
}

namespace {

/// In a table it is the row that is chosen, which comes into view.
QString choose_row(DataTable& table, const QString& text, const QString& before) {
    const QAbstractItemModel* const rows = table.model();
    for (int row = 0; rows != nullptr && row < rows->rowCount(); ++row) {
        const QString title = rows->index(row, 0).data().toString();
        if (!title.contains(text))
            continue;
        if (title != before)
            table.select_source_row(row);
        return title;
    }
    return before;
}

} // namespace

QString choose_lesson_entry(QWidget& widget, const QString& text, const QString& before) {
    if (auto* const table = widget.findChild<DataTable*>();
        table != nullptr && qobject_cast<QComboBox*>(&widget) == nullptr)
        return choose_row(*table, text, before);
    auto* const box = qobject_cast<QComboBox*>(&widget);
    const int row = box == nullptr ? -1 : first_entry_with(*box, text);
    if (row < 0)
        return before;
    const QString entry = box->itemText(row);
    if (entry == before)
        return before;
    box->setCurrentIndex(row);
    Q_EMIT box->activated(row); // what a user's choice tells, too
    return entry;
}

QString lesson_value(const QWidget& widget) {
    if (const auto* const box = qobject_cast<const QComboBox*>(&widget))
        return box->currentText();
    if (const auto* const tabs = qobject_cast<const QTabWidget*>(&widget))
        return tab_text(*tabs, tabs->currentIndex());
    if (const auto* const button = qobject_cast<const QAbstractButton*>(&widget))
        return button->isChecked() ? QStringLiteral("yes") : QStringLiteral("no");
    double value = 0;
    if (const auto* const slider = qobject_cast<const ValueSlider*>(&widget))
        value = slider->value();
    else if (const auto* const whole = qobject_cast<const QSpinBox*>(&widget))
        value = whole->value();
    else if (const auto* const real = qobject_cast<const QDoubleSpinBox*>(&widget))
        value = real->value();
    else
        return {};
    constexpr int digits = 17;
    return QString::number(value, 'g', digits);
}

bool is_fulfilled_by(const LessonCondition& condition, const QWidget& widget) {
    switch (condition.kind) {
    case LessonCondition::Kind::Rows: {
        const QAbstractItemModel* const model = model_of(widget);
        return model != nullptr &&
               compares(model->rowCount(), condition.relation, condition.value.toDouble());
    }
    case LessonCondition::Kind::Shows: {
        if (const auto* const label = qobject_cast<const QLabel*>(&widget))
            return label->text().contains(condition.value);
        const auto* const box = qobject_cast<const QComboBox*>(&widget);
        return box != nullptr && box->currentText().contains(condition.value);
    }
    case LessonCondition::Kind::Value:
        break;
    default:
        return false;
    }
    if (const auto* const box = qobject_cast<const QComboBox*>(&widget))
        return box->currentIndex() >= 0 && entry_of(*box, condition.value) == box->currentIndex();
    if (const auto* const tabs = qobject_cast<const QTabWidget*>(&widget))
        return tab_of(*tabs, condition.value) == tabs->currentIndex();
    bool is_number = false;
    const double now = lesson_value(widget).toDouble(&is_number);
    return is_number ? compares(now, condition.relation, condition.value.toDouble())
                     : lesson_value(widget) == condition.value;
}

} // namespace sparsight

#include "widgets/look/runtime_text.h"

#include <QApplication>
#include <QEvent>
#include <QVariant>
#include <QWidget>
#include <cmath>

namespace sparsight {

namespace {

constexpr const char* unit_property = "sparsight_runtime_unit";

} // namespace

void set_runtime_unit(QCoreApplication& application, const std::optional<RuntimeUnit>& unit) {
    const QVariantList values =
        unit ? QVariantList{unit->one, unit->many, unit->milliseconds} : QVariantList();
    if (application.property(unit_property).toList() == values)
        return;
    application.setProperty(unit_property, values);
    if (qobject_cast<QApplication*>(&application) == nullptr)
        return;
    for (QWidget* const widget : QApplication::topLevelWidgets()) // Qt passes the event on to their children
        QCoreApplication::postEvent(widget, new QEvent(QEvent::LanguageChange));
}

std::optional<RuntimeUnit> current_runtime_unit() {
    const QCoreApplication* const application = QCoreApplication::instance();
    const QVariantList values =
        application == nullptr ? QVariantList() : application->property(unit_property).toList();
    if (values.size() != 3)
        return std::nullopt;
    return RuntimeUnit{values[0].toString(), values[1].toString(), values[2].toDouble()};
}

QString runtime_text(double milliseconds, const NumberStyle& style) {
    const auto unit = current_runtime_unit();
    if (!unit || !std::isfinite(milliseconds))
        return duration_text(milliseconds, style);
    const double count = milliseconds / unit->milliseconds;
    return with_unit(significant(count, 3, style), count == 1 ? unit->one : unit->many);
}

QString runtime_with_spread(double milliseconds, double spread_milliseconds, const NumberStyle& style) {
    const auto unit = current_runtime_unit();
    if (!unit)
        return duration_with_spread(milliseconds, spread_milliseconds, style);
    if (!std::isfinite(milliseconds) || !std::isfinite(spread_milliseconds))
        return runtime_text(milliseconds, style);
    const QString both = significant(milliseconds / unit->milliseconds, 3, style) +
                         QStringLiteral("\u00A0±\u00A0") +
                         significant(spread_milliseconds / unit->milliseconds, 2, style);
    return with_unit(both, unit->many);
}

} // namespace sparsight

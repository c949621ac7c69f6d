#include "widgets/look/number_style.h"

#include <QApplication>
#include <QEvent>
#include <QVariant>
#include <QWidget>

namespace sparsight {

namespace {
constexpr const char* property_name = "sparsight_number_style";
} // namespace

void set_number_style(QCoreApplication& application, const NumberStyle& style) {
    const QVariantList values{static_cast<int>(style.thousands), style.decimal_point,
                              static_cast<int>(style.byte_units)};
    if (application.property(property_name).toList() == values)
        return;
    application.setProperty(property_name, values);
    if (qobject_cast<QApplication*>(&application) == nullptr)
        return;
    for (QWidget* const widget : QApplication::topLevelWidgets()) // Qt hands it on to their children
        QCoreApplication::postEvent(widget, new QEvent(QEvent::LanguageChange));
}

NumberStyle current_number_style() {
    const QCoreApplication* const application = QCoreApplication::instance();
    const QVariantList values =
        application == nullptr ? QVariantList() : application->property(property_name).toList();
    if (values.size() != 3)
        return {};
    return {static_cast<ThousandsSeparator>(values[0].toInt()), values[1].toChar(),
            static_cast<ByteUnits>(values[2].toInt())};
}

} // namespace sparsight

#include "gui/page/availability.h"

#include <QAction>
#include <QVariant>

namespace sparsight {

namespace {

constexpr const char* tip_property = "tip";

} // namespace

void set_availability(QAction& action, const QString& reason_against) {
    if (!action.property(tip_property).isValid())
        action.setProperty(tip_property, action.toolTip());
    action.setEnabled(reason_against.isEmpty());
    action.setToolTip(reason_against.isEmpty() ? action.property(tip_property).toString() : reason_against);
}

} // namespace sparsight

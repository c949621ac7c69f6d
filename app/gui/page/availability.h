// Commands that can't be given now say why.
#pragma once

#include <QString>

class QAction;

namespace sparsight {

/// Enabled with no reason, its own tooltip shown; otherwise disabled, and the tooltip says why.
void set_availability(QAction& action, const QString& reason_against);

} // namespace sparsight

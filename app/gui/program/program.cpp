#include "gui/program/program.h"

namespace sparsight {

QString application_name() {
    return QStringLiteral("Sparsight");
}

QString application_version() {
    return QStringLiteral(SPARSIGHT_VERSION);
}

} // namespace sparsight

// The files of this computer that are dropped on the window, or dragged over it.
#pragma once

#include <QStringList>

class QMimeData;

namespace sparsight {

[[nodiscard]] QStringList local_files(const QMimeData& data);

} // namespace sparsight

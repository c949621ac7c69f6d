// "1 matrix", "1 234 matrices": numbers with what they count.
#pragma once

#include <QString>

namespace sparsight {

[[nodiscard]] QString matrices_text(qint64 count);
[[nodiscard]] QString machines_text(qint64 count);
[[nodiscard]] QString epochs_text(qint64 count);
[[nodiscard]] QString measurements_text(qint64 count);
[[nodiscard]] QString schedules_text(qint64 count);

} // namespace sparsight

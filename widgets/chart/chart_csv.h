// What a chart shows as a table.
#pragma once

#include "widgets/chart/chart_content.h"

#include <QString>

namespace sparsight {

/// All values in full precision, whatever is zoomed or hidden.
[[nodiscard]] QString chart_csv(const ChartContent& content);

} // namespace sparsight

// Times of workloads as texts for people: as times, or in what the shown domain counts. The application
// object stores the unit for the whole program, as it does the style of numbers.
#pragma once

#include "widgets/look/number_text.h"

#include <optional>

namespace sparsight {

/// What times of workloads are counted in: cycles.
struct RuntimeUnit {
    QString one;
    QString many;
    double milliseconds = 1; ///< of one

    bool operator==(const RuntimeUnit&) const = default;
};

/// Absent: they are times. Sends QEvent::LanguageChange to all widgets if the unit has changed.
void set_runtime_unit(QCoreApplication& application, const std::optional<RuntimeUnit>& unit);
[[nodiscard]] std::optional<RuntimeUnit> current_runtime_unit();

/// "346 cycles", or duration_text().
[[nodiscard]] QString runtime_text(double milliseconds, const NumberStyle& style = current_number_style());
/// "346 ± 3 cycles", or duration_with_spread(); only the value where the spread is unknown.
[[nodiscard]] QString runtime_with_spread(double milliseconds, double spread_milliseconds,
                                          const NumberStyle& style = current_number_style());

} // namespace sparsight

// Texts that wrap between words, and never inside a number.
#pragma once

#include <QString>

namespace sparsight {

/// The text with spaces that do not break within numbers and before their units: "948 ± 17 µs", "2 threads".
[[nodiscard]] QString with_whole_numbers(QString text);

} // namespace sparsight

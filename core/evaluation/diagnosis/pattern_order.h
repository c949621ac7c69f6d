// Patterns with their rows, or rows and columns, in another order.
#pragma once

#include "matrix/pattern.h"

#include <stop_token>

namespace sparsight {

/// The longest first.
[[nodiscard]] CsrPattern with_rows_by_length(const CsrPattern& pattern, const std::stop_token& stop);
/// By their columns, as words in a dictionary: rows that begin alike, and so rows that are alike, stand
/// together; empty ones last.
[[nodiscard]] CsrPattern with_rows_by_columns(const CsrPattern& pattern, const std::stop_token& stop);
/// Rows and columns of a square pattern, both in one order that brings the entries near the diagonal: reverse
/// Cuthill-McKee on the graph of A + Aᵀ, from a node far from others (George and Liu, "An implementation of a
/// pseudoperipheral node finder", 1979).
[[nodiscard]] CsrPattern with_banded_order(const CsrPattern& pattern, const std::stop_token& stop);

} // namespace sparsight

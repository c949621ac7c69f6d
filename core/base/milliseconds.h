// Times in milliseconds as tables of the command line and reports show them.
#pragma once

#include <string>

namespace sparsight {

/// Four significant digits without an exponent: "1.064", "0.00001234", "12346". Only a time of 0 reads "0".
[[nodiscard]] std::string format_milliseconds(double milliseconds);

/// A spread with the decimals of its time, "0.010" of 1.064 ms. Where these would hide it, its first digit.
[[nodiscard]] std::string format_spread(double spread_ms, double of_ms);

} // namespace sparsight

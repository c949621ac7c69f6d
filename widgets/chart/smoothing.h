// Smoothing of noisy curves such as losses.
#pragma once

#include <span>
#include <vector>

namespace sparsight {

/// Exponential moving average without the bias of its start (Kingma and Ba, "Adam", 2015, section 3): a
/// constant stays that constant, every value weighs as much when it is the last one as it did for the values
/// before it, and a point that has been drawn does not move when more come. points: about how many are
/// averaged; up to 1 leaves the values as they are. What is not finite is passed over and repeats the average
/// so far.
[[nodiscard]] std::vector<double> smoothed(std::span<const double> values, int points);

} // namespace sparsight

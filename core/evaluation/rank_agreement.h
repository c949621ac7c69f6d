// Whether the schedules that a model scores lower are the faster ones.
#pragma once

#include <optional>
#include <span>

namespace sparsight {

/// Kendall's τ-b (Kendall, "The treatment of ties in ranking problems", Biometrika 1945) of two series of the
/// same length: 1 where they have one order, −1 where they have opposite ones. Absent where all values of one
/// of them are equal. Every pair is looked at: for the tens of candidates of a choice.
[[nodiscard]] std::optional<double> rank_agreement(std::span<const double> first,
                                                   std::span<const double> second);

} // namespace sparsight

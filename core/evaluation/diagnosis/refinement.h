// Which times to measure once more, so that the error bars of what is made of them become small.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sparsight {

/// A weighted sum of times, and how far off it may be for each of them.
struct ErrorBar {
    double milliseconds = 0;
    std::vector<double> weights; ///< of each time

    /// How much nearer to 0 it may lie, as the times behind it are independently off by their spreads: what
    /// makes it longer may be shorter (measured_lead.h), and the other way round.
    [[nodiscard]] double error(std::span<const double> times, std::span<const double> spreads) const;
};

/// Whether it is known well enough beside a difference of so much: by a twentieth of that, or, where it is
/// more than its error, by a fifth of itself.
[[nodiscard]] bool is_settled(const ErrorBar& bar, double error_ms, double difference_ms);

/// The places of the times on which the bars that are not settled rest most: those that make up at least a
/// third of what the worst time of some bar does. Of all of them another measurement is wanted before any is
/// asked for twice, so that a slow moment of the computer hits all alike. Empty where all is settled.
[[nodiscard]] std::vector<std::size_t> times_to_repeat(std::span<const ErrorBar> bars,
                                                       std::span<const double> times,
                                                       std::span<const double> spreads, double difference_ms);

} // namespace sparsight

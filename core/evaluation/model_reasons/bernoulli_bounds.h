// Bounds of a share that is estimated from draws.
#pragma once

#include "evaluation/model_reasons/anchor.h"

#include <cstdint>

namespace sparsight {

/// Kullback-Leibler divergence of two coins; 0 · log 0 is 0.
[[nodiscard]] double coin_divergence(double p, double q);

/// The farthest shares q on either side of successes / draws with draws · KL(successes / draws, q) ≤ level
/// (Chernoff; Kaufmann and Kalyanakrishnan: Information complexity in bandit subset selection, COLT 2013).
/// Without draws: from 0 to 1.
[[nodiscard]] BoundedShare divergence_bounds(std::int64_t successes, std::int64_t draws, double level);

/// Both bounds hold together at this confidence, for a number of draws that was fixed before.
[[nodiscard]] BoundedShare chernoff_bounds(std::int64_t successes, std::int64_t draws, double confidence);

/// About 95 % for a fixed number of draws (Wilson: Probable inference, JASA 1927): narrower, as independent
/// draws allow.
[[nodiscard]] BoundedShare wilson_bounds(std::int64_t successes, std::int64_t draws);

} // namespace sparsight

// Bounds of a share that is estimated from draws.
#pragma once

#include "evaluation/model_reasons/anchor.h"

#include <cstddef>
#include <cstdint>

namespace sparsight {

/// Kullback-Leibler divergence of two coins; 0 · log 0 is 0.
[[nodiscard]] double coin_divergence(double p, double q);

/// The farthest shares q on either side of successes / draws with draws · KL(successes / draws, q) ≤ level
/// (Chernoff; Kaufmann and Kalyanakrishnan: Information complexity in bandit subset selection, COLT 2013).
/// Without draws: from 0 to 1.
[[nodiscard]] BoundedShare divergence_bounds(std::int64_t successes, std::int64_t draws, double level);

/// Level at which KL-LUCB may compare `arms` in every round, whenever it stops: all bounds of all rounds hold
/// together at the confidence. β(t, δ) = log(k₁ K tᵅ / δ) + log log(k₁ K tᵅ / δ) with α > 1 and
/// k₁ > 2e + 1 + e / (α − 1) + (e + 1) / (α − 1)² (Kaufmann and Kalyanakrishnan, theorem 1); rounds from 1.
[[nodiscard]] double lucb_level(std::size_t arms, std::size_t round, double confidence);

/// Level at which a share may be looked at after each of its batches of draws, whenever one stops: one-sided
/// bounds of `arms` shares hold after all their batches together at the confidence. By a union over batches,
/// log(k₁ K tᵅ / δ) with k₁ > 1 + 1 / (α − 1) (as KL-Racing there); batches from 1.
[[nodiscard]] double anytime_level(std::size_t arms, std::size_t batches, double confidence);

/// Both bounds hold together at this confidence, for a number of draws that was fixed before.
[[nodiscard]] BoundedShare chernoff_bounds(std::int64_t successes, std::int64_t draws, double confidence);

/// About 95 % for a fixed number of draws (Wilson: Probable inference, JASA 1927): narrower, as independent
/// draws allow.
[[nodiscard]] BoundedShare wilson_bounds(std::int64_t successes, std::int64_t draws);

} // namespace sparsight

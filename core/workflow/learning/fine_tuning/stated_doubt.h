// What an adapted gray box may state of its doubt, and how reliable that is: the doubt that is left of its
// head and the scatter of the residuals of what it learned from, with factors that validation workloads
// choose. The test workloads only check them.
#pragma once

#include "evaluation/model_reasons/reliability.h"
#include "learning/fine_tuning/adapted_model.h"
#include "model/checkpoints/checkpoint.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>

namespace sparsight {

struct DoubtSides {
    std::span<const std::size_t> tuned; ///< workloads of the first task
    std::span<const std::size_t> validated;
    std::span<const std::size_t> tested;
};

struct CheckedDoubt {
    std::optional<StatedDoubt> doubt; ///< absent: nothing that was learned from says how much times scatter
    std::optional<Reliability>
        reliability; ///< of the doubt, on the test workloads; absent without pairs there
};

/// Of a gray box whose head has a posterior. The pairs are neighbours in a ring through the configurations of
/// a workload in an order drawn by the seed: each is in two of them, so that their number tells how much they
/// say. Errors: those of ExampleStore::linear_terms().
[[nodiscard]] Result<CheckedDoubt> checked_doubt(ExampleStore& examples, const DoubtSides& sides,
                                                 const AdaptedModel& adapted, std::uint64_t seed,
                                                 const std::stop_token& stop = {});

} // namespace sparsight

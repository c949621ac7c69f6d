// The parts of WACO's generator as data: what each decision of a schedule is drawn from.
#pragma once

#include "domains/sparse/schedule/sampler.h"

#include <functional>

namespace sparsight {

/// Takes one of `choices` possibilities, numbered from 0.
using ChoiceFunction = std::function<std::size_t(std::size_t choices)>;

/// One part of the generator.
struct WacoRecipe {
    using Order = decltype(SuperSchedule::order);

    Operator op = Operator::SpMM;
    int percent = 0; ///< share of the requested schedules
    std::array<std::vector<std::int64_t>, index_count> splits;
    std::vector<Order> orders;
    std::vector<Order> orders_of_small_dense_split; ///< where the dense index's split is below 8
    std::array<std::vector<LevelFormat>, 4> formats;
    std::vector<int> chunks;

    /// The schedule that these choices give; it may be one that the generator rejects, see accepts().
    [[nodiscard]] SuperSchedule make(int threads, const ChoiceFunction& choose) const;
    [[nodiscard]] bool accepts(const SuperSchedule& schedule) const;
};

/// The parts in the generator's order; see sample_waco().
[[nodiscard]] std::vector<WacoRecipe> waco_recipes(Operator op, const Extents& extents,
                                                   FreeSplits free_splits);

} // namespace sparsight

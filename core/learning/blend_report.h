// What a network, the simulator, and both together are worth on matrices that none of them has learned from.
#pragma once

#include "learning/example_store.h"
#include "learning/ranking_report.h"
#include "model/simulator_blend.h"

#include <cstddef>
#include <span>
#include <stop_token>

namespace sparsight {

struct BlendReport {
    RankingReport network;
    RankingReport simulator; ///< calibrated, alone; its loss says nothing: logarithms of time are no scores
    RankingReport both;
};

/// Of `matrices` of a task; `threads` count patterns. Errors: those of report_ranking(), and patterns that
/// can't be had.
[[nodiscard]] Result<BlendReport> report_blend(ExampleStore& examples, const NamedTensors& weights,
                                               const SimulatorBlend& blend, Loss loss, std::size_t task,
                                               std::span<const std::size_t> matrices, int threads,
                                               const std::stop_token& stop = {});

} // namespace sparsight

// What a searcher of schedules needs of a simulation, in figures.
#pragma once

namespace sparsight {

/// Of one matrix, or the mean over matrices; regrets and errors are means of logarithms, so factors.
struct SimulationQuality {
    double kendall_tau = 0;
    double ordered_pair_accuracy = 0;
    double best_quarter_tau = 0; ///< among the quarter of the schedules that was measured fastest
    double best_quarter_accuracy = 0;
    double top_1_regret = 1; ///< the best of the simulator's first k over the best: 1 is none
    double top_5_regret = 1;
    double top_20_regret = 1;
    double median_error = 1; ///< factor by which half of the simulated times are off at most

    bool operator==(const SimulationQuality&) const = default;
};

} // namespace sparsight

// Machines that deviate from the mechanistic simulator, each in a way of its own, as real machines do: a gray
// box meta-learns on them what a few measurements say about a deviation.
#pragma once

#include "domains/sparse/simulator/simulator.h"

#include <string_view>

namespace sparsight {

/// The mechanistic simulator with, drawn by the machine's name: its parameters moved by factors of about 1.3,
/// its terms by factors of about 1.6, a smooth function of what a schedule chooses and of its terms' shares
/// (about 13 %), and a scatter of 6 %. Together they are about as much as a
/// calibrated simulator misses of a real machine: a factor of 1.2 for half of the schedules.
class DeviatingSimulator final : public Simulator {
public:
    [[nodiscard]] std::string_view name() const override { return "deviating"; }
    [[nodiscard]] bool needs_data() const override { return true; }
    [[nodiscard]] bool needs_recorded() const override { return false; }
    /// Times are infinite as those of MechanisticSimulator.
    [[nodiscard]] Result<std::unique_ptr<const SimulationProfile>>
    profile(const SimulatedRuns& runs) const override;
};

} // namespace sparsight

// How long configurations would take on a machine of which only a description is there, with the parts of
// each time by name. To look at a workload costs much and is done once; its profile then tells times on any
// number of machines in microseconds.
#pragma once

#include "base/error.h"
#include "study/configuration.h"
#include "study/workload.h"

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace sparsight {

struct MachineDescription; // machine/machine_description.h; this folder lies above

/// Configurations of one workload in one setting.
struct SimulatedRuns {
    Setting setting{};
    const Payload* data = nullptr; ///< null only for a simulator that does not need it
    std::span<const Configuration> configurations{};
    /// Their times on a real machine, in milliseconds: one for each configuration, above 0, infinite where
    /// they failed. May be empty, but not for a simulator that starts from them.
    std::span<const double> recorded_ms{};
    int threads = 1; ///< for looking at the data
    std::stop_token stop{};
};

struct SimulatedTimes {
    /// One for each configuration, above 0, infinite where it could not run.
    std::vector<double> milliseconds;
    /// [configuration, Simulator::terms()]: the parts of each time that is not infinite, which add up to it.
    /// Empty where a simulator has none.
    std::vector<double> terms{};
};

/// What a simulator knows of configurations of one workload, whatever the machine. Threads may share it. The
/// data of SimulatedRuns must live as long, not its lists.
class SimulationProfile {
public:
    SimulationProfile() = default;
    SimulationProfile(const SimulationProfile&) = delete;
    SimulationProfile& operator=(const SimulationProfile&) = delete;
    virtual ~SimulationProfile() = default;

    /// Error (Input): a fact of the machine that the simulator needs is missing.
    [[nodiscard]] virtual Result<SimulatedTimes> times(const MachineDescription& machine) const = 0;
};

/// Deterministic and without state: threads may share it.
class Simulator {
public:
    Simulator() = default;
    Simulator(const Simulator&) = delete;
    Simulator& operator=(const Simulator&) = delete;
    virtual ~Simulator() = default;

    /// For users and in files: "paper-formula".
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// The parts of its times, in files: "memory_traffic".
    [[nodiscard]] virtual std::span<const std::string_view> terms() const { return {}; }
    [[nodiscard]] virtual bool needs_data() const = 0;
    [[nodiscard]] virtual bool needs_recorded() const = 0;

    /// Errors: a configuration that is wrong, or recorded runtimes that are missing (Input); Cancelled.
    [[nodiscard]] virtual Result<std::unique_ptr<const SimulationProfile>>
    profile(const SimulatedRuns& runs) const = 0;
};

} // namespace sparsight

// Simulated times of configurations on a machine that is known by its description only, with the named parts
// of each time. Analysing a workload is slow and is done once; its profile then gives times on any number of
// machines within microseconds.
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
    /// Times on a real machine, in milliseconds: one for each configuration, above 0, infinite where the run
    /// failed. May be empty unless the simulator starts from recorded times.
    std::span<const double> recorded_ms{};
    int threads = 1; ///< for analysing the data
    std::stop_token stop{};
};

struct SimulatedTimes {
    /// One time for each configuration, above 0, infinite where it could not run.
    std::vector<double> milliseconds;
    /// [configuration, Simulator::terms()]: the parts of each finite time, which add up to it. Empty in a
    /// simulator without terms.
    std::vector<double> terms{};
};

/// What a simulator knows about the configurations of one workload, independent of the machine. Threads may
/// share it. The data of SimulatedRuns must outlive it; its lists need not.
class SimulationProfile {
public:
    SimulationProfile() = default;
    SimulationProfile(const SimulationProfile&) = delete;
    SimulationProfile& operator=(const SimulationProfile&) = delete;
    virtual ~SimulationProfile() = default;

    /// Error (Input): a fact of the machine that the simulator needs is missing.
    [[nodiscard]] virtual Result<SimulatedTimes> times(const MachineDescription& machine) const = 0;
};

/// A simulator is deterministic and has no state, so threads may share it.
class Simulator {
public:
    Simulator() = default;
    Simulator(const Simulator&) = delete;
    Simulator& operator=(const Simulator&) = delete;
    virtual ~Simulator() = default;

    /// The name for users and files: "paper-formula".
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// The names of the parts of its times, in files: "memory_traffic".
    [[nodiscard]] virtual std::span<const std::string_view> terms() const { return {}; }
    [[nodiscard]] virtual bool needs_data() const = 0;
    [[nodiscard]] virtual bool needs_recorded() const = 0;

    /// Errors: a configuration is wrong, or recorded runtimes are missing (Input); Fault::Cancelled.
    [[nodiscard]] virtual Result<std::unique_ptr<const SimulationProfile>>
    profile(const SimulatedRuns& runs) const = 0;
};

} // namespace sparsight

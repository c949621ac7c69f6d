// What a simulator that can be differentiated says of the configurations of a workload: the input of a gray
// box (gray_box.h). A domain with such a simulator brings it.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "machine/machine_description.h"
#include "machine/machine_parameters.h"
#include "study/configuration.h"
#include "study/workload.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Of each configuration, on one machine.
struct PhysicsNumbers {
    std::vector<double> log_times; ///< ln of milliseconds; infinite where the configuration could not run
    std::vector<double> terms;     ///< [configurations, Physics::terms()]: milliseconds
    /// [configurations, fitted_parameters()]: ∂ ln time / ∂ ln parameter.
    std::vector<double> sensitivities;
    std::vector<double> choices; ///< [configurations, Physics::choice_count()], the same on every machine
};

/// What the simulator knows of the configurations of one workload whatever the machine. Behind them stands
/// the workload's baseline, to which all numbers of the gray box are relative. Threads may share it.
class PhysicsProfile {
public:
    PhysicsProfile() = default;
    PhysicsProfile(const PhysicsProfile&) = delete;
    PhysicsProfile& operator=(const PhysicsProfile&) = delete;
    virtual ~PhysicsProfile() = default;

    /// As EncodedWorkload::kept_size().
    [[nodiscard]] virtual std::int64_t kept_size() const = 0;

    /// Of the configurations in their order, and of the baseline behind them.
    [[nodiscard]] virtual PhysicsNumbers numbers(const MachineParameters& machine, int threads) const = 0;
    /// The same without sensitivities, which take most of the time.
    [[nodiscard]] virtual PhysicsNumbers times(const MachineParameters& machine, int threads) const = 0;
};

/// A workload that was looked at: what is counted for some of its configurations is known for others. Threads
/// may share it.
class PhysicsWorkload {
public:
    PhysicsWorkload() = default;
    PhysicsWorkload(const PhysicsWorkload&) = delete;
    PhysicsWorkload& operator=(const PhysicsWorkload&) = delete;
    virtual ~PhysicsWorkload() = default;

    /// Errors: a configuration is wrong (Input); Fault::Cancelled.
    [[nodiscard]] virtual Result<std::shared_ptr<const PhysicsProfile>>
    profile(std::span<const Configuration> configurations, int threads,
            const std::stop_token& stop = {}) const = 0;
};

/// Measured times of the configurations of a profile.
struct MeasuredProfile {
    const PhysicsProfile* profile = nullptr;
    std::string workload;                 ///< its name, for errors
    std::string family;                   ///< equal for forms of one workload; empty: only its name tells
    std::span<const double> milliseconds; ///< infinite where the run failed or was given up
    std::span<const double> spreads;      ///< or empty
};

/// For one setting of a domain.
class Physics {
public:
    Physics() = default;
    Physics(const Physics&) = delete;
    Physics& operator=(const Physics&) = delete;
    virtual ~Physics() = default;

    /// What it simulates: of two with the same text, profiles and fits are the same.
    [[nodiscard]] virtual std::string subject() const = 0;
    /// The names of the parts of a simulated time, in files.
    [[nodiscard]] virtual std::span<const std::string_view> terms() const = 0;
    /// Numbers of about 1 that say what a configuration chooses, whatever the simulator makes of it.
    [[nodiscard]] virtual std::size_t choice_count() const = 0;
    /// The payload must outlive it.
    [[nodiscard]] virtual std::unique_ptr<const PhysicsWorkload> look_at(const Payload& payload) const = 0;
    /// Of a workload that is looked at once; errors likewise.
    [[nodiscard]] Result<std::shared_ptr<const PhysicsProfile>>
    profile(const Payload& payload, std::span<const Configuration> configurations, int threads,
            const std::stop_token& stop = {}) const {
        return look_at(payload)->profile(configurations, threads, stop);
    }
    /// The machine as the simulator knows it before anything was measured. `threads` are those of the
    /// measurements; 0: not known.
    [[nodiscard]] virtual MachineParameters machine(const MachineDescription& description,
                                                    int threads) const = 0;
    /// The machine that explains the measured times best. Errors: the times say nothing of it (Input);
    /// Fault::Cancelled. `progress` counts steps.
    [[nodiscard]] virtual Result<MachineParameters> fit(const MachineParameters& before,
                                                        std::span<const MeasuredProfile> measured,
                                                        std::uint64_t seed, const std::stop_token& stop = {},
                                                        const ProgressSink& progress = {}) const = 0;

    /// The numbers of a workload that a gray box reads, from its statistics in the order of the domain's
    /// table.
    [[nodiscard]] virtual std::vector<double> workload_numbers(std::span<const double> statistics) const = 0;
    [[nodiscard]] virtual std::vector<double> statistics(const Payload& payload, int threads) const = 0;
};

} // namespace sparsight

#include "domains/sparse/simulator/simulator.h"

#include "domains/sparse/simulator/mechanistic_formula.h"
#include "machine/machine_presets.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace sparsight {

Result<std::vector<std::vector<double>>> Simulator::simulate_all(std::span<const MachineDescription> machines,
                                                                 const SimulatedRuns& runs) const {
    std::vector<std::vector<double>> times;
    for (const MachineDescription& machine : machines) {
        auto on_machine = simulate(machine, runs);
        if (!on_machine)
            return std::unexpected(std::move(on_machine).error());
        times.push_back(std::move(*on_machine));
    }
    return times;
}

Result<double> paper_factor(const MachineDescription& machine) {
    const auto missing = [&](std::string_view what) {
        return fail(Fault::Input,
                    fmt::format("the paper's formula needs {}, which is not known of the machine {}", what,
                                machine.name));
    };
    if (machine.cores.value_or(0) <= 0)
        return missing("the number of cores");
    if (!machine.copy_bandwidth.all_threads || !(machine.copy_bandwidth.all_threads->value > 0))
        return missing("the bandwidth of memory");
    if (!machine.memory_latency || !(machine.memory_latency->count() > 0))
        return missing("the latency of memory");
    return *machine.memory_latency / latency_unit /
           (*machine.cores * machine.copy_bandwidth.all_threads->value);
}

Result<std::vector<double>> PaperFormula::simulate(const MachineDescription& machine,
                                                   const SimulatedRuns& runs) const {
    const auto factor = paper_factor(machine);
    if (!factor)
        return std::unexpected(factor.error());
    if (runs.recorded_ms.size() != runs.schedules.size())
        return fail(Fault::Input,
                    fmt::format("the paper's formula starts from recorded runtimes: there are {} "
                                "for {} schedules",
                                runs.recorded_ms.size(), runs.schedules.size()));
    std::vector<double> simulated;
    simulated.reserve(runs.recorded_ms.size());
    for (const double recorded : runs.recorded_ms)
        simulated.push_back(recorded * *factor);
    return simulated;
}

namespace {

constexpr std::array terms{TimeTerm::Compute,   TimeTerm::FillIn,        TimeTerm::L2Traffic,
                           TimeTerm::L3Traffic, TimeTerm::MemoryTraffic, TimeTerm::Latency,
                           TimeTerm::Imbalance, TimeTerm::Regions,       TimeTerm::Chunks};
constexpr std::array<std::string_view, time_term_count> term_names{
    "compute", "fill_in",   "l2_traffic", "l3_traffic", "memory_traffic",
    "latency", "imbalance", "regions",    "chunks"};

} // namespace

std::span<const TimeTerm> all_time_terms() {
    return terms;
}

std::string_view name(TimeTerm term) {
    return term_names[static_cast<std::size_t>(term)];
}

InstructionCounts instructions_on(const MachineParameters& machine, const ScheduleProfile& profile) {
    const KernelTarget target{static_cast<int>(machine[MachineParameter::Lanes]),
                              static_cast<int>(machine[MachineParameter::Accumulators]), 0};
    return count_instructions(profile.loops, target,
                              static_cast<std::int64_t>(machine[MachineParameter::UnrolledExtent]));
}

SimulatedTime simulate(const MachineParameters& machine, const ScheduleProfile& profile) {
    return simulate(machine, profile, std::nullopt);
}

SimulatedTime simulate(const MachineParameters& machine, const ScheduleProfile& profile,
                       std::optional<TimeTerm> without) {
    const InstructionCounts instructions = instructions_on(machine, profile);
    return mechanistic::Formula<double>(machine, profile, instructions, without).run();
}

bool is_too_large(const CsrPattern& pattern, const SuperSchedule& schedule, const ScheduleProfile& profile) {
    const StorageFormat format = storage_format(schedule, pattern.rows, pattern.cols);
    return refusal(format, profile.storage, Certainty::Exact, pattern, PackingLimits()).has_value();
}

Result<std::vector<double>> MechanisticSimulator::simulate(const MachineDescription& machine,
                                                           const SimulatedRuns& runs) const {
    auto times = simulate_all({&machine, 1}, runs);
    if (!times)
        return std::unexpected(std::move(times).error());
    return std::move(times->front());
}

Result<std::vector<std::vector<double>>>
MechanisticSimulator::simulate_all(std::span<const MachineDescription> machines,
                                   const SimulatedRuns& runs) const {
    std::vector<MachineParameters> parameters;
    for (const MachineDescription& machine : machines)
        parameters.push_back(resolve_parameters(machine).values);
    const ProfiledPattern pattern(*runs.pattern);
    const auto profiles =
        profile_all(pattern, runs.schedules, runs.dense, {.threads = runs.threads, .stop = runs.stop});
    if (!profiles)
        return std::unexpected(profiles.error());
    std::vector<std::vector<double>> times(machines.size());
    for (std::size_t at = 0; at < runs.schedules.size(); ++at) {
        const ScheduleProfile& profile = (*profiles)[at];
        const bool is_refused = is_too_large(*runs.pattern, runs.schedules[at], profile);
        for (std::size_t m = 0; m < machines.size(); ++m)
            times[m].push_back(is_refused ? std::numeric_limits<double>::infinity()
                                          : sparsight::simulate(parameters[m], profile).total());
    }
    return times;
}

double noisy_runtime(double milliseconds, double sigma, Random& random) {
    constexpr double disturbed_share = 0.1;
    constexpr double disturbance = 6; // in σ
    const double quiet = sigma * random.normal();
    const bool disturbed = random.chance(disturbed_share);
    const double slowed = disturbed ? disturbance * sigma * std::abs(random.normal()) : 0;
    return milliseconds * std::exp(quiet + slowed);
}

} // namespace sparsight

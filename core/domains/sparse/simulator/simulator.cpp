#include "domains/sparse/simulator/simulator.h"

#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/simulator/mechanistic_formula.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "machine/machine_presets.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace sparsight {

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

namespace {

class ScaledTimes final : public SimulationProfile {
public:
    ScaledTimes(std::span<const double> recorded_ms, double scale)
        : recorded_ms_(recorded_ms.begin(), recorded_ms.end())
        , scale_(scale) {}

    Result<SimulatedTimes> times(const MachineDescription& machine) const override {
        const auto factor = paper_factor(machine);
        if (!factor)
            return std::unexpected(factor.error());
        SimulatedTimes simulated{recorded_ms_};
        for (double& milliseconds : simulated.milliseconds)
            milliseconds = milliseconds * *factor * scale_;
        return simulated;
    }

private:
    std::vector<double> recorded_ms_;
    double scale_;
};

} // namespace

Result<std::unique_ptr<const SimulationProfile>> PaperFormula::profile(const SimulatedRuns& runs) const {
    if (runs.recorded_ms.size() != runs.configurations.size())
        return fail(Fault::Input,
                    fmt::format("the paper's formula starts from recorded runtimes: there are {} "
                                "for {} schedules",
                                runs.recorded_ms.size(), runs.configurations.size()));
    return std::make_unique<ScaledTimes>(runs.recorded_ms, scale_);
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
    return instructions_by_place(machine, profile).total;
}

PlacedInstructions instructions_by_place(const MachineParameters& machine, const ScheduleProfile& profile) {
    return place_instructions(profile.loops, kernel_target(machine),
                              static_cast<std::int64_t>(machine[MachineParameter::UnrolledExtent]));
}

KernelTarget kernel_target(const MachineParameters& machine) {
    return {static_cast<int>(machine[MachineParameter::Lanes]),
            static_cast<int>(machine[MachineParameter::Accumulators]), 0};
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
    return refusal(format, profile.storage, Certainty::Exact, csr_bytes(pattern), PackingLimits())
        .has_value();
}

namespace {

class ProfiledSchedules final : public SimulationProfile {
public:
    explicit ProfiledSchedules(std::vector<std::optional<ScheduleProfile>> profiles)
        : profiles_(std::move(profiles)) {}

    Result<SimulatedTimes> times(const MachineDescription& machine) const override {
        const MachineParameters parameters = resolve_parameters(machine).values;
        SimulatedTimes simulated;
        for (const std::optional<ScheduleProfile>& profile : profiles_) {
            const SimulatedTime time = profile ? simulate(parameters, *profile) : SimulatedTime{};
            simulated.milliseconds.push_back(profile ? time.total()
                                                     : std::numeric_limits<double>::infinity());
            simulated.terms.insert(simulated.terms.end(), time.parts.begin(), time.parts.end());
        }
        return simulated;
    }

private:
    std::vector<std::optional<ScheduleProfile>> profiles_; ///< absent: its storage is too large
};

} // namespace

std::span<const std::string_view> MechanisticSimulator::terms() const {
    return term_names;
}

Result<std::unique_ptr<const SimulationProfile>>
MechanisticSimulator::profile(const SimulatedRuns& runs) const {
    constexpr int any_threads = 1; // a machine runs all of its threads
    const CsrPattern& pattern = pattern_of(*runs.data);
    const std::vector<SuperSchedule> schedules = schedules_of(runs.configurations, any_threads);
    auto profiles = profile_all(ProfiledPattern(pattern), schedules, sparse_setting(runs.setting).dense,
                                {.threads = runs.threads, .stop = runs.stop});
    if (!profiles)
        return std::unexpected(std::move(profiles).error());
    std::vector<std::optional<ScheduleProfile>> buildable;
    for (std::size_t at = 0; at < schedules.size(); ++at)
        buildable.push_back(is_too_large(pattern, schedules[at], (*profiles)[at])
                                ? std::nullopt
                                : std::optional(std::move((*profiles)[at])));
    return std::make_unique<ProfiledSchedules>(std::move(buildable));
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

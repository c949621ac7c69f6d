#include "evaluation/model_reasons/simulated_pairs.h"

#include "machine/mechanistic/mechanistic_simulator.h"

#include <utility>

namespace sparsight {

Result<SimulatedPairs::Counted*> SimulatedPairs::counted(std::size_t place) {
    if (const auto known = counted_.find(place); known != counted_.end())
        return &known->second;
    auto pattern = patterns_(place);
    if (!pattern)
        return std::unexpected(std::move(pattern).error());
    std::erase_if(counted_, [](const auto& each) { return each.first != 0; });
    Counted fresh;
    fresh.pattern = *std::move(pattern);
    fresh.counts = std::make_unique<ProfiledPattern>(*fresh.pattern);
    return &counted_.emplace(place, std::move(fresh)).first->second;
}

Result<std::optional<double>> SimulatedPairs::time(Counted& counted, const SuperSchedule& schedule,
                                                   const MachineParameters& machine) const {
    auto known = counted.profiles.find(schedule);
    if (known == counted.profiles.end()) {
        auto profile = counted.counts->profile(schedule, dense_);
        if (!profile)
            return std::unexpected(std::move(profile).error());
        const StorageFormat format = storage_format(schedule, counted.pattern->rows, counted.pattern->cols);
        const bool is_too_large =
            refusal(format, profile->storage, Certainty::Exact, *counted.pattern, PackingLimits())
                .has_value();
        known = counted.profiles
                    .emplace(schedule, is_too_large ? std::nullopt : std::optional(*std::move(profile)))
                    .first;
    }
    if (!known->second)
        return std::nullopt;
    return simulate(machine, *known->second).total();
}

Result<PairTimes> SimulatedPairs::times(const ReasonCase& of) {
    const auto at = counted(of.pattern);
    if (!at)
        return std::unexpected(at.error());
    const MachineParameters machine = resolve_parameters(of.machine).values;
    const auto schedule = time(**at, of.schedule, machine);
    const auto against = time(**at, of.against, machine);
    if (!schedule || !against)
        return std::unexpected((schedule ? against : schedule).error());
    return PairTimes{*schedule, *against, TimeOrigin::Simulated};
}

} // namespace sparsight

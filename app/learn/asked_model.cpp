#include "learn/asked_model.h"

#include <array>

namespace sparsight {

Result<double> margin_of(const PatternScorer& scorer, const SuperSchedule& schedule,
                         const SuperSchedule& against) {
    const std::array both{schedule, against};
    const auto scores = scorer.score(both);
    if (!scores)
        return std::unexpected(scores.error());
    return static_cast<double>((*scores)[1]) - static_cast<double>((*scores)[0]);
}

Result<std::vector<double>> AskedModel::margins(std::span<const ReasonCase> cases) {
    if (model_.reads_statistics())
        return margins_by_statistics(cases);
    std::map<Seen, std::vector<std::size_t>> places;
    for (std::size_t place = 0; place < cases.size(); ++place)
        places[{cases[place].pattern, reads_machine_ ? cases[place].machine.fingerprint() : ""}].push_back(
            place);
    std::vector<double> margins(cases.size());
    for (const auto& [seen, at] : places) {
        const auto looked = scorer(seen, cases[at.front()].machine);
        if (!looked)
            return std::unexpected(looked.error());
        std::vector<SuperSchedule> schedules;
        for (const std::size_t place : at) {
            schedules.push_back(cases[place].schedule);
            schedules.push_back(cases[place].against);
        }
        const auto scores = (*looked)->score(schedules);
        if (!scores)
            return std::unexpected(scores.error());
        for (std::size_t each = 0; each < at.size(); ++each)
            margins[at[each]] =
                static_cast<double>((*scores)[2 * each + 1]) - static_cast<double>((*scores)[2 * each]);
    }
    return margins;
}

Result<std::vector<double>> AskedModel::margins_by_statistics(std::span<const ReasonCase> cases) const {
    std::vector<double> margins;
    for (const ReasonCase& each : cases) {
        const auto looked =
            model_.embed_statistics(each.statistics, reads_machine_ ? &each.machine : nullptr);
        if (!looked)
            return std::unexpected(looked.error());
        const auto margin = margin_of(**looked, each.schedule, each.against);
        if (!margin)
            return std::unexpected(margin.error());
        margins.push_back(*margin);
    }
    return margins;
}

Result<const PatternScorer*> AskedModel::scorer(const Seen& seen, const MachineDescription& machine) {
    if (const auto known = scorers_.find(seen); known != scorers_.end())
        return known->second.get();
    const auto pattern = patterns_(seen.first);
    if (!pattern)
        return std::unexpected(pattern.error());
    auto looked = model_.embed(**pattern, reads_machine_ ? &machine : nullptr, threads_);
    if (!looked)
        return std::unexpected(std::move(looked).error());
    return scorers_.emplace(seen, *std::move(looked)).first->second.get();
}

} // namespace sparsight

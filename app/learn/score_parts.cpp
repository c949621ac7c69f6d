#include "learn/score_parts.h"

#include "machine/mechanistic/mechanistic_simulator.h"

namespace sparsight {

Result<std::vector<ScorePart>> score_parts(const CostModel& model, const PatternScorer& scorer,
                                           const CsrPattern& pattern,
                                           std::span<const SuperSchedule> schedules, int threads) {
    std::vector<ScorePart> parts;
    const auto& blend = model.description().blend;
    if (!blend || schedules.empty())
        return parts;
    const auto embeddings = model.embed_schedules(schedules);
    if (!embeddings)
        return std::unexpected(embeddings.error());
    const auto network = scorer.score_embeddings(*embeddings);
    if (!network)
        return std::unexpected(network.error());
    const ProfiledPattern profiled(pattern);
    const auto profiles = profile_all(profiled, schedules, blend->dense, {.threads = threads});
    if (!profiles)
        return std::unexpected(profiles.error());
    for (std::size_t at = 0; at < schedules.size(); ++at) {
        ScorePart& part = parts.emplace_back();
        part.network = (*network)[at];
        if (!is_too_large(pattern, schedules[at], (*profiles)[at]))
            part.simulated_ms = simulate(blend->machine, (*profiles)[at]).total();
    }
    return parts;
}

} // namespace sparsight

#include "learn/blended_choice.h"

#include "base/stopwatch.h"

#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t simulated_at_once = 128; // between two such blocks it can be stopped

} // namespace

Result<void> BlendedChoice::choose(std::span<const SuperSchedule> schedules, MatrixChoice& choice,
                                   const std::stop_token& stop, const ProgressSink& progress) const {
    const Stopwatch stopwatch;
    std::vector<float> scores;
    while (scores.size() < schedules.size()) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped while schedules were simulated");
        if (progress)
            progress({"simulating", scores.size(), schedules.size()});
        const auto some = scorer_.score(
            schedules.subspan(scores.size(), std::min(simulated_at_once, schedules.size() - scores.size())));
        if (!some)
            return std::unexpected(some.error());
        scores.insert(scores.end(), some->begin(), some->end());
    }
    if (auto kept = keep_portfolio(schedules, scores, choice); !kept)
        return kept;
    choice.simulated = static_cast<std::int64_t>(schedules.size());
    choice.simulating_ms = stopwatch.milliseconds();
    return {};
}

Result<std::vector<float>> BlendedChoice::of_simulator(std::span<const SuperSchedule> schedules,
                                                       std::span<const float> scores) const {
    const SimulatorBlend& blend = *model_.description().blend;
    std::vector<float> shares;
    if (blend.network <= 0 || blend.simulator <= 0)
        return shares;
    const auto embeddings = model_.embed_schedules(schedules);
    if (!embeddings)
        return std::unexpected(embeddings.error());
    const auto of_network = scorer_.score_embeddings(*embeddings);
    if (!of_network)
        return std::unexpected(of_network.error());
    shares.reserve(scores.size());
    for (std::size_t at = 0; at < scores.size(); ++at)
        shares.push_back(scores[at] - static_cast<float>(blend.network) * (*of_network)[at]);
    return shares;
}

Result<void> BlendedChoice::keep_portfolio(std::span<const SuperSchedule> schedules,
                                           std::span<const float> scores, MatrixChoice& choice) const {
    const auto simulated = of_simulator(schedules, scores);
    if (!simulated)
        return std::unexpected(simulated.error());
    const PortfolioSettings portfolio{.k = static_cast<std::size_t>(settings_.k), .seed = settings_.seed};
    for (const ChosenPlace& chosen : choose_hedged_portfolio(schedules, scores, *simulated, portfolio)) {
        const float score = scores[chosen.place];
        choice.candidates.push_back({schedules[chosen.place], score});
        choice.places.push_back(
            1 + std::ranges::count_if(scores, [score](float other) { return other < score; }));
        choice.reasons.push_back(chosen.by);
    }
    return {};
}

Result<void> add_score_parts(const CostModel& model, const PatternScorer& scorer, const CsrPattern& pattern,
                             int threads, MatrixChoice& choice) {
    choice.blend = model.description().blend;
    if (!choice.blend)
        return {};
    std::vector<SuperSchedule> schedules;
    schedules.reserve(choice.candidates.size());
    for (const ScoredSchedule& each : choice.candidates)
        schedules.push_back(each.schedule);
    auto parts = score_parts(model, scorer, pattern, schedules, threads);
    if (!parts)
        return std::unexpected(std::move(parts).error());
    choice.parts = *std::move(parts);
    if (!choice.map)
        return {};
    schedules.clear();
    for (const SearchMap::Node& node : choice.map->nodes)
        schedules.push_back(node.schedule);
    const auto nodes = score_parts(model, scorer, pattern, schedules, threads);
    if (!nodes)
        return std::unexpected(nodes.error());
    for (std::size_t at = 0; at < nodes->size(); ++at)
        choice.map->nodes[at].simulated_ms = (*nodes)[at].simulated_ms;
    return {};
}

} // namespace sparsight

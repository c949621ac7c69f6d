#include "workflow/learning/search/workload_choice.h"

#include "base/names.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>
#include <utility>

namespace sparsight {

Result<std::vector<ScorePart>> score_parts(const CostModel& model, const WorkloadScorer& scorer,
                                           std::span<const Configuration> configurations) {
    std::vector<ScorePart> parts;
    if (!model.description().blend || configurations.empty())
        return parts;
    const auto embeddings = model.embed_configurations(configurations);
    if (!embeddings)
        return std::unexpected(embeddings.error());
    const auto network = scorer.score_embeddings(*embeddings);
    if (!network)
        return std::unexpected(network.error());
    const auto simulated = scorer.simulate(configurations);
    if (!simulated)
        return std::unexpected(simulated.error());
    for (std::size_t at = 0; at < configurations.size(); ++at)
        parts.push_back({(*network)[at], at < simulated->size() ? (*simulated)[at] : std::nullopt});
    return parts;
}

std::vector<Configuration> configurations_of(std::span<const ScoredConfiguration> scored) {
    std::vector<Configuration> configurations;
    configurations.reserve(scored.size());
    for (const ScoredConfiguration& each : scored)
        configurations.push_back(each.configuration);
    return configurations;
}

Result<SearchPlane> plane_of(const CostModel& model, std::vector<Configuration> configurations) {
    const auto embeddings = model.embed_configurations(configurations);
    if (!embeddings)
        return std::unexpected(embeddings.error());
    SearchPlane plane{
        std::move(configurations), PlaneProjection::of(*embeddings, model.embedding_width()), {}};
    plane.places = plane.projection.project(*embeddings);
    return plane;
}

SearchPlane plane_of(const ConfigurationIndex& index) {
    SearchPlane plane;
    for (std::uint32_t node = 0; node < index.nodes.count(); ++node)
        plane.configurations.push_back(index.configurations[index.nodes.of(node).front()]);
    plane.projection = PlaneProjection::of(index.embeddings, index.width);
    plane.places = plane.projection.project(index.embeddings);
    return plane;
}

namespace {

/// Of the larger extent of the map. The same embedding, computed once more among others, may differ in its
/// last bits.
constexpr double same_place = 1e-6;

double extent_of(std::span<const PlanePoint> places) {
    if (places.empty())
        return 0;
    const auto [left, right] = std::ranges::minmax(places, {}, &PlanePoint::x);
    const auto [low, high] = std::ranges::minmax(places, {}, &PlanePoint::y);
    return std::max(right.x - left.x, high.y - low.y);
}

class MapMaker {
public:
    MapMaker(const MapRows& rows, const Walk* walk)
        : rows_(rows)
        , tolerance_(same_place * extent_of(rows.places)) {
        map_.rows = rows.configurations.size();
        if (walk == nullptr) {
            is_seen_.assign(map_.rows, true);
            return;
        }
        is_seen_.assign(map_.rows, false);
        for (const Visit& visit : walk->seen)
            is_seen_[visit.node] = true;
    }

    void add_chosen(std::span<const ScoredConfiguration> chosen, std::span<const PlanePoint> places) {
        for (std::size_t i = 0; i < chosen.size(); ++i)
            map_.nodes.push_back(
                {.configuration = chosen[i].configuration, .place = places[i], .score = chosen[i].score});
        chosen_ = chosen.size();
    }

    void add_walk(const Walk& walk) {
        for (const Visit& visit : walk.visits)
            map_.walk.push_back({node_of(visit.node), node_of(visit.from), visit.layer});
    }

    void add_sample() {
        const std::size_t count = std::min(map_.rows, most_sampled_on_a_map);
        const std::size_t before = map_.nodes.size();
        for (std::size_t i = 0; i < count; ++i)
            (void)node_of(static_cast<std::uint32_t>(i * map_.rows / count));
        map_.sampled = map_.nodes.size() - before;
    }

    [[nodiscard]] SearchMap take() { return std::move(map_); }

private:
    std::uint32_t node_of(std::uint32_t row) {
        const auto known = node_of_row_.find(row);
        if (known != node_of_row_.end())
            return known->second;
        std::uint32_t node = chosen_at(rows_.places[row], rows_.scores[row]);
        if (node == chosen_) {
            node = static_cast<std::uint32_t>(map_.nodes.size());
            map_.nodes.push_back({.configuration = rows_.configurations[row],
                                  .place = rows_.places[row],
                                  .score = rows_.scores[row],
                                  .seen = is_seen_[row]});
        }
        node_of_row_.emplace(row, node);
        return node;
    }

    /// What was chosen stands for its row; as many as were chosen where none does.
    [[nodiscard]] std::uint32_t chosen_at(const PlanePoint& place, float score) const {
        std::uint32_t node = 0;
        for (; node < chosen_; ++node) {
            const SearchMap::Node& one = map_.nodes[node];
            if (std::abs(one.place.x - place.x) <= tolerance_ &&
                std::abs(one.place.y - place.y) <= tolerance_ &&
                std::abs(one.score - score) <= 1e-4F * std::max(1.0F, std::abs(score)))
                break;
        }
        return node;
    }

    const MapRows& rows_;
    double tolerance_;
    SearchMap map_;
    std::size_t chosen_ = 0;
    std::vector<bool> is_seen_;
    std::unordered_map<std::uint32_t, std::uint32_t> node_of_row_;
};

} // namespace

SearchMap make_search_map(const MapRows& rows, std::span<const ScoredConfiguration> chosen,
                          std::span<const PlanePoint> places_of_chosen, const Walk* walk) {
    MapMaker maker(rows, walk);
    maker.add_chosen(chosen, places_of_chosen);
    if (walk != nullptr)
        maker.add_walk(*walk);
    maker.add_sample();
    return maker.take();
}

namespace {

constexpr Names<ChoiceMethod, 5> choice_methods{{
    {ChoiceMethod::Index, "index"},
    {ChoiceMethod::Exhaustive, "exhaustive"},
    {ChoiceMethod::Recorded, "recorded"},
    {ChoiceMethod::Evolution, "evolution"},
    {ChoiceMethod::Annealing, "annealing"},
}};

} // namespace

std::string_view name(ChoiceMethod method) {
    return name_in(choice_methods, method);
}

std::optional<ChoiceMethod> parse_choice_method(std::string_view text) {
    return value_in(choice_methods, text);
}

namespace {

constexpr std::size_t simulated_at_once = 128; // between two such blocks it can be stopped

} // namespace

Result<void> BlendedChoice::choose(std::span<const Configuration> configurations, WorkloadChoice& choice,
                                   const std::stop_token& stop, const ProgressSink& progress) const {
    const Stopwatch stopwatch;
    std::vector<float> scores;
    while (scores.size() < configurations.size()) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled,
                        fmt::format("stopped while {} were simulated", settings_.configurations));
        if (progress)
            progress({"simulating", scores.size(), configurations.size()});
        const auto some = scorer_.score(configurations.subspan(
            scores.size(), std::min(simulated_at_once, configurations.size() - scores.size())));
        if (!some)
            return std::unexpected(some.error());
        scores.insert(scores.end(), some->begin(), some->end());
    }
    if (auto kept = keep_portfolio(configurations, scores, choice); !kept)
        return kept;
    choice.simulated = static_cast<std::int64_t>(configurations.size());
    choice.simulating_ms = stopwatch.milliseconds();
    return {};
}

Result<std::vector<float>> BlendedChoice::of_simulator(std::span<const Configuration> configurations,
                                                       std::span<const float> scores) const {
    const SimulatorBlend& blend = *model_.description().blend;
    std::vector<float> shares;
    if (blend.network <= 0 || blend.simulator <= 0)
        return shares;
    const auto embeddings = model_.embed_configurations(configurations);
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

Result<void> BlendedChoice::keep_portfolio(std::span<const Configuration> configurations,
                                           std::span<const float> scores, WorkloadChoice& choice) const {
    const auto simulated = of_simulator(configurations, scores);
    if (!simulated)
        return std::unexpected(simulated.error());
    const PortfolioSettings portfolio{.k = static_cast<std::size_t>(settings_.k), .seed = settings_.seed};
    for (const ChosenPlace& chosen :
         choose_hedged_portfolio(space_, configurations, scores, *simulated, portfolio)) {
        const float score = scores[chosen.place];
        choice.candidates.push_back({configurations[chosen.place], score});
        choice.places.push_back(
            1 + std::ranges::count_if(scores, [score](float other) { return other < score; }));
        choice.reasons.push_back(chosen.by);
    }
    return {};
}

Result<void> add_score_parts(const CostModel& model, const WorkloadScorer& scorer, WorkloadChoice& choice) {
    choice.blend = model.description().blend;
    if (!choice.blend)
        return {};
    std::vector<Configuration> configurations = configurations_of(choice.candidates);
    auto parts = score_parts(model, scorer, configurations);
    if (!parts)
        return std::unexpected(std::move(parts).error());
    choice.parts = *std::move(parts);
    if (!choice.map)
        return {};
    configurations.clear();
    for (const SearchMap::Node& node : choice.map->nodes)
        configurations.push_back(node.configuration);
    const auto nodes = score_parts(model, scorer, configurations);
    if (!nodes)
        return std::unexpected(nodes.error());
    for (std::size_t at = 0; at < nodes->size(); ++at)
        choice.map->nodes[at].simulated_ms = (*nodes)[at].simulated_ms;
    return {};
}

} // namespace sparsight

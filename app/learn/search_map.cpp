#include "learn/search_map.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace sparsight {

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
        map_.rows = rows.schedules.size();
        if (walk == nullptr) {
            is_seen_.assign(map_.rows, true);
            return;
        }
        is_seen_.assign(map_.rows, false);
        for (const Visit& visit : walk->seen)
            is_seen_[visit.node] = true;
    }

    void add_chosen(std::span<const ScoredSchedule> chosen, std::span<const PlanePoint> places) {
        for (std::size_t i = 0; i < chosen.size(); ++i)
            map_.nodes.push_back(
                {.schedule = chosen[i].schedule, .place = places[i], .score = chosen[i].score});
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
            map_.nodes.push_back({.schedule = rows_.schedules[row],
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

SearchMap make_search_map(const MapRows& rows, std::span<const ScoredSchedule> chosen,
                          std::span<const PlanePoint> places_of_chosen, const Walk* walk) {
    MapMaker maker(rows, walk);
    maker.add_chosen(chosen, places_of_chosen);
    if (walk != nullptr)
        maker.add_walk(*walk);
    maker.add_sample();
    return maker.take();
}

} // namespace sparsight

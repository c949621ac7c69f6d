#include "search/scored_schedules.h"

#include "search/ranking.h"

#include <fmt/format.h>

namespace sparsight {

Result<void> ScoredSchedules::add(std::span<const SuperSchedule> schedules) {
    std::vector<SuperSchedule> fresh;
    for (const SuperSchedule& schedule : schedules) {
        const auto place = static_cast<std::uint32_t>(all_.size() + fresh.size());
        if (place < budget_ && places_.try_emplace(schedule, place).second)
            fresh.push_back(schedule);
    }
    if (fresh.empty())
        return {};
    const Result<std::vector<float>> scores = scorer_.score(fresh);
    if (!scores)
        return std::unexpected(scores.error());
    if (scores->size() != fresh.size())
        return fail(Fault::Internal,
                    fmt::format("the model gave {} scores for {} schedules", scores->size(), fresh.size()));
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        all_.push_back({fresh[i], comparable((*scores)[i])});
        if (progress_.empty() || all_.back().score < progress_.back().score)
            progress_.push_back({static_cast<std::int64_t>(all_.size()), all_.back().score});
    }
    return {};
}

const std::uint32_t* ScoredSchedules::find(const SuperSchedule& schedule) const {
    const auto found = places_.find(schedule);
    return found == places_.end() ? nullptr : &found->second;
}

std::vector<std::uint32_t> ScoredSchedules::best(std::size_t k) const {
    BestRanked best(k);
    for (std::uint32_t place = 0; place < all_.size(); ++place)
        (void)best.offer({place, all_[place].score});
    std::vector<std::uint32_t> places;
    for (const Ranked& ranked : best.take())
        places.push_back(ranked.candidate);
    return places;
}

} // namespace sparsight

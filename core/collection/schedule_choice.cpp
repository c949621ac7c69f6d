#include "collection/schedule_choice.h"

#include "base/digest.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/search_space.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <algorithm>
#include <span>
#include <unordered_set>

namespace sparsight {

namespace {

std::vector<SuperSchedule> choose(const ScheduleChoice& choice, Operator op, std::string_view matrix,
                                  const Extents& extents, int threads) {
    if (const auto* listed = std::get_if<ListedSchedules>(&choice))
        return listed->schedules;
    if (const auto* by_matrix = std::get_if<SchedulesByMatrix>(&choice)) {
        const auto own = by_matrix->schedules.find(matrix);
        return own == by_matrix->schedules.end() ? std::vector<SuperSchedule>{} : own->second;
    }
    const auto* sampled = std::get_if<SampledSchedules>(&choice);
    if (sampled == nullptr)
        return {};
    Random random = random_of_matrix(sampled->seed, matrix);
    return sampled->sampler == Sampler::Waco ? sample_waco(op, extents, sampled->count, threads, random)
                                             : sample_uniform(op, extents, sampled->count, threads, random);
}

} // namespace

std::string_view name(Sampler sampler) {
    return sampler == Sampler::Waco ? "waco" : "uniform";
}

std::optional<Sampler> parse_sampler(std::string_view text) {
    for (const Sampler sampler : {Sampler::Waco, Sampler::Uniform})
        if (text == name(sampler))
            return sampler;
    return std::nullopt;
}

Random random_of_matrix(std::uint64_t seed, std::string_view matrix) {
    return Random(seed).fork(digest_of(matrix));
}

std::vector<SuperSchedule> schedules_for(const ScheduleChoice& choice, Operator op, std::string_view matrix,
                                         const Extents& extents, int threads) {
    std::vector<SuperSchedule> schedules{fixed_csr(op, threads)};
    std::unordered_set<SuperSchedule> known{canonical(schedules.front())};
    for (SuperSchedule& schedule : choose(choice, op, matrix, extents, threads)) {
        schedule.threads = threads;
        if (known.insert(canonical(schedule)).second)
            schedules.push_back(schedule);
    }
    return schedules;
}

namespace {

constexpr std::size_t most_parents = 16;
// Shares of the children; the rest are neighbours.
constexpr double share_of_strangers = 0.15; ///< against getting stuck around fixed CSR
constexpr double share_of_mixtures = 0.25;
constexpr double another_step = 0.3; ///< the chance that a neighbour is changed once more
constexpr int most_attempts = 400;   ///< to find a child that is not known

} // namespace

MeasuredSearch::MeasuredSearch(Operator op, const Extents& extents, int threads, Random random)
    : op_(op)
    , extents_(extents)
    , threads_(threads)
    , random_(random) {}

void MeasuredSearch::know(const SuperSchedule& schedule, std::optional<double> median_ms) {
    SuperSchedule same = canonical(schedule);
    same.threads = threads_;
    if (!known_.insert(same).second || !median_ms)
        return;
    const auto slower = std::ranges::upper_bound(parents_, *median_ms, {}, &Parent::median_ms);
    parents_.insert(slower, {std::move(same), *median_ms});
    if (parents_.size() > most_parents)
        parents_.pop_back();
}

std::optional<SuperSchedule> MeasuredSearch::next() const {
    const SuperSchedule fixed = canonical(fixed_csr(op_, threads_));
    if (!known_.contains(fixed))
        return fixed;
    Random random = random_.fork(known_.size());
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        SuperSchedule found = child(random);
        if (!known_.contains(found))
            return found;
    }
    return std::nullopt;
}

SuperSchedule MeasuredSearch::child(Random& random) const {
    const double drawn = random.uniform();
    if (parents_.empty() || drawn < share_of_strangers)
        return stranger(random);
    if (drawn < share_of_strangers + share_of_mixtures) {
        const SuperSchedule& mother = parent(random);
        const SuperSchedule& father = parent(random);
        if (const auto mixed = mixture(mother, father, random))
            return *mixed;
    }
    SuperSchedule changed = parent(random);
    do {
        const std::vector<SuperSchedule> near = neighbours(changed, extents_);
        changed = random.pick(std::span(near));
    } while (random.chance(another_step));
    return changed;
}

/// A random schedule from either space: WACO's has the forms that people use, the uniform one has all.
SuperSchedule MeasuredSearch::stranger(Random& random) const {
    return canonical(random.chance(0.5) ? sample_waco(op_, extents_, 1, threads_, random).front()
                                        : sample_uniform(op_, extents_, 1, threads_, random).front());
}

/// The faster one of two.
const SuperSchedule& MeasuredSearch::parent(Random& random) const {
    const std::uint64_t one = random.below(parents_.size());
    const std::uint64_t other = random.below(parents_.size());
    return parents_[std::min(one, other)].schedule;
}

} // namespace sparsight

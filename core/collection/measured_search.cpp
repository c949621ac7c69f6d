#include "collection/measured_search.h"

#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t most_parents = 16;
// Shares of the children; the rest are neighbours.
constexpr double share_of_random_ones = 0.15; ///< against getting stuck around the baseline
constexpr double share_of_mixtures = 0.25;
constexpr double another_step = 0.3; ///< the chance that a neighbour is changed once more
constexpr int most_tries = 400;      ///< to find a child that is not known

} // namespace

MeasuredSearch::MeasuredSearch(std::shared_ptr<const ConfigurationSpace> space, Sampler sampler,
                               Random random)
    : space_(std::move(space))
    , sampler_(std::move(sampler))
    , random_(random) {}

void MeasuredSearch::know(const Configuration& configuration, std::optional<double> median_ms) {
    if (!known_.insert(configuration).second || !median_ms)
        return;
    const auto slower = std::ranges::upper_bound(parents_, *median_ms, {}, &Parent::median_ms);
    parents_.insert(slower, {configuration, *median_ms});
    if (parents_.size() > most_parents)
        parents_.pop_back();
}

std::optional<Configuration> MeasuredSearch::next() const {
    if (const auto baseline = space_->baseline(); baseline && !known_.contains(*baseline))
        return baseline;
    Random random = random_.fork(known_.size());
    for (int attempt = 0; attempt < most_tries; ++attempt) {
        const auto found = child(random);
        if (found && !known_.contains(*found))
            return found;
    }
    return std::nullopt;
}

std::optional<Configuration> MeasuredSearch::child(Random& random) const {
    const double drawn = random.uniform();
    if (parents_.empty() || drawn < share_of_random_ones)
        return sampler_(random);
    if (drawn < share_of_random_ones + share_of_mixtures) {
        const Configuration& mother = parent(random);
        const Configuration& father = parent(random);
        if (const auto mixed = space_->mixture(mother, father, random))
            return mixed;
    }
    std::optional<Configuration> changed = parent(random);
    do {
        changed = space_->neighbour(*changed, random);
    } while (changed && random.chance(another_step));
    return changed;
}

/// The faster one of two.
const Configuration& MeasuredSearch::parent(Random& random) const {
    const std::uint64_t one = random.below(parents_.size());
    const std::uint64_t other = random.below(parents_.size());
    return parents_[std::min(one, other)].configuration;
}

} // namespace sparsight

#include "matrix/generators/sampling.h"

#include "matrix/generators/stopping.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr std::uint64_t steps_at_once = 1 << 16; ///< between two looks whether it was stopped

/// Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S: one look at every candidate.
void select_in_order(Random& random, std::uint64_t population, std::uint64_t count,
                     std::vector<std::uint64_t>& sample, const std::stop_token& stop) {
    for (std::uint64_t candidate = 0; sample.size() < count; ++candidate) {
        if (candidate % steps_at_once == 0)
            end_if_stopped(stop);
        if (random.below(population - candidate) < count - sample.size())
            sample.push_back(candidate);
    }
}

/// Sorting hundreds of millions of numbers takes half a minute; whoever compares them can end it.
class StoppableOrder {
public:
    explicit StoppableOrder(const std::stop_token& stop)
        : stop_(&stop) {}

    bool operator()(std::uint64_t a, std::uint64_t b) {
        if (++steps_ % steps_at_once == 0)
            end_if_stopped(*stop_);
        return a < b;
    }

private:
    const std::stop_token* stop_;
    std::uint64_t steps_ = 0;
};

/// Draws, drops what came twice and draws that many again: at most a quarter of the population is asked for,
/// so each round loses at most a quarter of its draws. Uniform, since no number is treated unlike another.
void draw_and_sort(Random& random, std::uint64_t population, std::uint64_t count,
                   std::vector<std::uint64_t>& sample, const std::stop_token& stop) {
    while (sample.size() < count) {
        end_if_stopped(stop);
        const auto known = static_cast<std::ptrdiff_t>(sample.size());
        while (sample.size() < count)
            sample.push_back(random.below(population));
        std::sort(sample.begin() + known, sample.end(), StoppableOrder(stop));
        std::inplace_merge(sample.begin(), sample.begin() + known, sample.end());
        sample.erase(std::ranges::unique(sample).begin(), sample.end());
    }
}

} // namespace

void sample_sorted(Random& random, std::uint64_t population, std::uint64_t count,
                   std::vector<std::uint64_t>& sample, const std::stop_token& stop) {
    sample.clear();
    count = std::min(count, population);
    sample.reserve(count);
    if (count > population / 4)
        select_in_order(random, population, count, sample, stop);
    else
        draw_and_sort(random, population, count, sample, stop);
}

std::uint64_t share_of(std::uint64_t population, double share) {
    const double count = std::round(share * static_cast<double>(population));
    return std::min(population, static_cast<std::uint64_t>(count));
}

} // namespace sparsight

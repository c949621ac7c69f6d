#include "matrix/generators/sampling.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

/// Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S: one look at every candidate.
void select_in_order(Random& random, std::uint64_t population, std::uint64_t count,
                     std::vector<std::uint64_t>& sample) {
    for (std::uint64_t candidate = 0; sample.size() < count; ++candidate)
        if (random.below(population - candidate) < count - sample.size())
            sample.push_back(candidate);
}

/// Draws, drops what came twice and draws that many again: at most a quarter of the population is asked for,
/// so each round loses at most a quarter of its draws. Uniform, since no number is treated unlike another.
void draw_and_sort(Random& random, std::uint64_t population, std::uint64_t count,
                   std::vector<std::uint64_t>& sample) {
    while (sample.size() < count) {
        const auto known = static_cast<std::ptrdiff_t>(sample.size());
        while (sample.size() < count)
            sample.push_back(random.below(population));
        std::sort(sample.begin() + known, sample.end());
        std::inplace_merge(sample.begin(), sample.begin() + known, sample.end());
        sample.erase(std::ranges::unique(sample).begin(), sample.end());
    }
}

} // namespace

void sample_sorted(Random& random, std::uint64_t population, std::uint64_t count,
                   std::vector<std::uint64_t>& sample) {
    sample.clear();
    count = std::min(count, population);
    sample.reserve(count);
    if (count > population / 4)
        select_in_order(random, population, count, sample);
    else
        draw_and_sort(random, population, count, sample);
}

std::uint64_t share_of(std::uint64_t population, double share) {
    const double count = std::round(share * static_cast<double>(population));
    return std::min(population, static_cast<std::uint64_t>(count));
}

} // namespace sparsight

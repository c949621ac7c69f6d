#include "machine/mechanistic/chunk_balance.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>

namespace sparsight {

namespace {

/// More chunks than this are handed out in groups: on 256 cores a group is then a small part of a core's
/// share.
constexpr std::size_t most_chunks = 8192;

std::vector<double> in_groups(std::span<const double> work) {
    const std::size_t size = (work.size() + most_chunks - 1) / most_chunks;
    if (size <= 1)
        return {work.begin(), work.end()};
    std::vector<double> groups;
    for (std::size_t first = 0; first < work.size(); first += size) {
        const auto group = work.subspan(first, std::min(size, work.size() - first));
        groups.push_back(std::accumulate(group.begin(), group.end(), 0.0));
    }
    return groups;
}

/// When the last core is done, each chunk in turn going to the core that is free first.
double greedy_makespan(std::span<const double> work, int cores) {
    std::priority_queue<double, std::vector<double>, std::greater<>> free_at(
        std::greater<>{}, std::vector<double>(static_cast<std::size_t>(cores), 0.0));
    double last = 0;
    for (const double chunk : work) {
        const double done = free_at.top() + chunk;
        free_at.pop();
        free_at.push(done);
        last = std::max(last, done);
    }
    return last;
}

} // namespace

ChunkBalance::ChunkBalance(std::span<const double> work) {
    const double total = std::accumulate(work.begin(), work.end(), 0.0);
    if (total <= 0)
        return;
    const std::vector<double> groups = in_groups(work);
    largest_share_ = *std::ranges::max_element(groups) / total;
    for (std::size_t at = 0; at < core_counts.size(); ++at) {
        const int cores = core_counts[at];
        const double makespan = static_cast<std::size_t>(cores) >= groups.size()
                                    ? *std::ranges::max_element(groups)
                                    : greedy_makespan(groups, cores);
        excess_[at] = std::max(0.0, makespan * cores / total - 1);
    }
}

double ChunkBalance::excess(double cores) const {
    const auto above = std::ranges::lower_bound(core_counts, cores);
    if (above == core_counts.begin())
        return 0;
    if (above == core_counts.end())
        return std::max(excess_.back(), largest_share_ * cores - 1);
    const auto at = static_cast<std::size_t>(above - core_counts.begin());
    const double share = (cores - core_counts[at - 1]) / (core_counts[at] - core_counts[at - 1]);
    return excess_[at - 1] + share * (excess_[at] - excess_[at - 1]);
}

std::vector<double> chunk_work(const CsrPattern& pattern, const ChunkShape& shape) {
    const std::int64_t ids = shape.ids.rows ? pattern.rows : pattern.cols;
    const std::int64_t step = shape.ids.size;
    std::vector<double> work(static_cast<std::size_t>((ids + step - 1) / step));
    for (std::size_t at = 0; at < work.size(); ++at) {
        const std::int64_t first = static_cast<std::int64_t>(at) * step;
        const std::int64_t last = std::min(first + step, ids);
        work[at] = shape.iteration_work * static_cast<double>((last - first + shape.block - 1) / shape.block);
    }
    if (shape.work_of_stored <= 0)
        return work;
    const std::vector<std::int64_t> stored = count_distinct_in_groups(pattern, shape.stored, shape.ids);
    for (std::size_t at = 0; at < work.size(); ++at)
        work[at] += shape.work_of_stored * static_cast<double>(stored[at]);
    return work;
}

} // namespace sparsight

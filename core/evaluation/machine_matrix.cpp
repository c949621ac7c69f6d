#include "evaluation/machine_matrix.h"

#include "study/ranking_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sparsight {

namespace {

/// Where both machines have tried a configuration.
struct CommonTimes {
    std::vector<std::size_t> places;
    std::vector<double> one; ///< of those that ran on both
    std::vector<double> other;
};

CommonTimes common_times(const std::vector<double>& one, const std::vector<double>& other) {
    CommonTimes common;
    for (std::size_t place = 0; place < std::min(one.size(), other.size()); ++place) {
        if (std::isnan(one[place]) || std::isnan(other[place]))
            continue;
        common.places.push_back(place);
        if (std::isinf(one[place]) || std::isinf(other[place]))
            continue;
        common.one.push_back(one[place]);
        common.other.push_back(other[place]);
    }
    return common;
}

/// The first of equal ones; absent where none of them ran.
std::optional<std::size_t> fastest_place(const std::vector<double>& times,
                                         const std::vector<std::size_t>& places) {
    const auto found =
        std::ranges::min_element(places, {}, [&times](std::size_t place) { return times[place]; });
    return found == places.end() || std::isinf(times[*found]) ? std::nullopt : std::optional(*found);
}

void copy_fastest(MachinePair& pair, const std::vector<double>& here, const std::vector<double>& there,
                  const std::vector<std::size_t>& places) {
    const auto best = fastest_place(here, places);
    pair.copied = fastest_place(there, places);
    if (best && pair.copied)
        pair.slowdown = here[*pair.copied] / here[*best];
}

} // namespace

MachineMatrix machine_matrix(std::span<const std::vector<double>> machines) {
    const std::size_t count = machines.size();
    MachineMatrix matrix{count, std::vector<MachinePair>(count * count)};
    for (std::size_t row = 0; row < count; ++row)
        for (std::size_t column = row; column < count; ++column) {
            const CommonTimes common = common_times(machines[row], machines[column]);
            MachinePair& pair = matrix.pairs[row * count + column];
            pair.common = std::ssize(common.places);
            pair.ran = std::ssize(common.one);
            PairCounts counts = count_pairs(common.other, common.one); // the column foretells the row
            pair.kendall_tau = kendall_tau_b(counts);
            pair.pair_accuracy = ordered_pair_accuracy(counts);
            MachinePair& back = matrix.pairs[column * count + row];
            back = pair;
            std::swap(counts.tied_scores, counts.tied_runtimes);
            back.pair_accuracy = ordered_pair_accuracy(counts);
            copy_fastest(back, machines[column], machines[row], common.places);
            copy_fastest(matrix.pairs[row * count + column], machines[row], machines[column], common.places);
        }
    return matrix;
}

namespace {

constexpr double far_apart = 2; ///< as of opposite orders

class Clusters {
public:
    explicit Clusters(const MachineMatrix& matrix)
        : matrix_(matrix) {
        for (std::size_t machine = 0; machine < matrix.machines; ++machine)
            groups_.push_back({machine});
    }

    std::vector<std::size_t> order() {
        while (groups_.size() > 1)
            merge_nearest();
        return groups_.empty() ? std::vector<std::size_t>() : std::move(groups_.front());
    }

private:
    using Group = std::vector<std::size_t>;

    [[nodiscard]] double distance(std::size_t one, std::size_t other) const {
        const auto& tau = matrix_.pair(one, other).kendall_tau;
        return tau ? 1 - *tau : far_apart;
    }

    [[nodiscard]] double mean_distance(const Group& one, const Group& other) const {
        double sum = 0;
        for (const std::size_t a : one)
            for (const std::size_t b : other)
                sum += distance(a, b);
        return sum / static_cast<double>(one.size() * other.size());
    }

    void merge_nearest() {
        std::pair<std::size_t, std::size_t> nearest{0, 1};
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t one = 0; one < groups_.size(); ++one)
            for (std::size_t other = one + 1; other < groups_.size(); ++other)
                if (const double apart = mean_distance(groups_[one], groups_[other]); apart < least) {
                    least = apart;
                    nearest = {one, other};
                }
        groups_[nearest.first] = joined(groups_[nearest.first], groups_[nearest.second]);
        groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(nearest.second));
    }

    /// Either may be turned, so that those that meet are most alike.
    [[nodiscard]] Group joined(Group one, Group other) const {
        struct Turn {
            bool one;
            bool other;
        };
        Turn best{false, false};
        double least = std::numeric_limits<double>::infinity();
        for (const Turn turn : {Turn{false, false}, Turn{true, false}, Turn{false, true}, Turn{true, true}}) {
            const double apart =
                distance(turn.one ? one.front() : one.back(), turn.other ? other.back() : other.front());
            if (apart < least) {
                least = apart;
                best = turn;
            }
        }
        if (best.one)
            std::ranges::reverse(one);
        if (best.other)
            std::ranges::reverse(other);
        one.insert(one.end(), other.begin(), other.end());
        return one;
    }

    const MachineMatrix& matrix_;
    std::vector<Group> groups_;
};

} // namespace

std::vector<std::size_t> similarity_order(const MachineMatrix& matrix) {
    return Clusters(matrix).order();
}

MachineMatrix reordered(const MachineMatrix& matrix, std::span<const std::size_t> order) {
    MachineMatrix sorted{matrix.machines, {}};
    sorted.pairs.reserve(matrix.pairs.size());
    for (const std::size_t row : order)
        for (const std::size_t column : order)
            sorted.pairs.push_back(matrix.pair(row, column));
    return sorted;
}

} // namespace sparsight

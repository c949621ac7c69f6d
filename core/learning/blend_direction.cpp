#include "learning/blend_direction.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace sparsight {
namespace {

constexpr double figure_rounding = 1e-12;

double mean_figure(const std::vector<double>& values) {
    return values.empty()
               ? 0
               : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

struct Difference {
    double mean = 0;
    double standard_error = 0; ///< 0 of one family, which tells nothing of it
};

Difference difference(const std::vector<double>& more, const std::vector<double>& less) {
    const auto count = static_cast<double>(more.size());
    Difference found{mean_figure(more) - mean_figure(less), 0};
    if (more.size() < 2)
        return found;
    double squares = 0;
    for (std::size_t at = 0; at < more.size(); ++at)
        squares += std::pow(more[at] - less[at] - found.mean, 2);
    found.standard_error = std::sqrt(squares / (count - 1) / count);
    return found;
}

bool orders_as_well(const std::vector<double>& shares, const std::vector<double>& best) {
    const Difference behind = difference(best, shares);
    return behind.mean <= behind.standard_error + figure_rounding;
}

class DirectionChoice {
public:
    explicit DirectionChoice(std::span<const DirectionFigures> directions)
        : directions_(directions)
        , network_(directions.size() - 1) {
        for (const DirectionFigures& each : directions)
            in_order_.push_back(each.mean_in_order());
        better_picks_ = directions[network_].mean_picks_loss() < directions[simulator].mean_picks_loss()
                            ? network_
                            : simulator;
    }

    [[nodiscard]] ChosenDirection choose() const {
        const std::size_t first = by_pairs();
        if (picks_as_well(first))
            return {first, DirectionReason::Pairs, first};
        if (const auto near = nearest_in_both(first))
            return {*near, DirectionReason::Moved, first};
        return {best_of_picks(first), DirectionReason::PicksOnly, first};
    }

private:
    static constexpr std::size_t simulator = 0;

    [[nodiscard]] double alone_in_order() const {
        return std::max(in_order_[simulator], in_order_[network_]);
    }

    [[nodiscard]] std::size_t by_pairs() const {
        const auto best = static_cast<std::size_t>(std::ranges::max_element(in_order_) - in_order_.begin());
        const auto is_as_good = [&](std::size_t direction) {
            return orders_as_well(directions_[direction].in_order, directions_[best].in_order);
        };
        if (in_order_[simulator] >= in_order_[network_] && is_as_good(simulator))
            return simulator;
        if (in_order_[network_] >= in_order_[simulator] && is_as_good(network_))
            return network_;
        const auto is_near = [&](std::size_t direction) {
            return in_order_[direction] >= alone_in_order() && is_as_good(direction);
        };
        std::size_t first = best;
        std::size_t last = best;
        while (first > simulator + 1 && is_near(first - 1))
            --first;
        while (last + 1 < network_ && is_near(last + 1))
            ++last;
        return (first + last) / 2;
    }

    [[nodiscard]] bool picks_as_well(std::size_t direction) const {
        const Difference more =
            difference(directions_[direction].picks_loss, directions_[better_picks_].picks_loss);
        return more.mean <= std::max(more.standard_error + figure_rounding, least_picks_difference);
    }

    [[nodiscard]] static std::size_t distance(std::size_t one, std::size_t other) {
        return one < other ? other - one : one - other;
    }

    [[nodiscard]] std::optional<std::size_t> nearest_in_both(std::size_t from) const {
        std::optional<std::size_t> nearest;
        for (std::size_t at = 0; at < directions_.size(); ++at)
            if (in_order_[at] >= alone_in_order() && picks_as_well(at) &&
                (!nearest || distance(at, from) < distance(*nearest, from)))
                nearest = at;
        return nearest;
    }

    /// There is one: the better source itself.
    [[nodiscard]] std::size_t best_of_picks(std::size_t from) const {
        std::size_t best = better_picks_;
        for (std::size_t at = 0; at < directions_.size(); ++at)
            if (picks_as_well(at) &&
                (in_order_[at] > in_order_[best] ||
                 (in_order_[at] == in_order_[best] && distance(at, from) < distance(best, from))))
                best = at;
        return best;
    }

    std::span<const DirectionFigures> directions_;
    std::size_t network_;
    std::size_t better_picks_ = simulator; ///< of the sources alone
    std::vector<double> in_order_;         ///< of each direction
};

} // namespace

double DirectionFigures::mean_in_order() const {
    return mean_figure(in_order);
}

double DirectionFigures::mean_picks_loss() const {
    return mean_figure(picks_loss);
}

std::vector<double> means_of_families(std::span<const double> by_matrix,
                                      std::span<const std::size_t> families) {
    std::vector<std::size_t> known;
    std::vector<double> sums;
    std::vector<double> counts;
    for (std::size_t at = 0; at < by_matrix.size(); ++at) {
        const auto place = static_cast<std::size_t>(std::ranges::find(known, families[at]) - known.begin());
        if (place == known.size()) {
            known.push_back(families[at]);
            sums.push_back(0);
            counts.push_back(0);
        }
        sums[place] += by_matrix[at];
        counts[place] += 1;
    }
    for (std::size_t at = 0; at < sums.size(); ++at)
        sums[at] /= counts[at];
    return sums;
}

ChosenDirection choose_direction(std::span<const DirectionFigures> directions) {
    return DirectionChoice(directions).choose();
}

} // namespace sparsight

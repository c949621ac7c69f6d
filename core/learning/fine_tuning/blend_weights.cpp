#include "learning/fine_tuning/blend_weights.h"

#include "study/ranking_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

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
        better_picks_ =
            directions[network_].mean_selection_loss() < directions[simulator].mean_selection_loss()
                ? network_
                : simulator;
    }

    [[nodiscard]] std::size_t choose() const {
        const std::size_t first = by_pairs();
        if (picks_as_well(first))
            return first;
        return nearest_in_both(first).value_or(best_of_picks(first));
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
            difference(directions_[direction].selection_loss, directions_[better_picks_].selection_loss);
        return more.mean <= std::max(more.standard_error + figure_rounding, least_selection_difference);
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

double DirectionFigures::mean_selection_loss() const {
    return mean_figure(selection_loss);
}

std::vector<double> means_of_families(std::span<const double> by_workload,
                                      std::span<const std::size_t> families) {
    std::vector<std::size_t> known;
    std::vector<double> sums;
    std::vector<double> counts;
    for (std::size_t at = 0; at < by_workload.size(); ++at) {
        const auto place = static_cast<std::size_t>(std::ranges::find(known, families[at]) - known.begin());
        if (place == known.size()) {
            known.push_back(families[at]);
            sums.push_back(0);
            counts.push_back(0);
        }
        sums[place] += by_workload[at];
        counts[place] += 1;
    }
    for (std::size_t at = 0; at < sums.size(); ++at)
        sums[at] /= counts[at];
    return sums;
}

std::size_t choose_direction(std::span<const DirectionFigures> directions) {
    return DirectionChoice(directions).choose();
}

double selection_loss(std::span<const double> scores, std::span<const double> milliseconds) {
    double fastest = std::numeric_limits<double>::infinity();
    double slowest = 0;
    for (const double time : milliseconds)
        if (std::isfinite(time)) {
            fastest = std::min(fastest, time);
            slowest = std::max(slowest, time);
        }
    if (!std::isfinite(fastest))
        return 0;
    std::vector<float> ranked;
    ranked.reserve(scores.size());
    for (const double score : scores) // what is no number ranks last
        ranked.push_back(std::isnan(score) ? std::numeric_limits<float>::infinity()
                                           : static_cast<float>(score));
    double regrets = 0;
    for (const std::size_t count : judged_selections)
        regrets += mean_of_top(ranked, milliseconds, count, [&](double answer) {
            return (std::isfinite(answer) ? answer : slowest) / fastest - 1;
        });
    return regrets / static_cast<double>(judged_selections.size());
}

namespace {

constexpr int directions = 90;             // between the simulator alone and the network alone
constexpr std::size_t most_pairs = 20'000; // of a workload
// Bound of the weights, where the typical difference is 1: with few examples all pairs may be in order, and
// the best length would be infinite.
constexpr double longest = 10;
constexpr double shortest = 1e-6; // below it no length is learned
constexpr int most_steps = 60;

/// What the slower configuration of a pair has more than the faster one, and how much the pair counts.
struct Pair {
    double network = 0;
    double simulator = 0;
    double share = 0;
};

void for_each_pair(const BlendExamples& workload, const auto& visit) {
    if (workload.milliseconds.empty())
        return;
    const RankedTimes known = workload.known();
    const double fastest = std::ranges::min(workload.milliseconds);
    for (std::size_t slow = 0; slow < workload.milliseconds.size(); ++slow)
        for (std::size_t fast = 0; fast < workload.milliseconds.size(); ++fast) {
            const Pair pair{workload.network[slow] - workload.network[fast],
                            workload.log_simulated[slow] - workload.log_simulated[fast],
                            fastest / workload.milliseconds[fast]};
            if (known.is_slower(slow, fast) && std::isfinite(pair.network) && std::isfinite(pair.simulator))
                visit(pair);
        }
}

/// Spread evenly over all that there are; of thousands of configurations those would not fit into memory.
std::vector<Pair> pairs_of(const BlendExamples& workload) {
    std::size_t count = 0;
    for_each_pair(workload, [&](const Pair&) { ++count; });
    const std::size_t kept = std::min(count, most_pairs);
    std::vector<Pair> pairs;
    pairs.reserve(kept);
    std::size_t at = 0;
    for_each_pair(workload, [&](const Pair& pair) {
        if (pairs.size() < kept && at++ == pairs.size() * count / kept)
            pairs.push_back(pair);
    });
    double sum = 0;
    for (const Pair& pair : pairs)
        sum += pair.share;
    for (Pair& pair : pairs)
        pair.share /= sum;
    return pairs;
}

/// 1 where half of the differences are 0.
double median_difference(std::span<const Pair> pairs, double Pair::* of) {
    std::vector<double> sizes;
    for (const Pair& pair : pairs)
        sizes.push_back(std::abs(pair.*of));
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::ranges::nth_element(sizes, middle);
    return *middle > 0 ? *middle : 1;
}

/// Equal scores are half right, as a guess would be.
double share_in_order(std::span<const Pair> pairs, const BlendWeights& weights) {
    double share = 0;
    for (const Pair& pair : pairs) {
        const double margin = weights.network * pair.network + weights.simulator * pair.simulator;
        share += margin > 0 ? pair.share : margin == 0 ? pair.share / 2 : 0;
    }
    return share;
}

/// By bisection on the derivative, which only grows with the length.
double best_length(std::span<const Pair> pairs, const BlendWeights& direction) {
    const auto slope = [&](double length) {
        double sum = 0;
        for (const Pair& pair : pairs) {
            const double margin = direction.network * pair.network + direction.simulator * pair.simulator;
            sum -= pair.share * margin / (1 + std::exp(length * margin));
        }
        return sum;
    };
    double low = 0;
    double high = longest;
    for (int step = 0; step < most_steps; ++step) {
        const double middle = (low + high) / 2;
        (slope(middle) < 0 ? low : high) = middle;
    }
    return high;
}

std::vector<double> scores_of(const BlendExamples& workload, const BlendWeights& weights) {
    std::vector<double> scores;
    scores.reserve(workload.network.size());
    for (std::size_t at = 0; at < workload.network.size(); ++at) {
        // 0 · ∞ is no number: a source without a share has no say, whatever it said.
        const double network = weights.network == 0 ? 0 : weights.network * workload.network[at];
        const double simulator = weights.simulator == 0 ? 0 : weights.simulator * workload.log_simulated[at];
        const double score = network + simulator;
        scores.push_back(std::isnan(score) ? std::numeric_limits<double>::infinity() : score);
    }
    return scores;
}

/// The workloads that have pairs, with what a direction is judged by.
class BlendField {
public:
    explicit BlendField(std::span<const BlendExamples> workloads) {
        for (const BlendExamples& workload : workloads) {
            const std::vector<Pair> own = pairs_of(workload);
            if (own.empty())
                continue;
            starts_.push_back(pairs_.size());
            pairs_.insert(pairs_.end(), own.begin(), own.end());
            // Numbers that no family has, for those without one.
            families_.push_back(workload.family ? 2 * *workload.family : 2 * workloads_.size() + 1);
            workloads_.push_back(&workload);
        }
    }

    [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }

    [[nodiscard]] DirectionFigures figures(const BlendWeights& weights) const {
        std::vector<double> in_order;
        std::vector<double> loss;
        in_order.reserve(workloads_.size());
        loss.reserve(workloads_.size());
        for (std::size_t at = 0; at < workloads_.size(); ++at) {
            in_order.push_back(share_in_order(pairs_of_workload(at), weights));
            loss.push_back(selection_loss(scores_of(*workloads_[at], weights), workloads_[at]->milliseconds));
        }
        return {means_of_families(in_order, families_), means_of_families(loss, families_)};
    }

private:
    [[nodiscard]] std::span<const Pair> pairs_of_workload(std::size_t at) const {
        const std::size_t end = at + 1 < starts_.size() ? starts_[at + 1] : pairs_.size();
        return std::span(pairs_).subspan(starts_[at], end - starts_[at]);
    }

    std::vector<const BlendExamples*> workloads_;
    std::vector<std::size_t> families_;
    std::vector<Pair> pairs_;
    std::vector<std::size_t> starts_; ///< in pairs_, of each workload
};

} // namespace

BlendFit fit_blend_weights(std::span<const BlendExamples> workloads) {
    const BlendField field(workloads);
    if (field.pairs().empty())
        return {};
    const double network = median_difference(field.pairs(), &Pair::network);
    const double simulator = median_difference(field.pairs(), &Pair::simulator);
    std::vector<BlendWeights> weights;
    std::vector<DirectionFigures> figures;
    for (int direction = 0; direction <= directions; ++direction) {
        const double angle = std::numbers::pi / 2 * direction / directions;
        weights.push_back({direction == 0 ? 0 : std::sin(angle) / network,
                           direction == directions ? 0 : std::cos(angle) / simulator});
        figures.push_back(field.figures(weights.back()));
    }
    const std::size_t chosen = choose_direction(figures);
    const BlendWeights direction = weights[chosen];
    const double of_network = direction.network * network;
    BlendFit fit{.weights = {},
                 .network_share = of_network / (of_network + direction.simulator * simulator),
                 .network_in_order = figures.back().mean_in_order(),
                 .simulator_in_order = figures.front().mean_in_order(),
                 .in_order = figures[chosen].mean_in_order()};
    const double length = best_length(field.pairs(), direction);
    if (length >= shortest) {
        fit.weights = {direction.network * length, direction.simulator * length};
    } else {
        fit.network_share = 0;
        fit.in_order = fit.simulator_in_order;
    }
    return fit;
}

} // namespace sparsight

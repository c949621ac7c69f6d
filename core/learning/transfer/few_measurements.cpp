#include "learning/transfer/few_measurements.h"

#include "base/random.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace sparsight {

std::string_view name(MeasuringRule rule) {
    switch (rule) {
    case MeasuringRule::Corrected:
        return "corrected";
    case MeasuringRule::Sources:
        return "sources";
    case MeasuringRule::Scratch:
        return "scratch";
    case MeasuringRule::Random:
        return "random";
    case MeasuringRule::Plain:
        return "plain";
    }
    return "";
}

bool is_drawn(MeasuringRule rule) {
    return rule == MeasuringRule::Scratch || rule == MeasuringRule::Plain;
}

Result<std::vector<std::size_t>> order_on_prior(CopiedPrior prior, const TimedColumn& truth,
                                                std::vector<std::size_t> first, std::size_t most,
                                                const std::stop_token& stop) {
    CorrectedCopy copy(std::move(prior));
    first.resize(std::min(first.size(), most));
    for (const std::size_t configuration : first)
        copy.measured(configuration, truth.milliseconds[configuration]);
    std::vector<std::size_t> order = std::move(first);
    while (order.size() < most) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped");
        const auto next = copy.next();
        if (!next)
            break;
        order.push_back(*next);
        copy.measured(*next, truth.milliseconds[*next]);
    }
    return order;
}

double regret_of_random_search(const TimedColumn& column, std::size_t count) {
    std::vector<double> regrets;
    for (std::size_t i = 0; i < column.milliseconds.size(); ++i)
        if (column.was_tried(i))
            regrets.push_back(column.regret(i));
    std::ranges::sort(regrets);
    const std::size_t all = regrets.size();
    count = std::min(count, all);
    // The fastest drawn is the i-th of all with the probability C(all − 1 − i, count − 1) / C(all, count).
    double probability = static_cast<double>(count) / static_cast<double>(all);
    double mean = 0;
    for (std::size_t i = 0; i + count <= all; ++i) {
        mean += probability * regrets[i];
        if (i + count < all)
            probability *= static_cast<double>(all - i - count) / static_cast<double>(all - i - 1);
    }
    return mean;
}

namespace {

std::vector<std::size_t> tried_on(const TimedColumn& column) {
    std::vector<std::size_t> tried;
    for (std::size_t i = 0; i < column.milliseconds.size(); ++i)
        if (column.was_tried(i))
            tried.push_back(i);
    return tried;
}

/// In the order in which they are measured.
using Order = std::vector<std::size_t>;

constexpr std::size_t random_first = 5;

/// What a search measures that knows nothing yet.
Order random_start(const TimedColumn& column, std::uint64_t seed) {
    Order order = tried_on(column);
    Random random(seed);
    random.shuffle(order);
    order.resize(std::min(order.size(), random_first));
    return order;
}

Order order_by_sources(const TransferTarget& target, const KnownSheets& sheets, std::size_t most) {
    std::vector<std::pair<double, std::size_t>> nearest;
    for (const std::size_t source : target.sources)
        nearest.emplace_back(sheets.distance(target.space.columns[source].machine, target.truth().machine),
                             source);
    std::ranges::sort(nearest);
    std::vector<Order> lists;
    for (const auto& [distance, source] : nearest) {
        const auto& milliseconds = target.space.columns[source].milliseconds;
        Order list;
        for (const std::size_t i : tried_on(target.truth()))
            if (std::isfinite(milliseconds[i]))
                list.push_back(i);
        std::ranges::stable_sort(list, {}, [&](std::size_t i) { return milliseconds[i]; });
        lists.push_back(std::move(list));
    }
    Order order;
    std::vector<bool> is_taken(target.space.configurations.size(), false);
    std::vector<std::size_t> next(lists.size(), 0);
    for (bool is_any_left = true; is_any_left && order.size() < most;) {
        is_any_left = false;
        for (std::size_t source = 0; source < lists.size() && order.size() < most; ++source) {
            std::size_t& at = next[source];
            while (at < lists[source].size() && is_taken[lists[source][at]])
                ++at;
            if (at == lists[source].size())
                continue;
            is_any_left = true;
            is_taken[lists[source][at]] = true;
            order.push_back(lists[source][at]);
        }
    }
    return order;
}

TreeRows rows_of(std::span<const float> numbers, std::size_t width, std::span<const std::size_t> places) {
    TreeRows rows{width, {}, {}, {}};
    for (const std::size_t place : places) {
        const auto row = numbers.subspan(place * width, width);
        rows.numbers.insert(rows.numbers.end(), row.begin(), row.end());
    }
    return rows;
}

/// A fifth at random, the rest in four rounds of the best by trees over what was measured so far.
Result<Order> order_from_scratch(const TransferTarget& target, std::size_t most,
                                 const MeasuringOptions& options, const std::stop_token& stop) {
    const std::vector<float> numbers = target.space.decision_numbers();
    const std::size_t width = target.space.values.size();
    Order left = tried_on(target.truth());
    most = std::min(most, left.size());
    Random random(options.seed);
    random.shuffle(left);
    const std::size_t first = std::max<std::size_t>(most / 5, std::min<std::size_t>(most, 2));
    const auto first_end = left.begin() + static_cast<std::ptrdiff_t>(first);
    Order order(left.begin(), first_end);
    left.erase(left.begin(), first_end);
    const std::size_t in_a_round = std::max<std::size_t>((most - order.size() + 3) / 4, 1);
    while (order.size() < most) {
        TreeRows learned = rows_of(numbers, width, order);
        for (const std::size_t i : order)
            learned.milliseconds.push_back(target.truth().milliseconds[i]);
        const auto trees = RowTrees::train(std::span(&learned, 1), options.trees, stop);
        if (!trees)
            return std::unexpected(trees.error());
        const int every_round = 0;
        const auto scores = trees->scores(rows_of(numbers, width, left), std::span(&every_round, 1));
        if (!scores)
            return std::unexpected(scores.error());
        std::vector<std::size_t> places(left.size());
        std::iota(places.begin(), places.end(), std::size_t{0});
        std::ranges::stable_sort(places, {}, [&](std::size_t place) { return scores->front()[place]; });
        places.resize(std::min(in_a_round, most - order.size()));
        for (const std::size_t place : places)
            order.push_back(left[place]);
        std::ranges::sort(places, std::greater{});
        for (const std::size_t place : places)
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(place));
    }
    return order;
}

double best_regret(const TimedColumn& column, std::span<const std::size_t> measured) {
    double best = std::numeric_limits<double>::infinity();
    for (const std::size_t i : measured)
        best = std::min(best, column.regret(i));
    return best;
}

std::vector<double> regrets_along(const TimedColumn& column, const Order& order,
                                  std::span<const std::size_t> counts) {
    std::vector<double> regrets;
    for (const std::size_t count : counts)
        regrets.push_back(best_regret(column, std::span(order).first(std::min(count, order.size()))));
    return regrets;
}

} // namespace

Result<std::vector<std::size_t>> measuring_order(const TransferTarget& target, MeasuringRule rule,
                                                 const KnownSheets& sheets, std::size_t most,
                                                 const MeasuringOptions& options,
                                                 const std::stop_token& stop) {
    const TimedColumn& truth = target.truth();
    switch (rule) {
    case MeasuringRule::Corrected:
        return order_on_prior(copied_prior(target, sheets), truth, {}, most, stop);
    case MeasuringRule::Plain:
        return order_on_prior(plain_prior(target), truth, random_start(truth, options.seed), most, stop);
    case MeasuringRule::Sources:
        return order_by_sources(target, sheets, most);
    case MeasuringRule::Scratch:
        return order_from_scratch(target, most, options, stop);
    case MeasuringRule::Random:
        break;
    }
    return fail(Fault::Internal, "random search has no order");
}

Result<std::vector<double>> regrets_by_measuring(const TransferTarget& target, MeasuringRule rule,
                                                 const KnownSheets& sheets,
                                                 std::span<const std::size_t> counts,
                                                 const MeasuringOptions& options,
                                                 const std::stop_token& stop) {
    const TimedColumn& column = target.truth();
    std::vector<double> regrets;
    if (rule == MeasuringRule::Random) {
        for (const std::size_t count : counts)
            regrets.push_back(regret_of_random_search(column, count));
        return regrets;
    }
    if (rule != MeasuringRule::Scratch) {
        const auto order = measuring_order(target, rule, sheets, counts.back(), options, stop);
        if (!order)
            return std::unexpected(order.error());
        return regrets_along(column, *order, counts);
    }
    // Its rounds depend on how many are measured in all.
    for (const std::size_t count : counts) {
        const auto order = measuring_order(target, rule, sheets, count, options, stop);
        if (!order)
            return std::unexpected(order.error());
        regrets.push_back(best_regret(column, *order));
    }
    return regrets;
}

} // namespace sparsight

#include "evaluation/diagnosis/shapley.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace sparsight {

namespace {

EntryOrder identity(std::size_t players) {
    EntryOrder order(players);
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    return order;
}

Coalition with(Coalition coalition, std::size_t player) {
    return coalition | Coalition{1} << player;
}

bool has(Coalition coalition, std::size_t player) {
    return (coalition >> player & 1U) != 0;
}

/// For each coalition, the number of orders in which nobody becomes it without passing an unknown one.
std::vector<double> orders_into(std::size_t players, const std::vector<bool>& is_known) {
    std::vector<double> orders(is_known.size());
    orders[0] = 1;
    for (Coalition coalition = 0; coalition < is_known.size(); ++coalition)
        for (std::size_t player = 0; is_known[coalition] && player < players; ++player)
            if (!has(coalition, player) && is_known[with(coalition, player)])
                orders[with(coalition, player)] += orders[coalition];
    return orders;
}

/// … and in which it becomes everybody.
std::vector<double> orders_out_of(std::size_t players, const std::vector<bool>& is_known) {
    std::vector<double> orders(is_known.size());
    orders.back() = 1;
    for (Coalition next = static_cast<Coalition>(is_known.size()); next-- > 0;)
        for (std::size_t player = 0; is_known[next] && player < players; ++player)
            if (!has(next, player) && is_known[with(next, player)])
                orders[next] += orders[with(next, player)];
    return orders;
}

double factorial(std::size_t n) {
    return n < 2 ? 1 : static_cast<double>(n) * factorial(n - 1);
}

/// All of them where they are few, otherwise so many that it makes no difference.
std::vector<EntryOrder> many_orders(std::size_t players) {
    constexpr std::size_t most_players_listed = 8;
    constexpr std::size_t drawn_pairs = 10'000;
    if (players > most_players_listed) {
        Random random(1);
        return draw_orders(players, drawn_pairs, random);
    }
    std::vector<EntryOrder> orders;
    EntryOrder order = identity(players);
    do
        orders.push_back(order);
    while (std::ranges::next_permutation(order).found);
    return orders;
}

std::vector<std::size_t> places_of(const EntryOrder& order, const CoalitionList& listed) {
    std::vector<std::size_t> places;
    for (const Coalition each : coalitions_of(order))
        places.push_back(*listed.place(each));
    return places;
}

bool can_be_walked(const EntryOrder& order, const std::vector<bool>& is_known, const CoalitionList& listed) {
    return std::ranges::all_of(places_of(order, listed), [&](std::size_t each) { return is_known[each]; });
}

/// Passing over what is unknown.
void walk(const EntryOrder& order, const std::vector<bool>& is_known, const CoalitionList& listed,
          std::uint32_t sample, std::vector<MarginalStep>& steps) {
    const std::vector<std::size_t> places = places_of(order, listed);
    std::size_t last_known = places.front();
    for (std::size_t entered = 0; entered < order.size(); ++entered) {
        const std::size_t here = places[entered + 1];
        if (!is_known[here])
            continue;
        steps.push_back({last_known, here, order[entered], sample, 1});
        last_known = here;
    }
}

} // namespace

CoalitionList CoalitionList::all(std::size_t players) {
    CoalitionList list;
    list.coalitions_.resize(std::size_t{1} << players);
    std::iota(list.coalitions_.begin(), list.coalitions_.end(), Coalition{0});
    return list;
}

CoalitionList CoalitionList::on(std::span<const EntryOrder> orders) {
    CoalitionList list;
    for (const EntryOrder& order : orders)
        std::ranges::copy(coalitions_of(order), std::back_inserter(list.coalitions_));
    std::ranges::sort(list.coalitions_);
    const auto repeated = std::ranges::unique(list.coalitions_);
    list.coalitions_.erase(repeated.begin(), repeated.end());
    return list;
}

std::optional<std::size_t> CoalitionList::place(Coalition coalition) const {
    if (coalition < coalitions_.size() && coalitions_[coalition] == coalition) // all are listed
        return coalition;
    const auto found = std::ranges::lower_bound(coalitions_, coalition);
    if (found == coalitions_.end() || *found != coalition)
        return std::nullopt;
    return static_cast<std::size_t>(found - coalitions_.begin());
}

std::vector<Coalition> coalitions_of(std::span<const std::uint16_t> order) {
    std::vector<Coalition> coalitions{0};
    for (const std::uint16_t player : order)
        coalitions.push_back(with(coalitions.back(), player));
    return coalitions;
}

std::vector<EntryOrder> draw_orders(std::size_t players, std::size_t pairs, Random& random) {
    std::vector<EntryOrder> orders;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        EntryOrder order = identity(players);
        random.shuffle(order);
        orders.push_back(order);
        std::ranges::reverse(order);
        orders.push_back(std::move(order));
    }
    return orders;
}

ShapleyShares ShapleyShares::exact(std::size_t players, const std::vector<bool>& is_known) {
    const std::vector<double> into = orders_into(players, is_known);
    const std::vector<double> out_of = orders_out_of(players, is_known);
    const double all = out_of.front();
    if (all == 0) {
        const std::vector<EntryOrder> orders = many_orders(players);
        ShapleyShares shares =
            of_orders(players, orders, orders.size(), is_known, CoalitionList::all(players));
        shares.samples_ = 0;
        return shares;
    }
    ShapleyShares shares(players, is_known.size());
    shares.walked_ = all / factorial(players);
    for (Coalition before = 0; before < is_known.size(); ++before)
        for (std::uint16_t player = 0; is_known[before] && player < players; ++player)
            if (const Coalition after = with(before, player); !has(before, player) && is_known[after])
                if (const double weight = into[before] * out_of[after] / all; weight > 0)
                    shares.steps_.push_back({before, after, player, 0, weight});
    return shares;
}

ShapleyShares ShapleyShares::of_orders(std::size_t players, std::span<const EntryOrder> orders,
                                       std::size_t per_sample, const std::vector<bool>& is_known,
                                       const CoalitionList& listed) {
    ShapleyShares shares(players, listed.size());
    const auto walkable = std::ranges::count_if(
        orders, [&](const EntryOrder& order) { return can_be_walked(order, is_known, listed); });
    shares.walked_ = static_cast<double>(walkable) / static_cast<double>(orders.size());
    // A draw is kept whole where it can be, so that its orders stay each other's counterpart.
    for (std::size_t begin = 0; begin < orders.size(); begin += per_sample) {
        const auto draw = orders.subspan(begin, std::min(per_sample, orders.size() - begin));
        const std::size_t first = shares.steps_.size();
        double walked = 0;
        for (const EntryOrder& order : draw) {
            if (walkable > 0 && !can_be_walked(order, is_known, listed))
                continue;
            walk(order, is_known, listed, static_cast<std::uint32_t>(shares.samples_), shares.steps_);
            walked += 1;
        }
        for (std::size_t step = first; step < shares.steps_.size(); ++step)
            shares.steps_[step].weight = 1 / walked;
        shares.samples_ += walked > 0 ? 1 : 0;
    }
    for (MarginalStep& step : shares.steps_)
        step.weight /= static_cast<double>(shares.samples_);
    return shares;
}

std::vector<double> ShapleyShares::of(std::span<const double> values) const {
    std::vector<double> shares(players_);
    for (const MarginalStep& step : steps_)
        shares[step.player] += step.weight * (values[step.after] - values[step.before]);
    return shares;
}

std::vector<double> ShapleyShares::standard_errors(std::span<const double> values) const {
    std::vector<double> errors(players_);
    if (samples_ == 0)
        return errors;
    const auto count = static_cast<double>(samples_);
    const std::vector<double> means = of(values);
    std::vector<double> draws(players_ * samples_);
    for (const MarginalStep& step : steps_)
        draws[step.player * samples_ + step.sample] +=
            step.weight * count * (values[step.after] - values[step.before]);
    for (std::size_t player = 0; player < players_; ++player) {
        double squares = 0;
        for (std::size_t sample = 0; sample < samples_; ++sample)
            squares += std::pow(draws[player * samples_ + sample] - means[player], 2);
        errors[player] =
            samples_ < 2 ? std::numeric_limits<double>::infinity() : std::sqrt(squares / (count - 1) / count);
    }
    return errors;
}

std::vector<std::vector<double>> ShapleyShares::weights() const {
    std::vector<std::vector<double>> weights(players_, std::vector<double>(coalitions_));
    for (const MarginalStep& step : steps_) {
        weights[step.player][step.before] -= step.weight;
        weights[step.player][step.after] += step.weight;
    }
    return weights;
}

std::vector<bool> ShapleyShares::touches(const std::vector<bool>& coalitions) const {
    std::vector<bool> result(players_);
    for (const MarginalStep& step : steps_)
        if (coalitions[step.before] || coalitions[step.after])
            result[step.player] = true;
    return result;
}

} // namespace sparsight

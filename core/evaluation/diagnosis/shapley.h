// The difference that players make together, shared fairly among them.
//
// A game gives every set of players (a coalition) a value. Players who enter one after the other each change
// it; the mean change over all orders in which they may enter is a player's share, the only one that adds up
// to the whole, treats equals alike, gives nothing to who changes nothing, and is linear (Shapley, "A value
// for n-person games", 1953). Here players are decisions and values are times, some of which cannot be had.
#pragma once

#include "base/random.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// Bit p: player p is in it.
using Coalition = std::uint64_t;
/// All players in the order in which they enter.
using EntryOrder = std::vector<std::uint16_t>;

/// The coalitions whose values are needed, each at a place: the empty coalition first, the full coalition
/// last. With many players, only the coalitions of drawn orders are listed.
class CoalitionList {
public:
    CoalitionList() = default;
    [[nodiscard]] static CoalitionList all(std::size_t players);
    [[nodiscard]] static CoalitionList on(std::span<const EntryOrder> orders);

    [[nodiscard]] std::size_t size() const { return coalitions_.size(); }
    [[nodiscard]] Coalition at(std::size_t place) const { return coalitions_[place]; }
    [[nodiscard]] std::optional<std::size_t> place(Coalition coalition) const;

private:
    std::vector<Coalition> coalitions_; ///< ascending
};

/// One step of an order: a player enters a coalition, and the value changes.
struct MarginalStep {
    std::size_t before = 0; ///< place of the coalition before the step
    std::size_t after = 0;
    std::uint16_t player = 0; ///< the player who enters
    std::uint32_t sample = 0; ///< the draw that the step belongs to; 0 where nothing was drawn
    double weight = 0;
};

/// The weight of each step in each player's share. The same weights serve any values: milliseconds, their
/// logarithms, each part of a simulated time, and their uncertainties.
class ShapleyShares {
public:
    /// By the orders that pass only through coalitions whose value is known (`is_known` has one entry for
    /// each of the 2^players coalitions; nobody and everybody are known). All of them alike: where everything
    /// is known that is Shapley's value, otherwise that of the orders which can be walked, as for games in
    /// which not every coalition can form (Faigle and Kern, 1992). Every order adds up, so their mean does.
    ///
    /// Where no order can be walked, a change into an unknown coalition is left out, and the player after
    /// whom the value is known again gets the change since it was known last (walked() is then 0).
    [[nodiscard]] static ShapleyShares exact(std::size_t players, const std::vector<bool>& is_known);

    /// By these orders alone, each of all players: their mean estimates Shapley's value without bias (Castro,
    /// Gómez and Tejada, "Polynomial calculation of the Shapley value based on sampling", 2009). Consecutive
    /// orders of `per_sample` are one draw of the estimate. Orders that pass through an unknown coalition are
    /// left out, unless all do. `listed` holds all that they pass through, and `is_known` has its places.
    [[nodiscard]] static ShapleyShares of_orders(std::size_t players, std::span<const EntryOrder> orders,
                                                 std::size_t per_sample, const std::vector<bool>& is_known,
                                                 const CoalitionList& listed);

    [[nodiscard]] std::size_t players() const { return players_; }
    [[nodiscard]] std::span<const MarginalStep> steps() const { return steps_; }
    [[nodiscard]] std::size_t samples() const { return samples_; } ///< 0: all orders count, none was drawn
    /// The share of the orders that avoid unknown coalitions.
    [[nodiscard]] double walked() const { return walked_; }

    /// `values`, and all other lists by coalition, have the places of `is_known`.

    /// One share for each player. They add up to the difference between the values of the full and the empty
    /// coalition. Values of unknown coalitions are not read.
    [[nodiscard]] std::vector<double> of(std::span<const double> values) const;
    /// The standard error of each share, since only some orders were drawn; 0 where nothing was drawn,
    /// infinite after a single draw.
    [[nodiscard]] std::vector<double> standard_errors(std::span<const double> values) const;
    /// A share is a weighted sum of values: the weights, by player and place. Where two places have the same
    /// value (here: two configurations that are one program), their weights add up and their errors are one.
    [[nodiscard]] std::vector<std::vector<double>> weights() const;
    /// Whether any step of the player begins or ends at one of these coalitions.
    [[nodiscard]] std::vector<bool> touches(const std::vector<bool>& coalitions) const;

private:
    ShapleyShares(std::size_t players, std::size_t coalitions)
        : players_(players)
        , coalitions_(coalitions) {}

    std::size_t players_ = 0;
    std::size_t coalitions_ = 0;
    std::size_t samples_ = 0;
    double walked_ = 1;
    std::vector<MarginalStep> steps_;
};

/// Random orders of players, each followed by its reverse: a player that one order overrates by entering
/// early is underrated by the other (antithetic samples: Mitchell et al., "Sampling permutations for Shapley
/// value estimation", JMLR 2022).
[[nodiscard]] std::vector<EntryOrder> draw_orders(std::size_t players, std::size_t pairs, Random& random);
inline constexpr std::size_t orders_per_draw = 2;

/// The coalitions of an order, from the empty one to the full one.
[[nodiscard]] std::vector<Coalition> coalitions_of(std::span<const std::uint16_t> order);

} // namespace sparsight

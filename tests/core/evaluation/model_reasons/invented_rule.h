// Models whose rule is known: what explains them has to find just that rule.
#pragma once

#include "evaluation/model_reasons/anchor_search.h"

#include <functional>
#include <vector>

namespace sparsight::testing {

/// Independent properties of a case, each of which a change keeps with its own probability; the invented
/// model chooses by them.
class InventedSpace final : public AnchorSpace {
public:
    using Choice = std::function<bool(const std::vector<bool>& holds, Random& random)>;

    InventedSpace(std::vector<double> kept_shares, Choice choice)
        : shares_(std::move(kept_shares))
        , choice_(std::move(choice)) {}

    [[nodiscard]] std::size_t predicates() const override { return shares_.size(); }
    [[nodiscard]] Result<std::vector<AnchorDraw>> draw(std::span<const std::size_t> kept, std::size_t count,
                                                       Random& random) override {
        asked += count;
        std::vector<AnchorDraw> draws(count);
        for (AnchorDraw& each : draws) {
            for (const double share : shares_)
                each.holds.push_back(random.chance(share));
            for (const std::size_t place : kept)
                each.holds[place] = true;
            each.is_same_choice = choice_(each.holds, random);
        }
        return draws;
    }

    std::size_t asked = 0;

private:
    std::vector<double> shares_;
    Choice choice_;
};

/// Chooses the same where all of these properties are there, and otherwise by chance one time in `of`.
[[nodiscard]] inline InventedSpace::Choice rule_of(std::vector<std::size_t> places, int of) {
    return [places = std::move(places), of](const std::vector<bool>& holds, Random& random) {
        for (const std::size_t place : places)
            if (!holds[place])
                return random.below(static_cast<std::uint64_t>(of)) == 0;
        return true;
    };
}

} // namespace sparsight::testing

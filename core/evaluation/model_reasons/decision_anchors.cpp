#include "evaluation/model_reasons/decision_anchors.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace sparsight {

DecisionSet drawn_decisions(const HybridSpace& space, Random& random,
                            const std::function<bool(DecisionSet)>& fits,
                            const std::function<DecisionSet(DecisionSet)>& broken) {
    auto taken = static_cast<DecisionSet>(random.below(space.size()));
    if (fits(taken))
        return taken;
    taken &= ~broken(taken);
    for (std::size_t bit = 0; !fits(taken); ++bit)
        taken &= ~(DecisionSet{1} << bit);
    return taken;
}

namespace {

std::optional<double> number_of(const std::string& text) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end && std::isfinite(number) ? std::optional(number)
                                                                        : std::nullopt;
}

const DecisionValue* find_decision(const std::vector<DecisionValue>& decisions, const std::string& key) {
    const auto found = std::ranges::find(decisions, key, &DecisionValue::key);
    return found == decisions.end() ? nullptr : &*found;
}

} // namespace

ConfigurationVariants::ConfigurationVariants(const DecisionComparison& comparison, ReasonSubject subject)
    : codec_(comparison.codec)
    , subject_(subject)
    , configuration_(subject == ReasonSubject::Configuration ? comparison.configuration
                                                             : comparison.against) {
    const std::vector<DecisionValue> own = codec_.decisions(configuration_);
    // The values of each decision over all variants; an empty text: it is not made.
    std::map<std::string, std::set<std::string>> values;
    for (const DecisionValue& decision : own)
        values[decision.key].insert(decision.value);
    for (const Configuration& other : comparison.others) {
        if (other == configuration_)
            continue;
        auto hybrids = comparison.space.between(configuration_, other);
        if (!hybrids || (*hybrids)->decisions().empty())
            continue;
        hybrids_.push_back(*std::move(hybrids));
        const auto decisions = codec_.decisions(other);
        for (auto& [key, seen] : values) {
            const DecisionValue* const found = find_decision(decisions, key);
            seen.insert(found == nullptr ? std::string() : found->value);
        }
    }
    for (const DecisionValue& decision : own) {
        const std::set<std::string>& seen = values.at(decision.key);
        if (seen.size() < 2)
            continue; // it is the same in all variants
        ReasonPredicate predicate{.subject = subject_,
                                  .key = decision.key,
                                  .title = decision.name,
                                  .relation = PredicateRelation::Is,
                                  .value = decision.value,
                                  .number = number_of(decision.value)};
        predicates_.push_back(predicate);
        const auto is_seen = [&](const auto& is_on_side) {
            return std::ranges::any_of(seen, [&](const std::string& text) {
                const auto number = number_of(text);
                return number && is_on_side(*number);
            });
        };
        // At most the greatest number is any number, and at least the greatest is just that.
        if (!predicate.number || !is_seen([&](double number) { return number < *predicate.number; }) ||
            !is_seen([&](double number) { return number > *predicate.number; }))
            continue;
        for (const PredicateRelation relation : {PredicateRelation::AtLeast, PredicateRelation::AtMost}) {
            predicate.relation = relation;
            predicates_.push_back(predicate);
        }
    }
}

bool ConfigurationVariants::holds(std::size_t place, const std::vector<DecisionValue>& decisions) const {
    const ReasonPredicate& predicate = predicates_[place];
    const DecisionValue* const found = find_decision(decisions, predicate.key);
    if (found == nullptr)
        return false;
    if (predicate.relation == PredicateRelation::Is)
        return found->value == predicate.value;
    const auto number = number_of(found->value);
    return number && sparsight::holds(predicate.relation, *number, *predicate.number);
}

ConfigurationVariants::Variant ConfigurationVariants::draw(std::span<const std::size_t> kept,
                                                           Random& random) const {
    if (hybrids_.empty())
        return {configuration_, codec_.decisions(configuration_)};
    const HybridSpace& space = *random.pick(std::span(hybrids_));
    Variant drawn;
    const auto fits = [&](DecisionSet taken) {
        drawn.configuration = space.at(taken).configuration;
        drawn.decisions = codec_.decisions(drawn.configuration);
        return std::ranges::all_of(kept, [&](std::size_t place) { return holds(place, drawn.decisions); });
    };
    const auto broken = [&](DecisionSet) { // of what was drawn last
        DecisionSet found = 0;
        for (const std::size_t place : kept)
            for (std::size_t bit = 0; bit < space.decisions().size(); ++bit)
                if (space.decisions()[bit].key == predicates_[place].key && !holds(place, drawn.decisions))
                    found |= DecisionSet{1} << bit;
        return found;
    };
    static_cast<void>(drawn_decisions(space, random, fits, broken));
    return drawn; // what fitted was drawn last
}

DecisionAnchorSpace::DecisionAnchorSpace(DecisionComparison comparison)
    : comparison_(std::move(comparison))
    , chosen_(comparison_, ReasonSubject::Configuration)
    , against_(comparison_, ReasonSubject::Against) {}

Result<std::unique_ptr<DecisionAnchorSpace>> DecisionAnchorSpace::make(DecisionComparison comparison) {
    std::unique_ptr<DecisionAnchorSpace> space(new DecisionAnchorSpace(std::move(comparison)));
    const std::vector<Configuration> pair{space->comparison_.configuration, space->comparison_.against};
    const auto margins = space->margins(pair);
    if (!margins)
        return std::unexpected(margins.error());
    space->margin_ = margins->front();
    if (space->margin_ == 0)
        return fail(Fault::Input, "the model scores both alike: there is no preference to explain");
    return space;
}

Result<std::vector<double>> DecisionAnchorSpace::margins(std::span<const Configuration> pairs) const {
    const auto scores = comparison_.scores(pairs);
    if (!scores)
        return std::unexpected(scores.error());
    std::vector<double> margins;
    for (std::size_t place = 0; place + 1 < scores->size(); place += 2)
        margins.push_back((*scores)[place + 1] - (*scores)[place]);
    return margins;
}

Result<std::vector<AnchorDraw>> DecisionAnchorSpace::draw(std::span<const std::size_t> kept,
                                                          std::size_t count, Random& random) {
    const std::size_t first = chosen_.predicates().size();
    std::vector<std::size_t> of_chosen;
    std::vector<std::size_t> of_against;
    for (const std::size_t place : kept)
        if (place < first)
            of_chosen.push_back(place);
        else
            of_against.push_back(place - first);
    std::vector<AnchorDraw> draws(count);
    std::vector<Configuration> pairs; // each configuration, and behind it the other one
    for (AnchorDraw& draw : draws) {
        const auto chosen = chosen_.draw(of_chosen, random);
        const auto against = against_.draw(of_against, random);
        for (std::size_t place = 0; place < first; ++place)
            draw.holds.push_back(chosen_.holds(place, chosen.decisions));
        for (std::size_t place = 0; place < against_.predicates().size(); ++place)
            draw.holds.push_back(against_.holds(place, against.decisions));
        pairs.push_back(chosen.configuration);
        pairs.push_back(against.configuration);
    }
    const auto found = margins(pairs);
    if (!found)
        return std::unexpected(found.error());
    for (std::size_t place = 0; place < count; ++place)
        draws[place].is_same_choice = (*found)[place] * margin_ > 0;
    return draws;
}

} // namespace sparsight

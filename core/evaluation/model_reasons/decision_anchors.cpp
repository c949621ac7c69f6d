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

constexpr std::size_t most_changed = HybridSpace::most_decisions;

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

Result<ConfigurationVariants> ConfigurationVariants::make(const DecisionComparison& comparison,
                                                          ReasonSubject subject) {
    const Configuration& own =
        subject == ReasonSubject::Configuration ? comparison.configuration : comparison.against;
    std::vector<std::shared_ptr<const HybridSpace>> all;
    for (const Configuration& other : comparison.others) {
        if (other == own)
            continue;
        auto hybrids = comparison.space.between(own, other);
        if (!hybrids && hybrids.error().fault != Fault::Limit)
            return std::unexpected(std::move(hybrids).error());
        if (hybrids && !(*hybrids)->decisions().empty())
            all.push_back(*std::move(hybrids));
    }
    return ConfigurationVariants(comparison.codec, subject, own, std::move(all));
}

ConfigurationVariants::ConfigurationVariants(const ConfigurationCodec& codec, ReasonSubject subject,
                                             Configuration configuration,
                                             std::vector<std::shared_ptr<const HybridSpace>> hybrids)
    : codec_(codec)
    , subject_(subject)
    , configuration_(std::move(configuration))
    , hybrids_(std::move(hybrids)) {
    const std::vector<DecisionValue> own = codec_.decisions(configuration_);
    // The values of each decision over all variants; an empty text: it is not made.
    std::map<std::string, std::set<std::string>> values;
    for (const DecisionValue& decision : own)
        values[decision.key].insert(decision.value);
    for (const auto& each : hybrids_) {
        const auto decisions = codec_.decisions(each->to());
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

DecisionAnchorSpace::DecisionAnchorSpace(DecisionComparison comparison, ConfigurationVariants chosen,
                                         ConfigurationVariants against)
    : comparison_(std::move(comparison))
    , chosen_(std::move(chosen))
    , against_(std::move(against)) {}

Result<std::unique_ptr<DecisionAnchorSpace>> DecisionAnchorSpace::make(DecisionComparison comparison) {
    auto chosen = ConfigurationVariants::make(comparison, ReasonSubject::Configuration);
    if (!chosen)
        return std::unexpected(std::move(chosen).error());
    auto against = ConfigurationVariants::make(comparison, ReasonSubject::Against);
    if (!against)
        return std::unexpected(std::move(against).error());
    std::unique_ptr<DecisionAnchorSpace> space(
        new DecisionAnchorSpace(std::move(comparison), *std::move(chosen), *std::move(against)));
    const std::vector<Configuration> pair{space->comparison_.configuration, space->comparison_.against};
    const auto margins = space->margins(pair);
    if (!margins)
        return std::unexpected(margins.error());
    space->margin_ = margins->front();
    return space;
}

std::string DecisionAnchorSpace::missing() const {
    if (margin_ == 0)
        return "the model scores both alike: there is no preference to explain";
    if (chosen_.hybrids().empty() && against_.hybrids().empty())
        return fmt::format("no other configuration differs in {} decisions or fewer", most_changed);
    return {};
}

std::string DecisionAnchorSpace::unchanged() const {
    if (chosen_.hybrids().empty() == against_.hybrids().empty())
        return {};
    const Configuration& fixed = chosen_.hybrids().empty() ? comparison_.configuration : comparison_.against;
    return fmt::format("no variant changes {}: each other configuration differs from it in more than {} "
                       "decisions",
                       comparison_.codec.text(fixed, 1), most_changed);
}

std::size_t DecisionAnchorSpace::others() const {
    std::set<Configuration> all;
    for (const ConfigurationVariants* const variants : {&chosen_, &against_})
        for (const auto& hybrids : variants->hybrids())
            all.insert(hybrids->to());
    return all.size();
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

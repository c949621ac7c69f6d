#include "evaluation/diagnosis/hybrid_times.h"

#include "evaluation/diagnosis/paired_measurement.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <unordered_set>

namespace sparsight {

namespace {

DecisionSet with_other(DecisionSet hybrid, std::size_t bit) {
    return hybrid ^ DecisionSet { 1 } << bit;
}

} // namespace

Result<std::vector<Decision>> build_remedies(const HybridSpace& space, DecisionSet hybrid, Clock& clock) {
    std::vector<Decision> remedies;
    for (std::size_t bit = 0; bit < space.decisions().size(); ++bit) {
        const auto time = clock.time(space.at(with_other(hybrid, bit)).configuration);
        if (!time)
            return std::unexpected(time.error());
        if (time->milliseconds)
            remedies.push_back(space.decisions()[bit]);
    }
    return remedies;
}

Result<std::string> unbuildable_text(const HybridSpace& space, DecisionSet hybrid, const std::string& reason,
                                     Clock& clock) {
    const auto remedies = build_remedies(space, hybrid, clock);
    if (!remedies)
        return std::unexpected(remedies.error());
    std::vector<std::string> words;
    for (const Decision& decision : *remedies) {
        const auto bit = static_cast<std::size_t>(std::ranges::find(space.decisions(), decision) -
                                                  space.decisions().begin());
        words.push_back(fmt::format("{} {}", decision.name,
                                    space.value(bit, space.at(with_other(hybrid, bit)).configuration)));
    }
    return fmt::format("the {} '{}' has no time that could be shared out: {}{}{}", space.noun(),
                       space.text(space.at(hybrid).configuration), reason,
                       words.empty() ? "" : "; it would have one with ", fmt::join(words, ", or with "));
}

namespace {

constexpr double small_share = 0.05;
constexpr double known_share = 0.2;
constexpr double worth_repeating = 1.0 / 3;

double contribution(const ErrorBar& bar, std::size_t place, std::span<const double> times,
                    std::span<const double> spreads) {
    const double weight = bar.weights[place];
    const bool shortens = weight * bar.milliseconds > 0;
    return std::abs(weight) * (shortens ? shorter_by(times[place], spreads[place]) : spreads[place]);
}

} // namespace

double ErrorBar::error(std::span<const double> times, std::span<const double> spreads) const {
    double squares = 0;
    for (std::size_t place = 0; place < weights.size(); ++place)
        squares += std::pow(contribution(*this, place, times, spreads), 2);
    return std::sqrt(squares);
}

bool is_settled(const ErrorBar& bar, double error_ms, double difference_ms) {
    return error_ms <=
           std::max(small_share * std::abs(difference_ms), known_share * std::abs(bar.milliseconds));
}

std::vector<std::size_t> times_to_repeat(std::span<const ErrorBar> bars, std::span<const double> times,
                                         std::span<const double> spreads, double difference_ms) {
    std::vector<bool> is_wanted(times.size());
    for (const ErrorBar& bar : bars) {
        if (is_settled(bar, bar.error(times, spreads), difference_ms))
            continue;
        double worst = 0;
        for (std::size_t place = 0; place < times.size(); ++place)
            worst = std::max(worst, contribution(bar, place, times, spreads));
        for (std::size_t place = 0; place < times.size(); ++place)
            if (contribution(bar, place, times, spreads) >= worth_repeating * worst)
                is_wanted[place] = true;
    }
    std::vector<std::size_t> wanted;
    for (std::size_t place = 0; place < times.size(); ++place)
        if (is_wanted[place])
            wanted.push_back(place);
    return wanted;
}

namespace {

/// Of the budget, where times vary: the rest is that of repeats and of smaller changes.
constexpr double first_times_share = 0.5;

std::vector<EntryOrder> orders_for(std::size_t players, const BlameOptions& options) {
    Random random(options.seed);
    return draw_orders(players, std::max<std::size_t>(options.draws, 1), random);
}

} // namespace

HybridTimes::HybridTimes(const HybridSpace& space, Clock& clock, const BlameOptions& options)
    : space_(space)
    , clock_(clock)
    , options_(options)
    , start_(options.clock())
    , orders_(orders_for(space.decisions().size(), options))
    , sets_(space.decisions().size() <= most_listed_decisions ? CoalitionList::all(space.decisions().size())
                                                              : CoalitionList::on(orders_))
    , times_(sets_.size()) {
    for (std::size_t place = 0; place < sets_.size(); ++place) {
        hybrids_.push_back(space.at(sets_.at(place)));
        groups_.push_back(
            programs_.emplace(clock.program(hybrids_.back().configuration), programs_.size()).first->second);
    }
    can_repeat_.assign(programs_.size(), true);
}

Result<void> HybridTimes::ask(std::size_t place) {
    if (times_[place])
        return {};
    if (options_.stop.stop_requested())
        return fail(Fault::Cancelled, "stopped");
    auto time = clock_.time(hybrids_[place].configuration);
    if (!time)
        return std::unexpected(std::move(time.error()));
    times_[place] = std::move(*time);
    if (options_.progress)
        options_.progress({"comparing", ++done_, std::max(done_, total_)});
    return {};
}

Result<void> HybridTimes::time_ends() {
    for (const std::size_t end : {std::size_t{0}, last_place()}) {
        if (auto asked = ask(end); !asked)
            return asked;
        if (times_[end]->milliseconds)
            continue;
        auto text = unbuildable_text(space_, sets_.at(end), times_[end]->reason, clock_);
        return text ? fail(Fault::Limit, std::move(*text)) : std::unexpected(std::move(text.error()));
    }
    return {};
}

Result<void> HybridTimes::time_hybrids() {
    std::vector<std::size_t> queue;
    for (const EntryOrder& order : orders_)
        std::ranges::transform(coalitions_of(order), std::back_inserter(queue),
                               [this](Coalition each) { return place_of(each); });
    if (space_.decisions().size() <= std::min(options_.exact_up_to, most_listed_decisions))
        for (std::size_t place = 0; place < sets_.size(); ++place)
            queue.push_back(place);
    std::vector<Configuration> wanted;
    std::unordered_set<std::size_t> seen;
    std::erase_if(queue, [&](std::size_t place) { return !seen.insert(place).second; });
    std::ranges::transform(queue, std::back_inserter(wanted),
                           [&](std::size_t place) { return hybrids_[place].configuration; });
    total_ = queue.size();
    if (auto prepared = clock_.prepare(wanted, options_.stop); !prepared)
        return prepared;

    const std::vector<std::size_t> first_draw = places_of_first_draw();
    for (const std::size_t place : queue) {
        if (is_over(clock_.varies() ? first_times_share : 1) &&
            std::ranges::find(first_draw, place) == first_draw.end())
            break;
        if (auto asked = ask(place); !asked)
            return asked;
    }
    return {};
}

Result<void> HybridTimes::repeat(std::size_t group) {
    if (options_.stop.stop_requested())
        return fail(Fault::Cancelled, "stopped");
    const auto first = static_cast<std::size_t>(std::ranges::find(groups_, group) - groups_.begin());
    const auto repeated = clock_.measure_again(hybrids_[first].configuration);
    if (!repeated)
        return std::unexpected(repeated.error());
    can_repeat_[group] = repeated->has_value();
    repeated_ += repeated->has_value() ? 1 : 0;
    for (std::size_t place = first; place < hybrids_.size(); ++place) {
        if (groups_[place] != group || !times_[place])
            continue;
        auto time = clock_.time(hybrids_[place].configuration);
        if (!time)
            return std::unexpected(std::move(time.error()));
        times_[place] = std::move(*time);
    }
    return {};
}

std::vector<std::size_t> HybridTimes::places_of_first_draw() const {
    std::vector<std::size_t> places;
    for (std::size_t order = 0; order < orders_per_draw; ++order)
        std::ranges::transform(coalitions_of(orders_[order]), std::back_inserter(places),
                               [this](Coalition each) { return place_of(each); });
    return places;
}

bool HybridTimes::is_complete() const {
    return sets_.size() == space_.size() &&
           std::ranges::all_of(times_, [](const auto& time) { return time.has_value(); });
}

std::vector<bool> HybridTimes::has_time() const {
    std::vector<bool> known;
    std::ranges::transform(times_, std::back_inserter(known),
                           [](const auto& time) { return time && time->milliseconds; });
    return known;
}

std::vector<EntryOrder> HybridTimes::complete_draws() const {
    std::vector<EntryOrder> complete;
    for (std::size_t begin = 0; begin < orders_.size(); begin += orders_per_draw) {
        const auto draw = std::span(orders_).subspan(begin, orders_per_draw);
        const bool is_known = std::ranges::all_of(draw, [&](const auto& order) {
            return std::ranges::all_of(coalitions_of(order),
                                       [&](Coalition each) { return times_[place_of(each)].has_value(); });
        });
        if (is_known)
            complete.insert(complete.end(), draw.begin(), draw.end());
    }
    return complete;
}

std::vector<double> HybridTimes::milliseconds() const {
    return values([](const ClockTime& time) { return *time.milliseconds; });
}

std::vector<double> HybridTimes::of_groups(const std::vector<double>& of_hybrids) const {
    std::vector<double> result(programs_.size());
    for (std::size_t place = 0; place < hybrids_.size(); ++place)
        if (times_[place] && times_[place]->milliseconds)
            result[groups_[place]] = of_hybrids[place];
    return result;
}

std::vector<double> HybridTimes::milliseconds_of_groups() const {
    return of_groups(milliseconds());
}

std::vector<double> HybridTimes::spreads_of_groups() const {
    return of_groups(values([](const ClockTime& time) { return time.spread_ms; }));
}

HybridCounts HybridTimes::counts() const {
    HybridCounts counts{.all = space_.size(), .repeated = repeated_};
    std::unordered_set<Configuration> different;
    std::unordered_set<std::size_t> programs;
    for (std::size_t place = 0; place < hybrids_.size(); ++place) {
        counts.repaired += hybrids_[place].is_repaired ? 1 : 0;
        const auto& time = times_[place];
        if (!time)
            continue;
        ++counts.asked;
        different.insert(hybrids_[place].configuration);
        programs.insert(groups_[place]);
        counts.without_time += time->milliseconds ? 0 : 1;
        counts.at_least += time->is_at_least ? 1 : 0;
    }
    counts.configurations = different.size();
    counts.programs = programs.size();
    return counts;
}

} // namespace sparsight

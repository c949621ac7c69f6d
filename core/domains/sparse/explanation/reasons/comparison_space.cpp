#include "domains/sparse/explanation/reasons/comparison_space.h"

#include "domains/sparse/schedule/super_schedule.h"
#include "evaluation/model_reasons/nearest_points.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace sparsight {

namespace {

constexpr LoopIndex of_no_loop{Index::I, Part::Outer};

/// A level that is not there is stored in no way.
bool decides_alike(const ScheduleDecision& decision, const SuperSchedule& one, const SuperSchedule& other) {
    if (decision.kind == DecisionKind::LevelFormat &&
        one.has(decision.subject) != other.has(decision.subject))
        return false;
    return value_of(decision, one) == value_of(decision, other);
}

/// A new split is placed directly inside its outer loop, uncompressed, wherever another schedule has it: on
/// a curve of one decision all others stay unchanged.
SuperSchedule split_alone(SuperSchedule schedule, Index index, std::int64_t split) {
    schedule.split(index) = split;
    return canonical(schedule);
}

} // namespace

std::vector<ScheduleDecision> decisions_of(const SuperSchedule& schedule) {
    std::vector<ScheduleDecision> decisions;
    for (const Index index : indices(schedule.op))
        decisions.push_back({DecisionKind::Split, {index, Part::Outer}});
    decisions.push_back({DecisionKind::LevelOrder, of_no_loop});
    if (dense_index(schedule.op))
        decisions.push_back({DecisionKind::DenseLoops, of_no_loop});
    for (const LoopIndex level : level_names(schedule.op))
        if (schedule.has(level))
            decisions.push_back({DecisionKind::LevelFormat, level});
    if (parallel_loops(schedule.op).size() > 1)
        decisions.push_back({DecisionKind::ParallelLoop, of_no_loop});
    decisions.push_back({DecisionKind::Chunk, of_no_loop});
    return decisions;
}

std::optional<double> number_of(const ScheduleDecision& decision, const SuperSchedule& schedule) {
    if (decision.kind == DecisionKind::Split)
        return static_cast<double>(schedule.split(decision.subject.index));
    if (decision.kind == DecisionKind::Chunk)
        return schedule.chunk;
    return std::nullopt;
}

SchedulePredicates::SchedulePredicates(const SuperSchedule& schedule, ReasonSubject subject)
    : subject_(subject) {
    for (const ScheduleDecision& decision : decisions_of(schedule)) {
        add(decision, PredicateRelation::Is, schedule);
        const auto number = number_of(decision, schedule);
        if (number && *number > 1) { // all are at least 1; at most 1 is 1
            add(decision, PredicateRelation::AtLeast, schedule);
            add(decision, PredicateRelation::AtMost, schedule);
        }
    }
}

void SchedulePredicates::add(const ScheduleDecision& decision, PredicateRelation relation,
                             const SuperSchedule& schedule) {
    decisions_.push_back(decision);
    predicates_.push_back({.subject = subject_,
                           .key = key(decision),
                           .title = name(decision),
                           .relation = relation,
                           .value = value_of(decision, schedule),
                           .number = number_of(decision, schedule)});
}

bool SchedulePredicates::holds(std::size_t place, const SuperSchedule& schedule) const {
    const ScheduleDecision& decision = decisions_[place];
    const ReasonPredicate& predicate = predicates_[place];
    if (const auto number = number_of(decision, schedule))
        return sparsight::holds(predicate.relation, *number, *predicate.number);
    if (decision.kind == DecisionKind::LevelFormat && !schedule.has(decision.subject))
        return false;
    return value_of(decision, schedule) == predicate.value;
}

ScheduleVariants::ScheduleVariants(const SuperSchedule& schedule, std::span<const SuperSchedule> others,
                                   ReasonSubject subject)
    : schedule_(canonical(schedule))
    , predicates_(schedule_, subject) {
    for (const SuperSchedule& other : others)
        if (auto space = ScheduleHybrids::make(schedule_, other); space && !(*space)->decisions().empty())
            hybrids_.push_back(*std::move(space));
}

SuperSchedule ScheduleVariants::draw(std::span<const std::size_t> kept, Random& random) const {
    if (hybrids_.empty())
        return schedule_;
    const auto fits = [&](const SuperSchedule& schedule) {
        return std::ranges::all_of(kept,
                                   [&](std::size_t place) { return predicates_.holds(place, schedule); });
    };
    const ScheduleHybrids& space = *random.pick(std::span(hybrids_));
    const auto at = [&](DecisionSet taken) { return space.schedule_at(taken).schedule; };
    return at(drawn_decisions(
        space, random, [&](DecisionSet taken) { return fits(at(taken)); },
        [&](DecisionSet taken) {
            const SuperSchedule drawn = at(taken);
            DecisionSet broken = 0;
            for (const std::size_t place : kept) {
                const auto found = std::ranges::find(space.schedule_decisions(), predicates_.decision(place));
                if (found != space.schedule_decisions().end() && !predicates_.holds(place, drawn))
                    broken |= DecisionSet{1} << (found - space.schedule_decisions().begin());
            }
            return broken;
        }));
}

std::vector<SuperSchedule> ScheduleVariants::one_changed(const ScheduleDecision& decision) const {
    std::vector<SuperSchedule> found{schedule_};
    for (const auto& hybrids : hybrids_) {
        const ScheduleHybrids& space = *hybrids;
        const auto bit = std::ranges::find(space.schedule_decisions(), decision);
        if (bit == space.schedule_decisions().end())
            continue;
        SuperSchedule changed =
            space.schedule_at(DecisionSet{1} << (bit - space.schedule_decisions().begin())).schedule;
        if (decision.kind == DecisionKind::Split)
            changed = split_alone(schedule_, decision.subject.index, changed.split(decision.subject.index));
        const auto same_value = [&](const SuperSchedule& known) {
            return decides_alike(decision, known, changed);
        };
        if (std::ranges::none_of(found, same_value))
            found.push_back(changed);
    }
    std::ranges::stable_sort(
        found, {}, [&](const SuperSchedule& schedule) { return number_of(decision, schedule).value_or(0); });
    return found;
}

ComparisonSpace::ComparisonSpace(ComparisonRequest request)
    : request_(std::move(request))
    , schedules_(request_.schedule, request_.others, ReasonSubject::Configuration)
    , againsts_(request_.against, request_.others, ReasonSubject::Against) {
    for (const MachineDescription& machine : request_.machines)
        parameters_.push_back(resolve_parameters(machine).values);
    add_schedule_predicates();
    add_pattern_predicates();
    add_machine_predicates();
}

Result<std::unique_ptr<ComparisonSpace>> ComparisonSpace::make(ComparisonRequest request) {
    std::unique_ptr<ComparisonSpace> space(new ComparisonSpace(std::move(request)));
    const ComparisonRequest& of = space->request_;
    const ReasonCase explained{0, of.patterns.front(), of.machines.front(), of.schedule, of.against};
    const auto margins = of.margins(std::span(&explained, 1));
    if (!margins)
        return std::unexpected(margins.error());
    space->margin_ = margins->front();
    if (space->margin_ == 0)
        return fail(Fault::Input, "the model rates both schedules alike: there is no choice to explain");
    return space;
}

void ComparisonSpace::add_schedule_predicates() {
    for (const ScheduleVariants* variants : {&schedules_, &againsts_})
        for (std::size_t place = 0; place < variants->predicates().size(); ++place)
            predicates_.push_back({variants->predicates().predicate(place), place});
}

/// At each quartile of the others: on which side of it the first one lies.
void ComparisonSpace::add_bound(ReasonPredicate told, std::size_t place, std::span<const double> numbers) {
    for (const double edge : quartiles(numbers)) {
        told.relation = numbers.front() > edge ? PredicateRelation::Above : PredicateRelation::AtMost;
        told.number = edge;
        told.value = short_number(edge);
        predicates_.push_back({told, place});
    }
}

void ComparisonSpace::add_pattern_predicates() {
    for (std::size_t place = 0; place < statistics().size(); ++place) {
        const Statistic& statistic = statistics()[place];
        std::vector<double> numbers;
        numbers.reserve(request_.patterns.size());
        for (const PatternStatistics& each : request_.patterns)
            numbers.push_back(statistic.of(each));
        add_bound({.subject = ReasonSubject::Workload,
                   .key = statistic.name,
                   .title = statistic.title,
                   .unit = statistic.unit},
                  place, numbers);
    }
}

void ComparisonSpace::add_machine_predicates() {
    for (const MachineParameter parameter : reported_parameters()) {
        std::vector<double> numbers;
        numbers.reserve(parameters_.size());
        for (const MachineParameters& machine : parameters_)
            numbers.push_back(reported_value(parameter, machine[parameter]));
        const ParameterInfo& info = parameter_info(parameter);
        add_bound({.subject = ReasonSubject::Machine,
                   .key = std::string(info.key),
                   .title = title(parameter),
                   .unit = reported_unit(parameter)},
                  static_cast<std::size_t>(parameter), numbers);
    }
}

ComparisonSpace::Kept ComparisonSpace::by_subject(std::span<const std::size_t> kept) const {
    Kept found;
    for (const std::size_t place : kept) {
        switch (predicates_[place].told.subject) {
        case ReasonSubject::Configuration:
            found.schedule.push_back(predicates_[place].place);
            break;
        case ReasonSubject::Against:
            found.against.push_back(predicates_[place].place);
            break;
        case ReasonSubject::Workload:
            found.pattern.push_back(place);
            break;
        case ReasonSubject::Machine:
            found.machine.push_back(place);
            break;
        }
    }
    return found;
}

double ComparisonSpace::number(const Predicate& predicate, const PatternStatistics& of) const {
    return statistics()[predicate.place].of(of);
}

bool ComparisonSpace::holds(const Predicate& predicate, const ReasonCase& drawn,
                            const MachineParameters& machine) const {
    switch (predicate.told.subject) {
    case ReasonSubject::Configuration:
        return schedules_.predicates().holds(predicate.place, drawn.schedule);
    case ReasonSubject::Against:
        return againsts_.predicates().holds(predicate.place, drawn.against);
    case ReasonSubject::Workload:
        return sparsight::holds(predicate.told.relation, number(predicate, drawn.statistics),
                                *predicate.told.number);
    case ReasonSubject::Machine: {
        const auto parameter = static_cast<MachineParameter>(predicate.place);
        return sparsight::holds(predicate.told.relation, reported_value(parameter, machine[parameter]),
                                *predicate.told.number);
    }
    }
    return false;
}

void ComparisonSpace::draw_pattern(const std::vector<std::size_t>& kept, ReasonCase& drawn, Random& random) {
    const auto fits = [&](std::size_t place, std::size_t pattern) {
        return sparsight::holds(predicates_[place].told.relation,
                                number(predicates_[place], request_.patterns[pattern]),
                                *predicates_[place].told.number);
    };
    const auto matching = [&](const std::vector<std::size_t>& places) -> const std::vector<std::size_t>& {
        const auto [found, is_new] = matching_patterns_.try_emplace(places);
        for (std::size_t pattern = 0; is_new && pattern < request_.patterns.size(); ++pattern)
            if (std::ranges::all_of(places, [&](std::size_t place) { return fits(place, pattern); }))
                found->second.push_back(pattern);
        return found->second; // the explained one at least
    };
    if (request_.pattern_draws == PatternDraws::Matrices) {
        drawn.pattern = random.pick(std::span(matching(kept)));
        drawn.statistics = request_.patterns[drawn.pattern];
        return;
    }
    drawn.pattern = random.below(request_.patterns.size());
    drawn.statistics = request_.patterns[drawn.pattern];
    // Of each statistic that is kept the value of a pattern that has it within all its bounds.
    std::map<std::size_t, std::vector<std::size_t>> bounds;
    for (const std::size_t place : kept)
        bounds[predicates_[place].place].push_back(place);
    for (const auto& [statistic, places] : bounds)
        if (!std::ranges::all_of(places, [&](std::size_t place) { return fits(place, drawn.pattern); })) {
            const std::size_t giver = random.pick(std::span(matching(places)));
            statistics()[statistic].set(drawn.statistics,
                                        statistics()[statistic].of(request_.patterns[giver]));
        }
}

ReasonCase ComparisonSpace::draw_case(const Kept& kept, Random& random, std::size_t& machine) {
    ReasonCase drawn;
    drawn.schedule = schedules_.draw(kept.schedule, random);
    drawn.against = againsts_.draw(kept.against, random);
    draw_pattern(kept.pattern, drawn, random);
    const auto [matching, is_new] = matching_machines_.try_emplace(kept.machine);
    for (std::size_t each = 0; is_new && each < parameters_.size(); ++each)
        if (std::ranges::all_of(kept.machine, [&](std::size_t place) {
                return holds(predicates_[place], drawn, parameters_[each]);
            }))
            matching->second.push_back(each);
    machine = random.pick(std::span(std::as_const(matching->second)));
    drawn.machine = request_.machines[machine];
    return drawn;
}

Result<std::vector<AnchorDraw>> ComparisonSpace::draw(std::span<const std::size_t> kept, std::size_t count,
                                                      Random& random) {
    const Kept subjects = by_subject(kept);
    std::vector<ReasonCase> cases;
    std::vector<AnchorDraw> draws(count);
    for (AnchorDraw& draw : draws) {
        std::size_t machine = 0;
        cases.push_back(draw_case(subjects, random, machine));
        draw.holds.reserve(predicates_.size());
        for (const Predicate& predicate : predicates_)
            draw.holds.push_back(holds(predicate, cases.back(), parameters_[machine]));
    }
    const auto margins = request_.margins(cases);
    if (!margins)
        return std::unexpected(margins.error());
    for (std::size_t place = 0; place < count; ++place)
        draws[place].is_same_choice = (*margins)[place] * margin_ > 0;
    return draws;
}

Result<SparseAnchorReason> anchor_reason(ComparisonSpace& space, const ComparisonRequest& request,
                                         const AnchorOptions& options) {
    auto found =
        find_anchor_reason(space, options, [&](std::size_t place) { return space.predicate(place); });
    if (!found)
        return std::unexpected(std::move(found).error());
    return SparseAnchorReason{
        *std::move(found), request.pattern_draws, static_cast<std::int64_t>(request.patterns.size()),
        request.machines.size() > 1 ? static_cast<std::int64_t>(request.machines.size()) : 0};
}

} // namespace sparsight

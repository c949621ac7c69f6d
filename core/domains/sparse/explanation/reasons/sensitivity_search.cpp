#include "domains/sparse/explanation/reasons/sensitivity_search.h"

#include "domains/sparse/explanation/reasons/comparison_space.h"
#include "domains/sparse/schedule/text.h"
#include "evaluation/model_reasons/nearest_points.h"
#include "machine/machine_edit.h"
#include "machine/machine_family.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

constexpr int machine_steps = 7;
constexpr std::array statistic_shares{0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0};

/// A curve before anybody was asked, with the case of each point.
struct PlannedCurve {
    SensitivityCurve curve;
    std::vector<ReasonCase> cases{};
    bool has_times = true;

    void add(SensitivityPoint point, ReasonCase of) {
        curve.points.push_back(std::move(point));
        cases.push_back(std::move(of));
    }
};

bool are_alike(double one, double other) {
    return std::abs(one - other) <= 1e-9 * std::max(std::abs(one), std::abs(other));
}

std::vector<PlannedCurve> decision_curves(const SensitivityRequest& request) {
    const ReasonCase& explained = request.explained;
    const ScheduleVariants variants(explained.schedule, request.others, ReasonSubject::Configuration);
    const SuperSchedule present = canonical(explained.schedule);
    std::vector<PlannedCurve> curves;
    for (const ScheduleDecision& decision : decisions_of(present)) {
        PlannedCurve planned{
            .curve = {.kind = VariedKind::Decision, .key = key(decision), .title = name(decision)}};
        for (const SuperSchedule& variant : variants.one_changed(decision)) {
            ReasonCase changed = explained;
            changed.schedule = variant;
            planned.add({.value = value_of(decision, variant),
                         .number = number_of(decision, variant),
                         .is_present = variant == present,
                         .schedule = to_text(variant)},
                        std::move(changed));
        }
        curves.push_back(std::move(planned));
    }
    return curves;
}

/// Quantiles of the patterns, and the explained one's own value.
std::vector<PlannedCurve> statistic_curves(const SensitivityRequest& request) {
    std::vector<PlannedCurve> curves;
    for (const Statistic& statistic : statistics()) {
        const double present = statistic.of(request.explained.statistics);
        std::vector<double> known;
        known.reserve(request.patterns.size());
        for (const PatternStatistics& pattern : request.patterns)
            known.push_back(statistic.of(pattern));
        std::vector<double> values{present};
        for (const double share : statistic_shares)
            if (!known.empty())
                values.push_back(quantile(known, share));
        std::ranges::sort(values);
        values.erase(std::ranges::unique(values).begin(), values.end());
        PlannedCurve planned{.curve = {.kind = VariedKind::Statistic,
                                       .key = statistic.name,
                                       .title = statistic.title,
                                       .unit = statistic.unit},
                             .has_times = false};
        for (const double value : values) {
            ReasonCase changed = request.explained;
            statistic.set(changed.statistics, value);
            planned.add({.value = short_number(value), .number = value, .is_present = value == present},
                        std::move(changed));
        }
        curves.push_back(std::move(planned));
    }
    return curves;
}

std::vector<PlannedCurve> pattern_curves(const SensitivityRequest& request) {
    std::vector<PlannedCurve> curves;
    for (const PatternSeries& series : request.series) {
        PlannedCurve planned{
            .curve = {
                .kind = VariedKind::Pattern, .key = series.key, .title = series.title, .unit = series.unit}};
        for (const PatternSeries::Step& step : series.steps) {
            ReasonCase changed = request.explained;
            changed.pattern = step.pattern;
            changed.statistics = request.patterns[step.pattern];
            planned.add({.value = short_number(step.strength),
                         .number = step.strength,
                         .is_present = step.pattern == 0},
                        std::move(changed));
        }
        curves.push_back(std::move(planned));
    }
    return curves;
}

std::vector<PlannedCurve> machine_curves(const SensitivityRequest& request) {
    const MachineDescription& machine = request.explained.machine;
    const MachineParameters present = resolve_parameters(machine).values;
    std::vector<PlannedCurve> curves;
    for (const MachineParameter parameter : reported_parameters()) {
        const ParameterInfo& info = parameter_info(parameter);
        std::vector<double> values =
            steps_over(parameter, usual_range(parameter, present[parameter]), machine_steps);
        values.push_back(present[parameter]);
        std::ranges::sort(values);
        values.erase(std::ranges::unique(values, are_alike).begin(), values.end());
        PlannedCurve planned{.curve = {.kind = VariedKind::Machine,
                                       .key = std::string(info.key),
                                       .title = title(parameter),
                                       .unit = reported_unit(parameter),
                                       .is_read = request.reads_machine}};
        for (const double value : values) {
            const bool is_present = are_alike(value, present[parameter]);
            ReasonCase changed = request.explained;
            if (!is_present)
                changed.machine = with_parameter(machine, parameter, value);
            planned.add({.value = short_number(reported_value(parameter, value)),
                         .number = reported_value(parameter, value),
                         .is_present = is_present},
                        std::move(changed));
        }
        curves.push_back(std::move(planned));
    }
    return curves;
}

std::vector<PlannedCurve> planned_curves(const SensitivityRequest& request) {
    std::vector<PlannedCurve> curves = decision_curves(request);
    std::ranges::move(pattern_curves(request), std::back_inserter(curves));
    std::ranges::move(machine_curves(request), std::back_inserter(curves));
    if (request.reads_statistics)
        std::ranges::move(statistic_curves(request), std::back_inserter(curves));
    std::erase_if(curves, [](const PlannedCurve& planned) { return planned.cases.size() < 2; });
    return curves;
}

Result<std::vector<PairTimes>> times_of(const PlannedCurve& planned, const TimesFunction& times) {
    std::vector<PairTimes> found;
    for (const ReasonCase& each : planned.cases) {
        auto pair = times(each);
        if (!pair)
            return std::unexpected(std::move(pair).error());
        found.push_back(*pair);
    }
    return found;
}

bool make_a_curve(const std::vector<PairTimes>& times) {
    const auto known =
        std::ranges::count_if(times, [](const PairTimes& each) { return each.log2_gain().has_value(); });
    return known >= 3 && 2 * known >= std::ssize(times);
}

Result<std::vector<PairTimes>> best_times(const PlannedCurve& planned, const SensitivityRequest& request) {
    if (request.measured) {
        auto measured = times_of(planned, request.measured);
        if (!measured || make_a_curve(*measured))
            return measured;
    }
    return times_of(planned, request.times);
}

Result<SensitivityCurve> followed(PlannedCurve planned, const SensitivityRequest& request) {
    const auto margins = request.margins(planned.cases);
    if (!margins)
        return std::unexpected(margins.error());
    for (std::size_t place = 0; place < planned.cases.size(); ++place)
        planned.curve.points[place].margin = (*margins)[place];
    if (planned.has_times) {
        const auto times = best_times(planned, request);
        if (!times)
            return std::unexpected(times.error());
        for (std::size_t place = 0; place < planned.cases.size(); ++place)
            planned.curve.points[place].times = (*times)[place];
    }
    compare_curves(planned.curve);
    return std::move(planned.curve);
}

double parting(const SensitivityCurve& curve) {
    return curve.widest ? curve.widest->factor : 1;
}

} // namespace

Result<SensitivityReason> find_sensitivity(const SensitivityRequest& request) {
    SensitivityReason reason;
    std::vector<PlannedCurve> planned = planned_curves(request);
    for (std::size_t place = 0; place < planned.size(); ++place) {
        if (request.stop.stop_requested())
            return fail(Fault::Cancelled, "stopped between two curves");
        if (request.is_over && request.is_over()) {
            reason.complete = false;
            break;
        }
        if (request.progress)
            request.progress({"varying one thing at a time", place, planned.size()});
        auto curve = followed(std::move(planned[place]), request);
        if (!curve)
            return std::unexpected(std::move(curve).error());
        reason.curves.push_back(*std::move(curve));
    }
    std::ranges::stable_sort(reason.curves, [](const SensitivityCurve& one, const SensitivityCurve& other) {
        return std::pair(parting(one), one.swing) > std::pair(parting(other), other.swing);
    });
    return reason;
}

} // namespace sparsight

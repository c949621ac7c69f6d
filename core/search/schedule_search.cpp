#include "search/schedule_search.h"

#include "schedule/validity.h"
#include "search/search_run.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

constexpr std::array<std::pair<SearchMethod, std::string_view>, 2> method_names{
    {{SearchMethod::Annealing, "annealing"}, {SearchMethod::Evolution, "evolution"}}};

Result<void> check(const SearchSettings& settings, Operator op) {
    if (settings.budget < 1 || settings.k < 1)
        return fail(Fault::Input,
                    fmt::format("{} best of {} schedules cannot be searched for; both are at least 1",
                                settings.k, settings.budget));
    for (const SuperSchedule& start : settings.starts) {
        if (start.op != op)
            return fail(Fault::Input,
                        fmt::format("a schedule of {} is no start for {}", name(start.op), name(op)));
        if (auto valid = sparsight::check(start); !valid)
            return valid;
    }
    return sparsight::check(fixed_csr(op, settings.threads));
}

/// Fixed CSR first, so that it is scored whatever happens.
std::vector<SuperSchedule> first_schedules(const SearchSettings& settings, Operator op) {
    std::vector<SuperSchedule> schedules{canonical(fixed_csr(op, settings.threads))};
    for (SuperSchedule start : settings.starts) {
        start.threads = settings.threads;
        schedules.push_back(canonical(start));
    }
    return schedules;
}

ScheduleSearch summary(const SearchRun& run) {
    ScheduleSearch search;
    constexpr std::uint32_t fixed = 0;
    std::vector<std::uint32_t> places = run.scored.best(static_cast<std::size_t>(run.settings.k));
    if (std::ranges::find(places, fixed) == places.end())
        places.push_back(fixed);
    for (const std::uint32_t place : places)
        search.best.push_back(run.scored.all()[place]);
    search.scored = static_cast<std::int64_t>(run.scored.all().size());
    search.progress.assign(run.scored.progress().begin(), run.scored.progress().end());
    search.stopped = run.stop.stop_requested() && !run.scored.is_spent();
    return search;
}

} // namespace

std::string_view name(SearchMethod method) {
    return std::ranges::find(method_names, method, &decltype(method_names)::value_type::first)->second;
}

std::optional<SearchMethod> parse_search_method(std::string_view text) {
    const auto* found = std::ranges::find(method_names, text, &decltype(method_names)::value_type::second);
    return found == method_names.end() ? std::nullopt : std::optional(found->first);
}

Result<ScheduleSearch> search_schedules(Operator op, const Extents& extents, const PatternScorer& scorer,
                                        const SearchSettings& settings, std::stop_token stop,
                                        const ProgressSink& progress) {
    if (auto valid = check(settings, op); !valid)
        return std::unexpected(valid.error());
    SearchRun run{op,   extents, settings, ScoredSchedules(scorer, settings.budget), Random(settings.seed),
                  stop, progress};
    Result<void> done = run.scored.add(first_schedules(settings, op));
    if (done && run.goes_on())
        done = settings.method == SearchMethod::Annealing ? anneal(run) : evolve(run);
    if (!done)
        return std::unexpected(done.error());
    return summary(run);
}

} // namespace sparsight

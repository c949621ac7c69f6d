#include "search/search_run.h"

#include "schedule/neighbours.h"
#include "schedule/sampler.h"

#include <algorithm>
#include <cmath>

namespace sparsight {
namespace {

/// One walk, as a place in ScoredSchedules::all().
using Walker = std::uint32_t;

constexpr std::int64_t most_walkers = 32;
constexpr std::int64_t steps_a_walker = 40; ///< at least, where the budget is small
/// The temperature falls from the spread of random scores to a thousandth of it.
constexpr double coldest = 1e-3;
/// After so many rounds without a new schedule the walks have settled and begin elsewhere.
constexpr int settled_after = 20;
/// Then there is nothing new elsewhere either.
constexpr int most_idle_rounds = 10 * settled_after;

double spread(std::span<const ScoredSchedule> schedules) {
    double sum = 0;
    double squares = 0;
    double count = 0;
    for (const ScoredSchedule& schedule : schedules) {
        if (!std::isfinite(schedule.score))
            continue;
        sum += schedule.score;
        squares += static_cast<double>(schedule.score) * schedule.score;
        ++count;
    }
    return count == 0 ? 0 : std::sqrt(std::max(0.0, squares / count - sum / count * sum / count));
}

/// A random neighbour for each walker.
std::vector<SuperSchedule> propose(SearchRun& run, std::span<const Walker> walkers) {
    std::vector<SuperSchedule> proposals;
    for (const Walker walker : walkers) {
        const std::vector<SuperSchedule> near = neighbours(run.scored.all()[walker].schedule, run.extents);
        proposals.push_back(run.random.pick(std::span(near)));
    }
    return proposals;
}

/// Walks that begin at random schedules, known ones or new ones.
Result<std::vector<Walker>> scattered(SearchRun& run, std::size_t count) {
    const std::vector<SuperSchedule> places =
        sample_uniform(run.op, run.extents, static_cast<int>(count), run.settings.threads, run.random);
    if (auto added = run.scored.add(places); !added)
        return std::unexpected(added.error());
    std::vector<Walker> walkers;
    for (const SuperSchedule& place : places)
        if (const std::uint32_t* known = run.scored.find(place); known != nullptr)
            walkers.push_back(*known);
    return walkers;
}

bool accepts(double worse_by, double temperature, Random& random) {
    return worse_by <= 0 || random.chance(std::exp(-worse_by / temperature));
}

} // namespace

Result<void> anneal(SearchRun& run) {
    const auto walker_count = static_cast<std::size_t>(
        std::clamp<std::int64_t>(run.settings.budget / steps_a_walker, 1, most_walkers));
    if (auto first = scattered(run, walker_count); !first)
        return std::unexpected(first.error());
    std::vector<Walker> walkers = run.scored.best(walker_count);
    const double hottest = spread(run.scored.all());
    for (int idle = 0; idle < most_idle_rounds && run.goes_on();) {
        const std::size_t known = run.scored.all().size();
        if (idle > 0 && idle % settled_after == 0) {
            Result<std::vector<Walker>> elsewhere = scattered(run, walker_count);
            if (!elsewhere)
                return std::unexpected(elsewhere.error());
            walkers = *std::move(elsewhere);
        }
        const std::vector<SuperSchedule> proposals = propose(run, walkers);
        if (auto added = run.scored.add(proposals); !added)
            return added;
        const double spent = static_cast<double>(known) / static_cast<double>(run.settings.budget);
        const double temperature = hottest * std::pow(coldest, spent);
        for (std::size_t i = 0; i < walkers.size(); ++i) {
            const std::uint32_t* there = run.scored.find(proposals[i]);
            if (there == nullptr) // the budget did not reach so far
                continue;
            const double worse_by = static_cast<double>(run.scored.all()[*there].score) -
                                    static_cast<double>(run.scored.all()[walkers[i]].score);
            if (accepts(worse_by, temperature, run.random))
                walkers[i] = *there;
        }
        idle = run.scored.all().size() == known ? idle + 1 : 0;
    }
    return {};
}

} // namespace sparsight

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
/// A walk among known schedules leaves them sooner or later, unless there are no others.
constexpr int most_idle_rounds = 200;

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

bool accepts(double worse_by, double temperature, Random& random) {
    return worse_by <= 0 || random.chance(std::exp(-worse_by / temperature));
}

} // namespace

Result<void> anneal(SearchRun& run) {
    const auto walker_count = std::clamp<std::int64_t>(run.settings.budget / steps_a_walker, 1, most_walkers);
    const std::vector<SuperSchedule> random_places =
        sample_uniform(run.op, run.extents, static_cast<int>(walker_count), run.settings.threads, run.random);
    if (auto added = run.scored.add(random_places); !added)
        return added;
    std::vector<Walker> walkers = run.scored.best(static_cast<std::size_t>(walker_count));
    const double hottest = spread(run.scored.all());
    for (int idle = 0; idle < most_idle_rounds && run.goes_on();) {
        const std::size_t known = run.scored.all().size();
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

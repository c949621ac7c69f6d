#include "search/search_run.h"

#include "schedule/mixture.h"
#include "schedule/neighbours.h"
#include "schedule/sampler.h"

#include <algorithm>

namespace sparsight {
namespace {

constexpr std::size_t parent_count = 64;
constexpr std::size_t children_a_generation = 64;
/// Of the budget, for random schedules to begin with, at most.
constexpr std::int64_t first_share = 4;
constexpr std::int64_t most_random_schedules = 256;
constexpr double share_of_strangers = 0.1; ///< random schedules among the children, against inbreeding
constexpr double share_of_mixtures = 0.3;
constexpr double another_step = 0.3; ///< the chance that a changed child is changed once more
constexpr int most_idle_generations = 20;

class Breeding {
public:
    explicit Breeding(SearchRun& run)
        : run_(run)
        , parents_(run.scored.best(parent_count)) {}

    /// Up to a generation of different schedules that have not been scored.
    std::vector<SuperSchedule> children() {
        std::vector<SuperSchedule> found;
        for (std::size_t attempt = 0;
             attempt < 4 * children_a_generation && found.size() < children_a_generation; ++attempt) {
            const SuperSchedule child = breed();
            if (run_.scored.find(child) == nullptr && std::ranges::find(found, child) == found.end())
                found.push_back(child);
        }
        return found;
    }

private:
    SuperSchedule breed() {
        const double drawn = run_.random.uniform();
        if (drawn < share_of_strangers)
            return sample_uniform(run_.op, run_.extents, 1, run_.settings.threads, run_.random).front();
        if (drawn < share_of_strangers + share_of_mixtures) {
            const SuperSchedule& mother = parent();
            const SuperSchedule& father = parent();
            if (const auto child = mixture(mother, father, run_.random))
                return *child;
        }
        SuperSchedule child = parent();
        do {
            const std::vector<SuperSchedule> near = neighbours(child, run_.extents);
            child = run_.random.pick(std::span(near));
        } while (run_.random.chance(another_step));
        return child;
    }

    /// The better one of two.
    const SuperSchedule& parent() {
        const std::uint64_t rank =
            std::min(run_.random.below(parents_.size()), run_.random.below(parents_.size()));
        return run_.scored.all()[parents_[rank]].schedule;
    }

    SearchRun& run_;
    std::vector<std::uint32_t> parents_; ///< best first
};

} // namespace

Result<void> evolve(SearchRun& run) {
    const auto random_count =
        static_cast<int>(std::min(run.settings.budget / first_share, most_random_schedules));
    const std::vector<SuperSchedule> strangers =
        sample_uniform(run.op, run.extents, random_count, run.settings.threads, run.random);
    if (auto added = run.scored.add(strangers); !added)
        return added;
    for (int idle = 0; idle < most_idle_generations && run.goes_on();) {
        const std::vector<SuperSchedule> children = Breeding(run).children();
        idle = children.empty() ? idle + 1 : 0;
        if (auto added = run.scored.add(children); !added)
            return added;
    }
    return {};
}

} // namespace sparsight

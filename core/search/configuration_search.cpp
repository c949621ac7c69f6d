#include "search/configuration_search.h"

#include "search/ranking.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <unordered_set>
#include <utility>

namespace sparsight {
namespace {

constexpr std::array<std::pair<SearchMethod, std::string_view>, 2> method_names{
    {{SearchMethod::Annealing, "annealing"}, {SearchMethod::Evolution, "evolution"}}};

Result<void> check(const SearchSettings& settings, const ConfigurationSpace& space) {
    if (settings.budget < 1 || settings.k < 1)
        return fail(Fault::Input,
                    fmt::format("{} best of {} configurations cannot be searched for; both are at least 1",
                                settings.k, settings.budget));
    for (const Configuration& start : settings.starts)
        if (auto valid = space.check(start); !valid)
            return valid;
    return {};
}

/// The baseline first, so that it is scored whatever happens.
std::vector<Configuration> first_configurations(const SearchSettings& settings,
                                                const std::optional<Configuration>& baseline) {
    std::vector<Configuration> first;
    if (baseline)
        first.push_back(*baseline);
    first.insert(first.end(), settings.starts.begin(), settings.starts.end());
    return first;
}

ConfigurationSearch summary(const SearchRun& run, bool has_baseline) {
    ConfigurationSearch search;
    constexpr std::uint32_t baseline = 0;
    std::vector<std::uint32_t> places = run.scored.best(static_cast<std::size_t>(run.settings.k));
    if (has_baseline && std::ranges::find(places, baseline) == places.end())
        places.push_back(baseline);
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

Result<ConfigurationSearch> search_configurations(const ConfigurationSpace& space,
                                                  const WorkloadScorer& scorer,
                                                  const SearchSettings& settings, std::stop_token stop,
                                                  const ProgressSink& progress) {
    if (auto valid = check(settings, space); !valid)
        return std::unexpected(valid.error());
    const std::optional<Configuration> baseline = space.baseline();
    SearchRun run{space, settings, ScoredConfigurations(scorer, settings.budget), Random(settings.seed),
                  stop,  progress};
    Result<void> done = run.scored.add(first_configurations(settings, baseline));
    if (done && run.can_continue())
        done = settings.method == SearchMethod::Annealing ? anneal(run) : evolve(run);
    if (!done)
        return std::unexpected(done.error());
    return summary(run, baseline.has_value());
}

Result<void> ScoredConfigurations::add(std::span<const Configuration> configurations) {
    std::vector<Configuration> fresh;
    for (const Configuration& configuration : configurations) {
        const auto place = static_cast<std::uint32_t>(all_.size() + fresh.size());
        if (place < budget_ && places_.try_emplace(configuration, place).second)
            fresh.push_back(configuration);
    }
    if (fresh.empty())
        return {};
    const Result<std::vector<float>> scores = scorer_.score(fresh);
    if (!scores)
        return std::unexpected(scores.error());
    if (scores->size() != fresh.size())
        return fail(Fault::Internal, fmt::format("the model gave {} scores for {} configurations",
                                                 scores->size(), fresh.size()));
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        all_.push_back({std::move(fresh[i]), comparable((*scores)[i])});
        if (progress_.empty() || all_.back().score < progress_.back().score)
            progress_.push_back({static_cast<std::int64_t>(all_.size()), all_.back().score});
    }
    return {};
}

const std::uint32_t* ScoredConfigurations::find(const Configuration& configuration) const {
    const auto found = places_.find(configuration);
    return found == places_.end() ? nullptr : &found->second;
}

std::vector<std::uint32_t> ScoredConfigurations::best(std::size_t k) const {
    BestRanked best(k);
    for (std::uint32_t place = 0; place < all_.size(); ++place)
        (void)best.offer({place, all_[place].score});
    std::vector<std::uint32_t> places;
    for (const Ranked& ranked : best.take())
        places.push_back(ranked.candidate);
    return places;
}

namespace {

/// One walk, as a place in ScoredConfigurations::all().
using Walker = std::uint32_t;

constexpr std::int64_t most_walkers = 32;
constexpr std::int64_t steps_a_walker = 40; ///< at least, where the budget is small
/// The temperature falls from the spread of random scores to a thousandth of it.
constexpr double coldest = 1e-3;
/// After so many rounds without a new configuration the walks have settled and begin elsewhere.
constexpr int settled_after = 20;
/// Then there is nothing new elsewhere either.
constexpr int most_idle_rounds = 10 * settled_after;

double spread(std::span<const ScoredConfiguration> configurations) {
    double sum = 0;
    double squares = 0;
    double count = 0;
    for (const ScoredConfiguration& each : configurations) {
        if (!std::isfinite(each.score))
            continue;
        sum += each.score;
        squares += static_cast<double>(each.score) * each.score;
        ++count;
    }
    return count == 0 ? 0 : std::sqrt(std::max(0.0, squares / count - sum / count * sum / count));
}

/// A random neighbour for each walker; one without neighbours stays where it is.
std::vector<Configuration> propose(SearchRun& run, std::span<const Walker> walkers) {
    std::vector<Configuration> proposals;
    proposals.reserve(walkers.size());
    for (const Walker walker : walkers) {
        const Configuration& here = run.scored.all()[walker].configuration;
        proposals.push_back(run.space.neighbour(here, run.random).value_or(here));
    }
    return proposals;
}

/// Walks that begin at random configurations, known ones or new ones.
Result<std::vector<Walker>> scattered(SearchRun& run, std::size_t count) {
    const std::vector<Configuration> places = run.space.sample(count, run.random);
    if (auto added = run.scored.add(places); !added)
        return std::unexpected(added.error());
    std::vector<Walker> walkers;
    for (const Configuration& place : places)
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
    for (int idle = 0; idle < most_idle_rounds && run.can_continue();) {
        const std::size_t known = run.scored.all().size();
        if (idle > 0 && idle % settled_after == 0) {
            Result<std::vector<Walker>> elsewhere = scattered(run, walker_count);
            if (!elsewhere)
                return std::unexpected(elsewhere.error());
            walkers = *std::move(elsewhere);
        }
        const std::vector<Configuration> proposals = propose(run, walkers);
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

namespace {

constexpr std::size_t parent_count = 64;
constexpr std::size_t children_a_generation = 64;
/// Of the budget, for random configurations to begin with, at most.
constexpr std::int64_t first_share = 4;
constexpr std::int64_t most_random = 256;
constexpr double share_of_strangers = 0.1; ///< random configurations among the children, against inbreeding
constexpr double share_of_mixtures = 0.3;
constexpr double another_step = 0.3; ///< the chance that a changed child is changed once more
constexpr int most_idle_generations = 20;

class Breeding {
public:
    explicit Breeding(SearchRun& run)
        : run_(run)
        , parents_(run.scored.best(parent_count)) {}

    /// Up to a generation of different configurations that have not been scored.
    std::vector<Configuration> children() {
        std::vector<Configuration> found;
        std::unordered_set<Configuration> different;
        for (std::size_t attempt = 0;
             attempt < 4 * children_a_generation && found.size() < children_a_generation; ++attempt) {
            Configuration child = breed();
            if (run_.scored.find(child) == nullptr && different.insert(child).second)
                found.push_back(std::move(child));
        }
        return found;
    }

private:
    Configuration breed() {
        const double drawn = run_.random.uniform();
        if (drawn < share_of_strangers)
            if (auto stranger = run_.space.sample(1, run_.random); !stranger.empty())
                return std::move(stranger.front());
        if (drawn >= share_of_strangers && drawn < share_of_strangers + share_of_mixtures) {
            const Configuration& mother = parent();
            const Configuration& father = parent();
            if (auto child = run_.space.mixture(mother, father, run_.random))
                return *std::move(child);
        }
        Configuration child = parent();
        do {
            if (auto near = run_.space.neighbour(child, run_.random))
                child = *std::move(near);
        } while (run_.random.chance(another_step));
        return child;
    }

    /// The better one of two.
    const Configuration& parent() {
        const std::uint64_t rank =
            std::min(run_.random.below(parents_.size()), run_.random.below(parents_.size()));
        return run_.scored.all()[parents_[rank]].configuration;
    }

    SearchRun& run_;
    std::vector<std::uint32_t> parents_; ///< best first
};

} // namespace

Result<void> evolve(SearchRun& run) {
    const auto most = std::min(run.settings.budget / first_share, most_random);
    // Without a baseline there has to be something to breed from.
    const std::int64_t fewest = run.scored.all().empty() ? 1 : 0;
    const auto strangers = run.space.sample(static_cast<std::size_t>(std::max(most, fewest)), run.random);
    if (auto added = run.scored.add(strangers); !added)
        return added;
    if (run.scored.all().empty())
        return {};
    for (int idle = 0; idle < most_idle_generations && run.can_continue();) {
        const std::vector<Configuration> children = Breeding(run).children();
        idle = children.empty() ? idle + 1 : 0;
        if (auto added = run.scored.add(children); !added)
            return added;
    }
    return {};
}

} // namespace sparsight

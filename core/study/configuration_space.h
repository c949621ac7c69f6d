// What can be chosen for one workload in one setting, as search and diagnosis need to know it.
#pragma once

#include "base/error.h"
#include "base/random.h"
#include "study/configuration.h"
#include "study/hybrid_space.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// A domain has a space for each of its workloads and settings. All configurations that are passed to a space
/// are valid in it, except to check(). Everything is a function of the arguments and of the random numbers
/// that it draws: searches by one seed are the same on every machine. A call costs little beside what it
/// returns, but much beside a comparison of two configurations, which needs no space.
class ConfigurationSpace {
public:
    ConfigurationSpace() = default;
    ConfigurationSpace(const ConfigurationSpace&) = delete;
    ConfigurationSpace& operator=(const ConfigurationSpace&) = delete;
    virtual ~ConfigurationSpace() = default;

    /// Nothing, or why the configuration cannot be chosen here (Fault::Input), as a sentence for the user.
    [[nodiscard]] virtual Result<void> check(const Configuration& configuration) const = 0;

    /// What every other configuration is compared with; absent in a space without a natural one.
    [[nodiscard]] virtual std::optional<Configuration> baseline() const = 0;

    /// Different ones, drawn uniformly; fewer than `count` where there are no more.
    [[nodiscard]] virtual std::vector<Configuration> sample(std::size_t count, Random& random) const = 0;

    /// Different ones as others draw those that they measure to learn from; not uniform where a custom says
    /// otherwise. Fewer than `count` where there are no more.
    [[nodiscard]] virtual std::vector<Configuration> customary_sample(std::size_t count,
                                                                      Random& random) const {
        return sample(count, random);
    }

    /// Those that somebody who knows the field would try first, at most a few thousand; without the baseline.
    [[nodiscard]] virtual std::vector<Configuration> designs() const { return {}; }

    /// One that differs in one decision, drawn uniformly; absent where there is none.
    [[nodiscard]] virtual std::optional<Configuration> neighbour(const Configuration& configuration,
                                                                 Random& random) const = 0;

    /// All that differ in one decision, in an order of the space.
    [[nodiscard]] virtual std::vector<Configuration> neighbours(const Configuration& configuration) const = 0;

    /// Each decision from one of the two, as a coin falls; absent where the decisions do not go together.
    [[nodiscard]] virtual std::optional<Configuration>
    mixture(const Configuration& one, const Configuration& other, Random& random) const = 0;

    /// [n, n], row-major, symmetric: in how many decisions each two of them differ; a decision that differs
    /// little may count in part.
    [[nodiscard]] virtual std::vector<double>
    distances(std::span<const Configuration> configurations) const = 0;

    /// The decisions in which two differ; none for two that are the same.
    [[nodiscard]] virtual std::vector<DecisionChange> changes(const Configuration& before,
                                                              const Configuration& after) const = 0;

    /// The hybrids of two. Errors: they differ in more than HybridSpace::most_decisions decisions
    /// (Fault::Limit); those of check().
    [[nodiscard]] virtual Result<std::shared_ptr<const HybridSpace>>
    between(const Configuration& from, const Configuration& to) const = 0;
};

} // namespace sparsight

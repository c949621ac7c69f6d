// What can be chosen for one workload in one setting, and what lies between two choices, as search and
// diagnosis need to know it.
#pragma once

#include "base/error.h"
#include "base/random.h"
#include "study/configuration.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

/// One of the choices that make a configuration.
struct Decision {
    std::uint32_t index = 0; ///< its place among the decisions of its domain, by which they are sorted
    std::string key;         ///< in files: "split_i"
    std::string name;        ///< for people: "split of i"

    auto operator<=>(const Decision&) const = default;
};

/// A decision that two configurations make differently.
struct DecisionChange {
    Decision decision;
    std::string before; ///< how the one decides, for people: "not split"
    std::string after;  ///< how the other decides

    auto operator<=>(const DecisionChange&) const = default;
};

/// Bit d: decision d is taken from the configuration to().
using DecisionSet = std::uint64_t;

struct Hybrid {
    Configuration configuration; ///< valid
    /// The decisions did not go together as they were taken, and one had to be adapted.
    bool is_repaired = false;
};

/// All 2^n hybrids of two configurations that differ in n decisions.
class HybridSpace {
public:
    /// As a DecisionSet has bits and size() is a number.
    static constexpr std::size_t most_decisions = 63;

    HybridSpace(const HybridSpace&) = delete;
    HybridSpace& operator=(const HybridSpace&) = delete;
    virtual ~HybridSpace() = default;

    [[nodiscard]] const Configuration& from() const { return from_; }
    [[nodiscard]] const Configuration& to() const { return to_; }
    /// Those in which both differ, at most most_decisions.
    [[nodiscard]] const std::vector<Decision>& decisions() const { return decisions_; }
    [[nodiscard]] std::size_t size() const { return std::size_t{1} << decisions_.size(); } ///< 2^n
    [[nodiscard]] DecisionSet all() const { return static_cast<DecisionSet>(size() - 1); }

    /// No decision gives from(), all() gives to(). No set of decisions lacks a hybrid; a clock may have no
    /// time for it.
    [[nodiscard]] virtual Hybrid at(DecisionSet taken) const = 0;
    /// How a configuration makes the decision of this place in decisions(), for people: "32", "compressed".
    [[nodiscard]] virtual std::string value(std::size_t decision,
                                            const Configuration& configuration) const = 0;
    /// What the domain calls a configuration.
    [[nodiscard]] virtual std::string_view noun() const { return "configuration"; }
    /// A configuration in the form that its domain reads and writes.
    [[nodiscard]] virtual std::string text(const Configuration& configuration) const = 0;

protected:
    /// `decisions` have passed check_count().
    HybridSpace(Configuration from, Configuration to, std::vector<Decision> decisions)
        : from_(std::move(from))
        , to_(std::move(to))
        , decisions_(std::move(decisions)) {}

    /// Errors (Fault::Limit): there are too many decisions.
    [[nodiscard]] static Result<void> check_count(std::size_t decisions) {
        if (decisions <= most_decisions)
            return {};
        return fail(Fault::Limit,
                    fmt::format("the configurations differ in {} decisions: expected at most {}", decisions,
                                most_decisions));
    }

private:
    Configuration from_;
    Configuration to_;
    std::vector<Decision> decisions_;
};

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

    /// All that there are, ascending, in a space that lists them; otherwise none.
    [[nodiscard]] virtual std::span<const Configuration> configurations() const { return {}; }

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

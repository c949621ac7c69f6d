// The configurations that can be chosen for one workload in one setting, and the hybrids of two
// configurations, as search and diagnosis need them.
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

/// One of the decisions that make up a configuration.
struct Decision {
    std::uint32_t index = 0; ///< its place among the decisions of its domain, which are sorted by it
    std::string key;         ///< in files: "split_i"
    std::string name;        ///< for people: "split of i"

    auto operator<=>(const Decision&) const = default;
};

/// A decision that two configurations make differently.
struct DecisionChange {
    Decision decision;
    std::string before; ///< value in the first configuration, for people: "not split"
    std::string after;  ///< value in the second configuration

    auto operator<=>(const DecisionChange&) const = default;
};

/// Bit d: decision d is taken from the configuration to().
using DecisionSet = std::uint64_t;

struct Hybrid {
    Configuration configuration; ///< valid
    /// The chosen decisions did not fit together, so at least one was adapted.
    bool is_repaired = false;
};

/// All 2^n hybrids of two configurations that differ in n decisions.
class HybridSpace {
public:
    /// A DecisionSet has 64 bits, and size() must fit into a number.
    static constexpr std::size_t most_decisions = 63;

    HybridSpace(const HybridSpace&) = delete;
    HybridSpace& operator=(const HybridSpace&) = delete;
    virtual ~HybridSpace() = default;

    [[nodiscard]] const Configuration& from() const { return from_; }
    [[nodiscard]] const Configuration& to() const { return to_; }
    /// The decisions in which the two configurations differ; at most most_decisions.
    [[nodiscard]] const std::vector<Decision>& decisions() const { return decisions_; }
    [[nodiscard]] std::size_t size() const { return std::size_t{1} << decisions_.size(); } ///< 2^n
    [[nodiscard]] DecisionSet all() const { return static_cast<DecisionSet>(size() - 1); }

    /// The hybrid of a set of decisions: the empty set gives from(), all() gives to(). Every set has a
    /// hybrid, but a clock may have no time for it.
    [[nodiscard]] virtual Hybrid at(DecisionSet taken) const = 0;
    /// How a configuration makes the decision at this place of decisions(), for people: "32", "compressed".
    [[nodiscard]] virtual std::string value(std::size_t decision,
                                            const Configuration& configuration) const = 0;
    /// What the domain calls a configuration.
    [[nodiscard]] virtual std::string_view noun() const { return "configuration"; }
    /// The text of a configuration, as its domain reads and writes it.
    [[nodiscard]] virtual std::string text(const Configuration& configuration) const = 0;

protected:
    /// The caller has checked the number of `decisions` with check_count().
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
/// are valid in it, except to check(). Results depend only on the arguments and the random numbers, so a
/// search with one seed gives the same result on every machine. A call is cheap compared with building its
/// result, but expensive compared with comparing two configurations, which needs no space.
class ConfigurationSpace {
public:
    ConfigurationSpace() = default;
    ConfigurationSpace(const ConfigurationSpace&) = delete;
    ConfigurationSpace& operator=(const ConfigurationSpace&) = delete;
    virtual ~ConfigurationSpace() = default;

    /// Says why the configuration cannot be chosen here, as a sentence for the user (Fault::Input).
    [[nodiscard]] virtual Result<void> check(const Configuration& configuration) const = 0;

    /// The configuration that all others are compared with; absent in a space without a natural baseline.
    [[nodiscard]] virtual std::optional<Configuration> baseline() const = 0;

    /// All configurations, ascending, in a space that lists them; otherwise none.
    [[nodiscard]] virtual std::span<const Configuration> configurations() const { return {}; }

    /// Distinct configurations, drawn uniformly; fewer than `count` where the space has no more.
    [[nodiscard]] virtual std::vector<Configuration> sample(std::size_t count, Random& random) const = 0;

    /// Distinct configurations, drawn as this field customarily draws its training data, which need not be
    /// uniform. Fewer than `count` where the space has no more.
    [[nodiscard]] virtual std::vector<Configuration> customary_sample(std::size_t count,
                                                                      Random& random) const {
        return sample(count, random);
    }

    /// The configurations that an expert would try first, at most a few thousand, without the baseline.
    [[nodiscard]] virtual std::vector<Configuration> designs() const { return {}; }

    /// A random configuration that differs in one decision; absent where there is none.
    [[nodiscard]] virtual std::optional<Configuration> neighbour(const Configuration& configuration,
                                                                 Random& random) const = 0;

    /// All configurations that differ in one decision, in a fixed order.
    [[nodiscard]] virtual std::vector<Configuration> neighbours(const Configuration& configuration) const = 0;

    /// A mixture of two configurations: each decision is taken from one of them at random. Absent where the
    /// decisions do not fit together.
    [[nodiscard]] virtual std::optional<Configuration>
    mixture(const Configuration& one, const Configuration& other, Random& random) const = 0;

    /// A symmetric matrix [n, n], row-major: the number of decisions in which each two configurations differ.
    /// A small difference of one decision may count as a fraction.
    [[nodiscard]] virtual std::vector<double>
    distances(std::span<const Configuration> configurations) const = 0;

    /// The decisions in which two configurations differ; none where they are equal.
    [[nodiscard]] virtual std::vector<DecisionChange> changes(const Configuration& before,
                                                              const Configuration& after) const = 0;

    /// The hybrids of two configurations. Errors: they differ in more than HybridSpace::most_decisions
    /// decisions (Fault::Limit); those of check().
    [[nodiscard]] virtual Result<std::shared_ptr<const HybridSpace>>
    between(const Configuration& from, const Configuration& to) const = 0;
};

} // namespace sparsight

// Configurations between two configurations: each decision in which the two differ is taken from the one or
// the other.
#pragma once

#include "base/error.h"
#include "study/configuration.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
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
using DecisionSet = std::uint32_t;

struct Hybrid {
    Configuration configuration; ///< valid
    /// The decisions did not go together as they were taken, and one had to be adapted.
    bool is_repaired = false;
};

/// All 2^n hybrids of two configurations that differ in n decisions.
class HybridSpace {
public:
    /// A space with more decisions is too large to visit.
    static constexpr std::size_t most_decisions = 12;

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

} // namespace sparsight

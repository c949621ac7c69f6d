// Configurations of recorded tables: values of named decisions, as text, and the space of those that a table
// has.
//
// The text is "tile_x=8 tile_y=4 unroll=1": decisions in the order of their names, with a blank between them.
// A value with a blank, '=' or '"' stands in quotation marks, which are doubled inside. A decision that a
// configuration lacks is left out. The bytes of a configuration are those of its canonical text, so that it
// means the same whatever else is recorded.
#pragma once

#include "base/error.h"
#include "study/configuration_space.h"
#include "study/domain.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sparsight {

/// Whether this can be the name of a decision: not empty, without white space, '=' and '"'.
[[nodiscard]] bool is_decision_name(std::string_view name);

/// Equal for values that mean the same: numbers are written in one way ("08", "8.0" and "8" are "8"), unless
/// they have more digits than a double keeps. Other texts stay as they are.
[[nodiscard]] std::string canonical_value(std::string_view text);

/// Names of decisions with their values. A value is not empty.
using DecisionValues = std::vector<std::pair<std::string, std::string>>;

/// The canonical text, whatever the order of the decisions and the form of their values.
[[nodiscard]] std::string decisions_to_text(DecisionValues values);
/// In the order of the text, as written. Error (Input): the word that is wrong, a decision that occurs twice,
/// no decision at all.
[[nodiscard]] Result<DecisionValues> parse_decisions(std::string_view text);

/// Which values the decisions of one space take.
struct RecordDecision {
    std::string name;
    /// Canonical and different. Ordinal (all are numbers): ascending; otherwise by text.
    std::vector<std::string> values;
    bool is_ordinal = false;
    bool is_optional = false; ///< some configurations lack the decision
    bool operator==(const RecordDecision&) const = default;
};

/// Errors as of parse_decisions().
[[nodiscard]] Result<Configuration> parse_record(std::string_view text);
/// The canonical text.
[[nodiscard]] std::string record_text(const Configuration& configuration);

/// The number of threads is not written: where a table has one, it is a decision.
class RecordCodec final : public ConfigurationCodec {
public:
    [[nodiscard]] Result<ParsedConfiguration> parse(std::string_view text) const override;
    [[nodiscard]] std::string text(const Configuration& configuration, int threads) const override;
    [[nodiscard]] std::vector<DecisionValue> decisions(const Configuration& configuration) const override;
    void visit_decisions(const Configuration& configuration, const DecisionVisitor& visit) const override;
};

/// The decisions of a space by name, and configurations as the places of their values.
class DecisionTable {
public:
    static constexpr std::size_t most_values = 65'534; ///< of one decision

    /// Error (Limit): a decision has more than most_values.
    [[nodiscard]] static Result<DecisionTable> of(std::span<const Configuration> configurations);

    [[nodiscard]] std::span<const RecordDecision> decisions() const { return decisions_; }

    /// For each decision 0 where it is absent, otherwise 1 + the place of its value. Absent where it has a
    /// decision or a value that the table lacks.
    [[nodiscard]] std::optional<std::vector<std::uint16_t>> places(const Configuration& configuration) const;
    [[nodiscard]] Configuration at(std::span<const std::uint16_t> places) const;
    /// For people: "none" where the decision is absent.
    [[nodiscard]] std::string shown_value(std::size_t decision, const Configuration& configuration) const;

private:
    /// 0 where the decision lacks this value.
    [[nodiscard]] std::uint16_t place_of(std::size_t decision, std::string_view value) const;

    std::vector<RecordDecision> decisions_;
};

/// The configurations that a table has for a workload, all that there are (exhaustive) or some (sampled).
/// There is no baseline.
class RecordSpace final : public ConfigurationSpace {
public:
    /// Of texts; the same configuration twice counts once. Errors: those of parse_decisions() and
    /// DecisionTable::of().
    [[nodiscard]] static Result<std::shared_ptr<const RecordSpace>> of(std::span<const std::string> texts);

    [[nodiscard]] std::size_t size() const { return configurations_.size(); }
    [[nodiscard]] std::span<const Configuration> configurations() const override { return configurations_; }
    [[nodiscard]] const DecisionTable& table() const { return *table_; }

    [[nodiscard]] Result<void> check(const Configuration& configuration) const override;
    [[nodiscard]] std::optional<Configuration> baseline() const override { return std::nullopt; }
    [[nodiscard]] std::vector<Configuration> sample(std::size_t count, Random& random) const override;
    /// Of those that the table has.
    [[nodiscard]] std::optional<Configuration> neighbour(const Configuration& configuration,
                                                         Random& random) const override;
    /// By decision, then by value.
    [[nodiscard]] std::vector<Configuration> neighbours(const Configuration& configuration) const override;
    /// Absent where the table has no such configuration.
    [[nodiscard]] std::optional<Configuration> mixture(const Configuration& one, const Configuration& other,
                                                       Random& random) const override;
    /// A decision counts 1, but for ordinal ones whose values are fewer than 4 places apart: these count in
    /// part, by how far apart they can be.
    [[nodiscard]] std::vector<double> distances(std::span<const Configuration> configurations) const override;
    [[nodiscard]] std::vector<DecisionChange> changes(const Configuration& before,
                                                      const Configuration& after) const override;
    /// The table may lack a hybrid: then there is no time for it.
    [[nodiscard]] Result<std::shared_ptr<const HybridSpace>> between(const Configuration& from,
                                                                     const Configuration& to) const override;

private:
    RecordSpace(DecisionTable table, std::vector<Configuration> configurations);
    [[nodiscard]] bool has(const Configuration& configuration) const {
        return members_.contains(configuration);
    }

    std::shared_ptr<const DecisionTable> table_;
    std::vector<Configuration> configurations_;
    std::unordered_set<Configuration> members_;
};

} // namespace sparsight

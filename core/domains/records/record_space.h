// Configurations of recorded tables: values of named decisions, as text, as packed bytes, and the space of
// those that a table has.
//
// The text is "tile_x=8 tile_y=4 unroll=1": decisions in the order of their names, with a blank between them.
// A value with a blank, '=' or '"' stands in quotation marks, which are doubled inside. A decision that a
// configuration lacks is left out.
#pragma once

#include "base/error.h"
#include "study/configuration_space.h"
#include "study/domain.h"

#include <cstddef>
#include <cstdint>
#include <memory>
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

/// Packs the configurations of a space: for each decision the place of its value, so that configurations
/// compare as their values do, decision after decision. Packed bytes mean something only together with the
/// table that they were packed by.
class DecisionTable final : public ConfigurationCodec {
public:
    static constexpr std::size_t most_values = 65'534; ///< of one decision

    /// Names, each with its values, in any order and form; a decision without values is left out.
    /// Error (Limit): a decision has more than most_values.
    [[nodiscard]] static Result<std::shared_ptr<const DecisionTable>>
    of_values(std::vector<RecordDecision> decisions);
    /// Of configurations as texts. Errors as of parse_decisions() and of_values().
    [[nodiscard]] static Result<std::shared_ptr<const DecisionTable>>
    of_texts(std::span<const std::string> texts);

    /// By name.
    [[nodiscard]] std::span<const RecordDecision> table() const { return decisions_; }
    [[nodiscard]] std::size_t decision_count() const { return decisions_.size(); }

    /// Places of values, one for each decision: 0 where it is absent, otherwise 1 + the place in the table.
    [[nodiscard]] Configuration pack(std::span<const std::uint16_t> places) const;
    [[nodiscard]] std::vector<std::uint16_t> unpack(const Configuration& configuration) const;
    /// Whether the bytes are those of some combination of values.
    [[nodiscard]] bool is_packed(const Configuration& configuration) const;
    /// 0 where the decision lacks this (canonical) value.
    [[nodiscard]] std::uint16_t place_of(std::size_t decision, std::string_view value) const;

    /// Any order of decisions, any form of values. Error (Input): a decision or a value that the table lacks,
    /// with those that it has.
    [[nodiscard]] Result<ParsedConfiguration> parse(std::string_view text) const override;
    /// The number of threads is not written: where a table has one, it is a decision.
    [[nodiscard]] std::string text(const Configuration& configuration, int threads) const override;
    [[nodiscard]] std::span<const NamedDecision> decisions() const override { return named_; }
    [[nodiscard]] std::vector<std::string> values(const Configuration& configuration) const override;

private:
    DecisionTable() = default;

    std::vector<RecordDecision> decisions_;
    std::vector<NamedDecision> named_;
    std::vector<std::size_t> widths_; ///< bytes of each place: 1 or 2
    std::size_t packed_size_ = 0;
};

/// The configurations that a table has for a workload, all that there are (exhaustive) or some (sampled).
/// There is no baseline.
class RecordSpace final : public ConfigurationSpace {
public:
    /// Of configurations packed by `table`; the same one twice counts once.
    RecordSpace(std::shared_ptr<const DecisionTable> table, std::vector<Configuration> configurations);

    [[nodiscard]] std::size_t size() const { return configurations_.size(); }
    /// Ascending.
    [[nodiscard]] std::span<const Configuration> configurations() const { return configurations_; }
    [[nodiscard]] const DecisionTable& table() const { return *table_; }

    [[nodiscard]] Result<void> check(const Configuration& configuration) const override;
    [[nodiscard]] std::optional<Configuration> baseline() const override { return std::nullopt; }
    [[nodiscard]] std::vector<Configuration> sample(std::size_t count, Random& random) const override;
    /// Of those that the table has.
    [[nodiscard]] std::optional<Configuration> neighbour(const Configuration& configuration,
                                                         Random& random) const override;
    /// Absent where the table has no such configuration.
    [[nodiscard]] std::optional<Configuration> mixture(const Configuration& one, const Configuration& other,
                                                       Random& random) const override;
    /// A decision counts 1, but for ordinal ones whose values are fewer than 4 places apart: these count in
    /// part, by how far apart they can be.
    [[nodiscard]] std::vector<double> distances(std::span<const Configuration> configurations) const override;

private:
    [[nodiscard]] bool has(const Configuration& configuration) const {
        return members_.contains(configuration);
    }

    std::shared_ptr<const DecisionTable> table_;
    std::vector<Configuration> configurations_;
    std::unordered_set<Configuration> members_;
};

} // namespace sparsight

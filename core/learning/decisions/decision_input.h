// The input of a model in a domain without networks of its own: the facts of a workload and the decisions of
// a configuration, by name.
#pragma once

#include "base/error.h"
#include "learning/tasks/task.h"
#include "model/checkpoints/checkpoint.h"
#include "study/domain.h"
#include "study/workload.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sparsight {

/// Scales a number for a model. Numbers may be large or negative, so models read asinh(number), which is
/// close to a logarithm.
struct NumberScale {
    double mean = 0;
    double deviation = 1; ///< above 0

    [[nodiscard]] double apply(double number) const;
    bool operator==(const NumberScale&) const = default;
};

struct FactColumn {
    std::string name;
    NumberScale scale{}; ///< fitted over the workloads or machines that have the fact
    bool operator==(const FactColumn&) const = default;
};

/// The values that configurations choose for one decision.
struct DecisionColumn {
    std::string key;
    std::vector<std::string> values; ///< all values that were seen, sorted as text
    bool are_numbers = false;        ///< all values are numbers
    NumberScale scale{};             ///< fitted over the values, where they are numbers
    bool operator==(const DecisionColumn&) const = default;
};

/// The JSON of ModelArchitecture::input.
struct DecisionInput {
    Setting setting;
    bool reads_machine = false;
    std::vector<FactColumn> facts;         ///< ascending by name
    std::vector<DecisionColumn> decisions; ///< in the order in which they are shown
    /// Facts from machine sheets, ascending by name; empty in models that were made before sheets were read.
    std::vector<FactColumn> machine_facts{};
    bool operator==(const DecisionInput&) const = default;
};

[[nodiscard]] ModelArchitecture architecture_of(std::string_view name, const DecisionInput& input);
/// Error (Input): the text names the field that is wrong, or says that the model is of another domain.
[[nodiscard]] Result<DecisionInput> read_decision_input(const ModelArchitecture& architecture,
                                                        const Domain& domain);

/// The columns of these workloads (places in the set), of their configurations, and of the machines that
/// measured them. A workload whose facts can't be read contributes no facts.
[[nodiscard]] DecisionInput fit_decision_input(const TaskSet& tasks, std::span<const std::size_t> workloads,
                                               const ConfigurationCodec& codec, bool reads_machine = false);

/// Absent where the text is not a finite number.
[[nodiscard]] std::optional<double> decision_number(std::string_view value);

/// How one configuration makes one decision, as a model reads it.
struct DecisionReading {
    static constexpr std::int64_t unknown = 0; ///< a value that was not seen
    static constexpr std::int64_t absent = 1;  ///< the configuration does not make this decision
    /// `unknown`, `absent`, or 2 + the place of the value in its column.
    std::int64_t category = absent;
    std::optional<double> number{}; ///< the value as a number, where all values of the column are numbers
};

/// Reads configurations by hash maps.
class DecisionReader {
public:
    /// The codec must be the one of the input's setting.
    DecisionReader(std::vector<DecisionColumn> columns, std::shared_ptr<const ConfigurationCodec> codec);

    [[nodiscard]] const std::vector<DecisionColumn>& columns() const { return columns_; }
    /// Fills one reading for each column. Decisions without a column are ignored.
    void read(const Configuration& configuration, std::span<DecisionReading> readings) const;

private:
    struct Value {
        std::int64_t category = DecisionReading::unknown;
        std::optional<double> number{};
    };

    std::vector<DecisionColumn> columns_;
    std::shared_ptr<const ConfigurationCodec> codec_;
    /// Looks texts up that are parts of others.
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    template <typename Known>
    using ByText = std::unordered_map<std::string, Known, TextHash, std::equal_to<>>;

    /// The place of a key, which is mostly the expected one; the number of columns where it has none.
    [[nodiscard]] std::size_t place_of(std::string_view key, std::size_t expected) const;

    ByText<std::size_t> places_;                ///< places of columns by key
    std::vector<ByText<Value>> values_by_text_; ///< one map for each column
};

} // namespace sparsight

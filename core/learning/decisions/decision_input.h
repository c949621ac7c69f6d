// What a model of a domain without networks of its own reads: the facts of a workload and the decisions of a
// configuration, by name.
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

/// Numbers grow without bound and may be negative: models read asinh(number), which is about a logarithm.
struct NumberScale {
    double mean = 0;
    double deviation = 1; ///< above 0

    [[nodiscard]] double apply(double number) const;
    bool operator==(const NumberScale&) const = default;
};

struct FactColumn {
    std::string name;
    NumberScale scale{}; ///< over the workloads, or machines, that it was fitted to and that have the fact
    bool operator==(const FactColumn&) const = default;
};

/// How the configurations make one decision.
struct DecisionColumn {
    std::string key;
    std::vector<std::string> values; ///< all that were seen, ascending by text
    bool are_numbers = false;        ///< all of them
    NumberScale scale{};             ///< over the values, where they are numbers
    bool operator==(const DecisionColumn&) const = default;
};

/// The JSON of ModelArchitecture::input.
struct DecisionInput {
    Setting setting;
    bool reads_machine = false;
    std::vector<FactColumn> facts;         ///< ascending by name
    std::vector<DecisionColumn> decisions; ///< in the order in which they are shown
    /// Of what sheets say of machines, ascending by name; none in models made before they were read.
    std::vector<FactColumn> machine_facts{};
    bool operator==(const DecisionInput&) const = default;
};

[[nodiscard]] ModelArchitecture architecture_of(std::string_view name, const DecisionInput& input);
/// Error (Input): the field that is wrong; the model is one of another domain.
[[nodiscard]] Result<DecisionInput> read_decision_input(const ModelArchitecture& architecture,
                                                        const Domain& domain);

/// Of these workloads (places in the set), their configurations, and the machines that have times of them.
/// A workload whose facts can't be had has none.
[[nodiscard]] DecisionInput fit_decision_input(const TaskSet& tasks, std::span<const std::size_t> workloads,
                                               const ConfigurationCodec& codec, bool reads_machine = false);

/// Absent: the text is not that of a finite number.
[[nodiscard]] std::optional<double> decision_number(std::string_view value);

/// How one configuration makes one decision.
struct DecisionReading {
    static constexpr std::int64_t unknown = 0; ///< a value that was not seen
    static constexpr std::int64_t absent = 1;  ///< the configuration does not make this decision
    /// Or 2 + the place of its value.
    std::int64_t category = absent;
    std::optional<double> number{}; ///< of a value that is one, where all that were seen are
};

/// Reads configurations by hash maps: 18,000 of 12 decisions take about a tenth of a second.
class DecisionReader {
public:
    /// The codec is that of the input's setting.
    DecisionReader(std::vector<DecisionColumn> columns, std::shared_ptr<const ConfigurationCodec> codec);

    [[nodiscard]] const std::vector<DecisionColumn>& columns() const { return columns_; }
    /// One for each column. Decisions that are in no column are left out.
    void read(const Configuration& configuration, std::span<DecisionReading> readings) const;

private:
    struct Value {
        std::int64_t category = DecisionReading::unknown;
        std::optional<double> number{};
    };

    std::vector<DecisionColumn> columns_;
    std::shared_ptr<const ConfigurationCodec> codec_;
    std::unordered_map<std::string, std::size_t> places_;                ///< of columns by key
    std::vector<std::unordered_map<std::string, Value>> values_by_text_; ///< of each column
};

} // namespace sparsight

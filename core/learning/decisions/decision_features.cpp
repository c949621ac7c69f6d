#include "learning/decisions/decision_features.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

/// As they are, for trees.
std::vector<double> unscaled(std::span<const FactColumn> facts, const NamedFacts::Numbers& known) {
    std::vector<double> numbers;
    for (const FactColumn& fact : facts) {
        const auto found = known.find(fact.name);
        numbers.push_back(found == known.end() ? 0 : found->second);
        numbers.push_back(found == known.end() ? 0 : 1);
    }
    return numbers;
}

class DecisionFeatures final : public TreeFeatures {
public:
    DecisionFeatures(DecisionInput input, std::shared_ptr<const ConfigurationCodec> codec)
        : input_(std::move(input))
        , reader_(input_.decisions, std::move(codec)) {}

    [[nodiscard]] ModelArchitecture architecture() const override {
        return architecture_of(trees_architecture, input_);
    }
    [[nodiscard]] std::string subject() const override {
        return input_.setting.text.empty() ? input_.setting.domain : input_.setting.text;
    }
    [[nodiscard]] std::vector<std::string> names() const override {
        std::vector<std::string> names;
        for (const FactColumn& fact : input_.facts)
            names.insert(names.end(), {fact.name, fact.name + " is known"});
        for (const FactColumn& fact : input_.machine_facts)
            names.insert(names.end(), {"machine: " + fact.name, "machine: " + fact.name + " is known"});
        for (const DecisionColumn& decision : input_.decisions)
            names.push_back(decision.key);
        return names;
    }

    [[nodiscard]] bool reads_payload() const override { return true; }
    [[nodiscard]] std::vector<double> statistics(const Payload& payload, int) const override {
        return unscaled(input_.facts, static_cast<const NamedFacts&>(payload).numbers());
    }
    [[nodiscard]] std::vector<double> machine_numbers(const MachineDescription* machine) const override {
        return unscaled(input_.machine_facts, machine == nullptr ? NamedFacts::Numbers() : machine->facts);
    }
    [[nodiscard]] std::vector<float> rows(std::span<const double> statistics,
                                          std::span<const Configuration> configurations) const override {
        std::vector<float> table;
        std::vector<DecisionReading> readings(input_.decisions.size());
        for (const Configuration& configuration : configurations) {
            for (const double number : statistics)
                table.push_back(tree_number(number));
            reader_.read(configuration, readings);
            for (std::size_t place = 0; place < readings.size(); ++place)
                table.push_back(feature(input_.decisions[place], readings[place]));
        }
        return table;
    }

private:
    /// xgboost refuses what is infinite.
    static float tree_number(double number) {
        constexpr double largest = std::numeric_limits<float>::max() / 4;
        return static_cast<float>(std::clamp(number, -largest, largest));
    }
    /// What is absent is smaller than every value.
    static float feature(const DecisionColumn& column, const DecisionReading& reading) {
        constexpr float smallest = std::numeric_limits<float>::lowest() / 2;
        if (column.are_numbers)
            return reading.number ? tree_number(*reading.number) : smallest;
        return static_cast<float>(reading.category);
    }

    DecisionInput input_;
    DecisionReader reader_;
};

} // namespace

std::shared_ptr<const TreeFeatures> decision_features(DecisionInput input,
                                                      std::shared_ptr<const ConfigurationCodec> codec) {
    return std::make_shared<const DecisionFeatures>(std::move(input), std::move(codec));
}

} // namespace sparsight

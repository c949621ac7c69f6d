#include "learning/decisions/decision_network.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tensor.h>
#include <utility>

namespace sparsight {

at::Tensor perceptron(const NamedTensors& parameters, const std::string& name, const at::Tensor& input) {
    return linear(parameters, name + ".2", at::relu(linear(parameters, name + ".0", input)));
}

void add_perceptron(std::vector<NetworkParameter>& list, const std::string& name, std::int64_t out,
                    std::int64_t hidden, std::int64_t in) {
    add_linear(list, name + ".0", hidden, in);
    add_linear(list, name + ".2", out, hidden);
}

namespace {

constexpr std::int64_t hidden_width = 128;
constexpr std::int64_t machine_width = 32;

template <typename Number>
at::Tensor to_tensor(std::vector<Number> numbers, at::IntArrayRef shape, at::ScalarType type) {
    return at::from_blob(numbers.data(), shape, at::TensorOptions(type)).clone();
}

/// Of each fact its value and 1, or twice 0 where it is unknown.
void add_scaled(std::vector<float>& numbers, std::span<const FactColumn> facts,
                const NamedFacts::Numbers& known) {
    for (const FactColumn& fact : facts) {
        const auto found = known.find(fact.name);
        numbers.push_back(found == known.end() ? 0.0F : static_cast<float>(fact.scale.apply(found->second)));
        numbers.push_back(found == known.end() ? 0.0F : 1.0F);
    }
}

class EncodedFacts final : public EncodedWorkload {
public:
    explicit EncodedFacts(at::Tensor numbers)
        : numbers_(std::move(numbers)) {}
    [[nodiscard]] std::int64_t kept_size() const override { return 0; }
    [[nodiscard]] const at::Tensor& numbers() const { return numbers_; }

private:
    at::Tensor numbers_;
};

class EncodedDecisions final : public EncodedConfigurations {
public:
    explicit EncodedDecisions(DecisionTensors tensors)
        : tensors_(std::move(tensors)) {}
    [[nodiscard]] std::shared_ptr<const EncodedConfigurations>
    select(std::span<const std::size_t> rows) const override {
        const std::vector<std::int64_t> places(rows.begin(), rows.end());
        const at::Tensor index = at::tensor(places, at::kLong).to(tensors_.numbers.device());
        const auto selected = [&](const at::Tensor& of) { return at::index_select(of, 0, index); };
        return std::make_shared<const EncodedDecisions>(
            DecisionTensors{selected(tensors_.values), selected(tensors_.known), selected(tensors_.numbers)});
    }
    [[nodiscard]] const DecisionTensors& tensors() const { return tensors_; }

private:
    DecisionTensors tensors_;
};

} // namespace

DecisionNetwork::DecisionNetwork(DecisionInput input, std::shared_ptr<const ConfigurationCodec> codec)
    : input_(std::move(input))
    , reader_(input_.decisions, std::move(codec)) {
    for (const DecisionColumn& decision : input_.decisions) {
        first_rows_.push_back(table_rows_);
        table_rows_ += 1 + std::ssize(decision.values); // the first one: it is absent
    }
}

ModelArchitecture DecisionNetwork::architecture() const {
    return architecture_of(name(), input_);
}

std::vector<NetworkParameter> DecisionNetwork::parameters() const {
    // Inputs begin with a 1, so that there is one where nothing is known.
    std::vector<NetworkParameter> list;
    add_perceptron(list, "facts", hidden_width, hidden_width, 1 + 2 * std::ssize(input_.facts));
    std::int64_t width = hidden_width;
    if (input_.reads_machine) {
        add_perceptron(list, "machine", machine_width, 2 * machine_width,
                       static_cast<std::int64_t>(machine_feature_count()) +
                           2 * std::ssize(input_.machine_facts));
        width += machine_width;
    }
    add_linear(list, "workload", embedding_width, width);
    if (table_rows_ > 0)
        list.push_back({{"values.weight", {table_rows_, value_width}}, Initial::Normal, 1});
    add_configuration_parameters(list);
    add_predictor(list, embedding_width);
    return list;
}

std::vector<float> DecisionNetwork::machine_numbers(const MachineDescription& machine) const {
    std::vector<float> numbers = machine_features(machine);
    add_scaled(numbers, input_.machine_facts, machine.facts);
    return numbers;
}

std::shared_ptr<const EncodedWorkload>
DecisionNetwork::encode_workload(const Payload* payload, std::span<const double>,
                                 const EncodingOptions& options) const {
    std::vector<float> numbers{1};
    add_scaled(numbers, input_.facts, static_cast<const NamedFacts&>(*payload).numbers());
    const auto width = std::ssize(numbers);
    return std::make_shared<const EncodedFacts>(
        to_tensor(std::move(numbers), {1, width}, at::kFloat).to(options.device));
}

std::shared_ptr<const EncodedConfigurations>
DecisionNetwork::encode_configurations(std::span<const Configuration> configurations,
                                       at::Device device) const {
    const std::size_t width = input_.decisions.size();
    const auto count = std::ssize(configurations);
    const auto decisions = static_cast<std::int64_t>(width);
    const DecisionTensors tensors{at::empty({count, decisions}, at::kLong),
                                  at::empty({count, decisions, 1}, at::kFloat),
                                  at::empty({count, decisions}, at::kFloat)};
    auto* values = tensors.values.data_ptr<std::int64_t>();
    auto* known = tensors.known.data_ptr<float>();
    auto* numbers = tensors.numbers.data_ptr<float>();
    std::vector<DecisionReading> readings(width);
    for (const Configuration& configuration : configurations) {
        reader_.read(configuration, readings);
        for (std::size_t place = 0; place < width; ++place) {
            const DecisionReading& reading = readings[place];
            const bool is_known = reading.category != DecisionReading::unknown;
            *values++ = is_known ? first_rows_[place] + reading.category - DecisionReading::absent : 0;
            *known++ = is_known ? 1.0F : 0.0F;
            *numbers++ = reading.number
                             ? static_cast<float>(input_.decisions[place].scale.apply(*reading.number))
                             : 0.0F;
        }
    }
    return std::make_shared<const EncodedDecisions>(
        DecisionTensors{tensors.values.to(device), tensors.known.to(device), tensors.numbers.to(device)});
}

at::Tensor DecisionNetwork::embed_workload(const NamedTensors& parameters, const EncodedWorkload& workload,
                                           const at::Tensor& machine) const {
    const at::Tensor& like = parameters["workload.weight"];
    const auto numbers = [&](const at::Tensor& input) { return input.to(like.device(), like.scalar_type()); };
    at::Tensor read =
        perceptron(parameters, "facts", numbers(static_cast<const EncodedFacts&>(workload).numbers()));
    if (input_.reads_machine)
        read = at::cat({read, perceptron(parameters, "machine", numbers(machine).unsqueeze(0))}, 1);
    return linear(parameters, "workload", at::relu(read)).squeeze(0);
}

at::Tensor DecisionNetwork::embed_configurations(const NamedTensors& parameters,
                                                 const EncodedConfigurations& configurations) const {
    const DecisionTensors& tensors = static_cast<const EncodedDecisions&>(configurations).tensors();
    const at::Tensor& like = parameters["workload.weight"];
    return embed_decisions(parameters, {tensors.values.to(like.device()),
                                        tensors.known.to(like.device(), like.scalar_type()),
                                        tensors.numbers.to(like.device(), like.scalar_type())});
}

at::Tensor DecisionNetwork::embed_values(const NamedTensors& parameters, const DecisionTensors& decisions) {
    return at::embedding(parameters["values.weight"], decisions.values).mul(decisions.known);
}

} // namespace sparsight

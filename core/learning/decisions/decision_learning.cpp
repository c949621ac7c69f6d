#include "learning/decisions/decision_learning.h"

#include "learning/tasks/stored_tasks.h"
#include "model/cost_model.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

constexpr std::int64_t hidden_width = 128;
constexpr std::int64_t machine_width = 32;
constexpr std::int64_t value_width = 16; ///< of the embedding of a decision's value

const NamedFacts& facts_of(const Payload& payload) {
    return static_cast<const NamedFacts&>(payload);
}

template <typename Number>
at::Tensor to_tensor(std::vector<Number> numbers, at::IntArrayRef shape, at::ScalarType type) {
    return at::from_blob(numbers.data(), shape, at::TensorOptions(type)).clone();
}

/// Two linear layers with a ReLU between them.
at::Tensor perceptron(const NamedTensors& parameters, const std::string& name, const at::Tensor& input) {
    return linear(parameters, name + ".2", at::relu(linear(parameters, name + ".0", input)));
}

void add_perceptron(std::vector<NetworkParameter>& list, const std::string& name, std::int64_t out,
                    std::int64_t hidden, std::int64_t in) {
    add_linear(list, name + ".0", hidden, in);
    add_linear(list, name + ".2", out, hidden);
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

class EncodedFacts final : public EncodedWorkload {
public:
    explicit EncodedFacts(at::Tensor numbers)
        : numbers_(std::move(numbers)) {}
    [[nodiscard]] std::int64_t kept_size() const override { return 0; }
    [[nodiscard]] const at::Tensor& numbers() const { return numbers_; }

private:
    at::Tensor numbers_;
};

struct DecisionTensors {
    at::Tensor rows;    ///< [n, decisions]: of the table of embeddings
    at::Tensor known;   ///< [n, decisions, 1]: 0 where the value is unknown
    at::Tensor numbers; ///< [n, 1 + decisions whose values are numbers]
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
            DecisionTensors{selected(tensors_.rows), selected(tensors_.known), selected(tensors_.numbers)});
    }
    [[nodiscard]] const DecisionTensors& tensors() const { return tensors_; }

private:
    DecisionTensors tensors_;
};

class DecisionEncoder final : public EmbeddingEncoder {
public:
    DecisionEncoder(DecisionInput input, std::shared_ptr<const ConfigurationCodec> codec)
        : input_(std::move(input))
        , reader_(input_.decisions, std::move(codec)) {
        for (const DecisionColumn& decision : input_.decisions) {
            first_rows_.push_back(table_rows_);
            table_rows_ += 1 + std::ssize(decision.values); // the first one: it is absent
            numbers_ += decision.are_numbers ? 1 : 0;
        }
    }

    [[nodiscard]] ModelArchitecture architecture() const override {
        return architecture_of(decision_architecture, input_);
    }

    [[nodiscard]] std::vector<NetworkParameter> parameters() const override {
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
        add_perceptron(list, "decisions", embedding_width, hidden_width,
                       1 + numbers_ + value_width * std::ssize(input_.decisions));
        add_predictor(list, embedding_width);
        return list;
    }

    [[nodiscard]] bool reads_payload() const override { return true; }
    [[nodiscard]] bool reads_machine() const override { return input_.reads_machine; }
    [[nodiscard]] std::vector<float> machine_numbers(const MachineDescription& machine) const override {
        std::vector<float> numbers = machine_features(machine);
        add_scaled(numbers, input_.machine_facts, machine.facts);
        return numbers;
    }
    /// The payload has all.
    [[nodiscard]] std::vector<double> statistics(const Payload&, int) const override { return {}; }

    [[nodiscard]] std::shared_ptr<const EncodedWorkload>
    encode_workload(const Payload* payload, std::span<const double>,
                    const EncodingOptions& options) const override {
        const NamedFacts::Numbers& known = facts_of(*payload).numbers();
        std::vector<float> numbers{1};
        add_scaled(numbers, input_.facts, known);
        const auto width = std::ssize(numbers);
        return std::make_shared<const EncodedFacts>(
            to_tensor(std::move(numbers), {1, width}, at::kFloat).to(options.device));
    }

    [[nodiscard]] std::shared_ptr<const EncodedConfigurations>
    encode_configurations(std::span<const Configuration> configurations, at::Device device) const override {
        const std::size_t width = input_.decisions.size();
        std::vector<std::int64_t> rows;
        std::vector<float> known;
        std::vector<float> numbers;
        rows.reserve(configurations.size() * width);
        known.reserve(configurations.size() * width);
        numbers.reserve(configurations.size() * static_cast<std::size_t>(1 + numbers_));
        std::vector<DecisionReading> readings(width);
        for (const Configuration& configuration : configurations) {
            reader_.read(configuration, readings);
            numbers.push_back(1);
            for (std::size_t place = 0; place < width; ++place) {
                const DecisionReading& reading = readings[place];
                const bool is_known = reading.category != DecisionReading::unknown;
                rows.push_back(is_known ? first_rows_[place] + reading.category - DecisionReading::absent
                                        : 0);
                known.push_back(is_known ? 1.0F : 0.0F);
                if (const DecisionColumn& column = input_.decisions[place]; column.are_numbers)
                    numbers.push_back(reading.number ? static_cast<float>(column.scale.apply(*reading.number))
                                                     : 0.0F);
            }
        }
        const auto count = std::ssize(configurations);
        const auto decisions = static_cast<std::int64_t>(width);
        return std::make_shared<const EncodedDecisions>(
            DecisionTensors{to_tensor(std::move(rows), {count, decisions}, at::kLong).to(device),
                            to_tensor(std::move(known), {count, decisions, 1}, at::kFloat).to(device),
                            to_tensor(std::move(numbers), {count, 1 + numbers_}, at::kFloat).to(device)});
    }

    [[nodiscard]] at::Tensor embed_workload(const NamedTensors& parameters, const EncodedWorkload& workload,
                                            const at::Tensor& machine) const override {
        const at::Tensor& like = parameters["workload.weight"];
        const auto numbers = [&](const at::Tensor& input) {
            return input.to(like.device(), like.scalar_type());
        };
        at::Tensor read =
            perceptron(parameters, "facts", numbers(static_cast<const EncodedFacts&>(workload).numbers()));
        if (input_.reads_machine)
            read = at::cat({read, perceptron(parameters, "machine", numbers(machine).unsqueeze(0))}, 1);
        return linear(parameters, "workload", at::relu(read)).squeeze(0);
    }

    [[nodiscard]] at::Tensor
    embed_configurations(const NamedTensors& parameters,
                         const EncodedConfigurations& configurations) const override {
        const DecisionTensors& tensors = static_cast<const EncodedDecisions&>(configurations).tensors();
        const at::Tensor& like = parameters["decisions.0.weight"];
        at::Tensor read = tensors.numbers.to(like.device(), like.scalar_type());
        if (table_rows_ > 0) {
            const at::Tensor values =
                at::embedding(parameters["values.weight"], tensors.rows.to(like.device()))
                    .mul(tensors.known.to(like.device(), like.scalar_type()));
            read = at::cat({read, values.flatten(1)}, 1);
        }
        return perceptron(parameters, "decisions", read);
    }

private:
    DecisionInput input_;
    DecisionReader reader_;
    std::vector<std::int64_t> first_rows_; ///< of each decision in the table of embeddings
    std::int64_t table_rows_ = 0;
    std::int64_t numbers_ = 0; ///< decisions whose values are numbers
};

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
        return unscaled(input_.facts, facts_of(payload).numbers());
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

std::shared_ptr<const Encoder> decision_encoder(DecisionInput input,
                                                std::shared_ptr<const ConfigurationCodec> codec) {
    return std::make_shared<const DecisionEncoder>(std::move(input), std::move(codec));
}

std::shared_ptr<const TreeFeatures> decision_features(DecisionInput input,
                                                      std::shared_ptr<const ConfigurationCodec> codec) {
    return std::make_shared<const DecisionFeatures>(std::move(input), std::move(codec));
}

std::span<const ArchitectureChoice> DecisionLearning::architectures() const {
    static constexpr std::array choices{
        ArchitectureChoice{decision_architecture,
                           "a perceptron over the facts of a workload and the decisions of a configuration"}};
    return choices;
}

std::shared_ptr<const Encoder> DecisionLearning::new_encoder(const ArchitectureRequest& network) const {
    // Settings of a task set are those of its domain.
    auto codec = domain_.codec(network.tasks.setting).value();
    DecisionInput input = fit_decision_input(network.tasks, network.train, *codec, network.reads_machine);
    return decision_encoder(std::move(input), std::move(codec));
}

std::shared_ptr<const TreeFeatures>
DecisionLearning::new_tree_features(const ArchitectureRequest& trees) const {
    auto codec = domain_.codec(trees.tasks.setting).value();
    DecisionInput input = fit_decision_input(trees.tasks, trees.train, *codec, trees.reads_machine);
    return decision_features(std::move(input), std::move(codec));
}

Result<std::shared_ptr<const Encoder>>
DecisionLearning::encoder(const ModelArchitecture& architecture) const {
    if (architecture.name != decision_architecture)
        return fail(Fault::Input, fmt::format("architecture is {:?}, which is not known here",
                                              architecture.name.substr(0, 40)));
    auto input = read_decision_input(architecture, domain_);
    if (!input)
        return std::unexpected(std::move(input).error());
    auto codec = domain_.codec(input->setting);
    if (!codec)
        return std::unexpected(std::move(codec).error());
    return decision_encoder(*std::move(input), *std::move(codec));
}

Result<std::shared_ptr<const TreeFeatures>>
DecisionLearning::tree_features(const ModelArchitecture& architecture) const {
    auto input = read_decision_input(architecture, domain_);
    if (!input)
        return std::unexpected(std::move(input).error());
    auto codec = domain_.codec(input->setting);
    if (!codec)
        return std::unexpected(std::move(codec).error());
    return decision_features(*std::move(input), *std::move(codec));
}

std::unique_ptr<CostModel> DecisionLearning::blend_with_simulator(std::unique_ptr<CostModel> network) const {
    return network;
}

std::string DecisionLearning::purpose(const ModelArchitecture& model) const {
    const auto input = read_decision_input(model, domain_);
    return input ? purpose(input->setting) : std::string();
}

std::string DecisionLearning::purpose(const Setting& setting) const {
    return setting.text.empty() ? std::string(domain_.name()) : setting.text;
}

Result<Setting> DecisionLearning::setting_of(const ModelArchitecture& model, const SettingOptions&) const {
    auto input = read_decision_input(model, domain_);
    if (!input)
        return std::unexpected(std::move(input).error());
    return std::move(input->setting);
}

std::unique_ptr<TaskStorage> DecisionLearning::task_storage(Workspace& workspace) const {
    return std::make_unique<StoredTasks>(workspace, domain_);
}

} // namespace sparsight

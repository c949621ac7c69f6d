#include "learning/decisions/decision_learning.h"

#include "learning/decisions/attention_encoder.h"
#include "learning/decisions/decision_features.h"
#include "learning/decisions/perceptron_encoder.h"
#include "learning/tasks/stored_tasks.h"
#include "model/cost_model.h"

#include <array>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

using EncoderMaker = std::shared_ptr<const Encoder> (*)(DecisionInput,
                                                        std::shared_ptr<const ConfigurationCodec>);

/// nullptr where there is no such architecture.
EncoderMaker maker_of(std::string_view architecture) {
    if (architecture == perceptron_architecture || architecture == earlier_perceptron_architecture)
        return perceptron_encoder;
    return architecture == attention_architecture ? attention_encoder : nullptr;
}

} // namespace

std::span<const ArchitectureChoice> DecisionLearning::architectures() const {
    static constexpr std::array choices{
        ArchitectureChoice{perceptron_architecture,
                           "a perceptron over the facts of a workload and the decisions of a configuration",
                           earlier_perceptron_architecture},
        ArchitectureChoice{attention_architecture,
                           "a bidirectional LSTM with attention over the sequence of decisions"}};
    return choices;
}

std::shared_ptr<const Encoder> DecisionLearning::new_encoder(const ArchitectureRequest& network) const {
    // Settings of a task set are those of its domain.
    auto codec = domain_.codec(network.tasks.setting).value();
    DecisionInput input = fit_decision_input(network.tasks, network.train, *codec, network.reads_machine);
    return maker_of(network.architecture)(std::move(input), std::move(codec));
}

std::shared_ptr<const TreeFeatures>
DecisionLearning::new_tree_features(const ArchitectureRequest& trees) const {
    auto codec = domain_.codec(trees.tasks.setting).value();
    DecisionInput input = fit_decision_input(trees.tasks, trees.train, *codec, trees.reads_machine);
    return decision_features(std::move(input), std::move(codec));
}

Result<std::shared_ptr<const Encoder>>
DecisionLearning::encoder(const ModelArchitecture& architecture) const {
    const auto make = maker_of(architecture.name);
    if (make == nullptr)
        return fail(Fault::Input, fmt::format("architecture is {:?}, which is not known here",
                                              architecture.name.substr(0, 40)));
    auto input = read_decision_input(architecture, domain_);
    if (!input)
        return std::unexpected(std::move(input).error());
    auto codec = domain_.codec(input->setting);
    if (!codec)
        return std::unexpected(std::move(codec).error());
    return make(*std::move(input), *std::move(codec));
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

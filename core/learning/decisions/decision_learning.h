// Learning in a domain that brings no models of its own: from the facts of its workloads, the decisions of
// its configurations and the times in a workspace.
#pragma once

#include "learning/decisions/decision_input.h"
#include "learning/learning_domain.h"
#include "model/networks/encoder.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sparsight {

inline constexpr std::string_view decision_architecture = "statistics";

/// A perceptron over the facts, each with a flag that says whether it is known, another one over the machine
/// and its facts, and a third one over the decisions: an embedding of the value of each, and the number where
/// values are numbers. An unknown value has an embedding of zeros, and its number. The codec is that of the
/// input's setting.
[[nodiscard]] std::shared_ptr<const Encoder>
decision_encoder(DecisionInput input, std::shared_ptr<const ConfigurationCodec> codec);

/// Facts and decisions as numbers: a value that is none is its place among those that were seen. Of a machine
/// they read what its sheet says.
[[nodiscard]] std::shared_ptr<const TreeFeatures>
decision_features(DecisionInput input, std::shared_ptr<const ConfigurationCodec> codec);

class DecisionLearning final : public LearningDomain {
public:
    /// The domain must outlive it.
    explicit DecisionLearning(const Domain& domain)
        : domain_(domain) {}

    [[nodiscard]] const Domain& domain() const override { return domain_; }
    [[nodiscard]] std::span<const ArchitectureChoice> architectures() const override;
    [[nodiscard]] std::shared_ptr<const Encoder>
    new_encoder(const ArchitectureRequest& network) const override;
    [[nodiscard]] std::shared_ptr<const TreeFeatures>
    new_tree_features(const ArchitectureRequest& trees) const override;

    [[nodiscard]] Result<std::shared_ptr<const Encoder>>
    encoder(const ModelArchitecture& architecture) const override;
    [[nodiscard]] Result<std::shared_ptr<const TreeFeatures>>
    tree_features(const ModelArchitecture& architecture) const override;
    /// There is no simulator, so that no such model can have been made: the network as it is.
    [[nodiscard]] std::unique_ptr<CostModel>
    blend_with_simulator(std::unique_ptr<CostModel> network) const override;

    /// The setting's text, or the domain's name where that is empty.
    [[nodiscard]] std::string purpose(const ModelArchitecture& model) const override;
    [[nodiscard]] std::string purpose(const Setting& setting) const override;
    /// That of the model, which leaves nothing open.
    [[nodiscard]] Result<Setting> setting_of(const ModelArchitecture& model,
                                             const SettingOptions& options) const override;

    [[nodiscard]] std::unique_ptr<TaskStorage> task_storage(Workspace& workspace) const override;

private:
    const Domain& domain_;
};

} // namespace sparsight

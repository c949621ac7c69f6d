// Learning in a domain without models of its own: from the facts of its workloads, the decisions of its
// configurations, and the times in a workspace.
#pragma once

#include "learning/learning_domain.h"
#include "model/networks/encoder.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sparsight {

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
    /// Returns the network unchanged: without a simulator, no blended model can exist.
    [[nodiscard]] std::unique_ptr<CostModel>
    blend_with_simulator(std::unique_ptr<CostModel> network) const override;

    /// The setting's text, or the domain's name where the text is empty.
    [[nodiscard]] std::string purpose(const ModelArchitecture& model) const override;
    [[nodiscard]] std::string purpose(const Setting& setting) const override;
    /// The setting of the model, which is complete.
    [[nodiscard]] Result<Setting> setting_of(const ModelArchitecture& model,
                                             const SettingOptions& options) const override;

    [[nodiscard]] std::unique_ptr<TaskStorage> task_storage(Workspace& workspace) const override;

private:
    const Domain& domain_;
};

} // namespace sparsight

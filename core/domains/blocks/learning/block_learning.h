// Learning the times of basic blocks.
#pragma once

#include "domains/blocks/learning/block_payload.h"
#include "learning/learning_domain.h"

#include <memory>
#include <span>
#include <string>

namespace sparsight {

class BlockLearning final : public LearningDomain {
public:
    /// The domain must outlive it.
    BlockLearning(const Domain& domain, DecodeBlocks decode)
        : domain_(domain)
        , decode_(std::move(decode)) {}

    [[nodiscard]] const Domain& domain() const override { return domain_; }
    [[nodiscard]] std::span<const ArchitectureChoice> architectures() const override;
    [[nodiscard]] TrainingOptions usual_training() const override;
    [[nodiscard]] std::shared_ptr<const Encoder>
    new_encoder(const ArchitectureRequest& network) const override;
    [[nodiscard]] std::shared_ptr<const TreeFeatures>
    new_tree_features(const ArchitectureRequest& trees) const override;

    [[nodiscard]] Result<std::shared_ptr<const Encoder>>
    encoder(const ModelArchitecture& architecture) const override;
    [[nodiscard]] Result<std::shared_ptr<const TreeFeatures>>
    tree_features(const ModelArchitecture& architecture) const override;
    /// Returns the network unchanged: no model is blended here.
    [[nodiscard]] std::unique_ptr<CostModel>
    blend_with_simulator(std::unique_ptr<CostModel> network) const override;

    [[nodiscard]] std::string purpose(const ModelArchitecture& model) const override;
    [[nodiscard]] std::string purpose(const Setting& setting) const override;
    [[nodiscard]] Result<Setting> setting_of(const ModelArchitecture& model,
                                             const SettingOptions& options) const override;
    [[nodiscard]] std::unique_ptr<TaskStorage> task_storage(Workspace& workspace) const override;

private:
    const Domain& domain_;
    DecodeBlocks decode_;
};

} // namespace sparsight

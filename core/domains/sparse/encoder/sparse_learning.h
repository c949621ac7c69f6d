// Learning from matrices and SuperSchedules: their networks, the features of their trees, and their blend
// with the mechanistic simulator.
#pragma once

#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/encoder/simulator_blending.h"
#include "domains/sparse/tensor/pattern.h"
#include "learning/learning_domain.h"
#include "model/cost_model.h"
#include "model/networks/encoder.h"

#include <memory>
#include <span>
#include <stop_token>
#include <string>

namespace sparsight {

class SparseLearning final : public LearningDomain {
public:
    SparseLearning();

    [[nodiscard]] Result<std::shared_ptr<const Encoder>>
    encoder(const ModelArchitecture& architecture) const override;
    [[nodiscard]] Result<std::shared_ptr<const TreeFeatures>>
    tree_features(const ModelArchitecture& architecture) const override;
    [[nodiscard]] std::unique_ptr<CostModel>
    blend_with_simulator(std::unique_ptr<CostModel> network) const override;

    [[nodiscard]] const Domain& domain() const override { return *domain_; }
    [[nodiscard]] std::span<const ArchitectureChoice> architectures() const override;
    [[nodiscard]] std::shared_ptr<const Encoder>
    new_encoder(const ArchitectureRequest& network) const override;
    [[nodiscard]] std::shared_ptr<const TreeFeatures>
    new_tree_features(const ArchitectureRequest& trees) const override;

    /// The operator.
    [[nodiscard]] std::string purpose(const ModelArchitecture& model) const override;
    [[nodiscard]] std::string purpose(const Setting& setting) const override;
    /// A model leaves the dense extent open.
    [[nodiscard]] Result<Setting> setting_of(const ModelArchitecture& model,
                                             const SettingOptions& options) const override;
    [[nodiscard]] std::unique_ptr<TaskStorage> task_storage(Workspace& workspace) const override;

    /// "family:N": N sampled machines; "deviating:N": such that deviate from the simulator; a preset; a
    /// machine of the workspace; "A" and "B", the report's, which follow its formula. All others follow the
    /// mechanistic simulator.
    [[nodiscard]] Result<ImaginedMachineTasks> imagine(Workspace& workspace,
                                                       const ImaginationRequest& request,
                                                       const std::stop_token& stop,
                                                       const ProgressSink& progress) const override;
    [[nodiscard]] Result<std::size_t> imagine_workloads(Workspace& workspace, std::size_t present,
                                                        std::uint64_t seed) const override;
    [[nodiscard]] const SimulatorBlending* blending() const override { return &blending_; }

private:
    std::unique_ptr<const Domain> domain_;
    MechanisticBlending blending_;
};

[[nodiscard]] std::shared_ptr<const Encoder> sparse_encoder(NetworkDescription network);
/// Every statistic of domains/sparse/tensor/statistics.h, then of the schedule: log2 of each split, the four
/// formats, the parallel loop, log2 of the chunk, the depth of each loop.
[[nodiscard]] std::shared_ptr<const TreeFeatures> schedule_features(Operator op);

/// The operator of a model whose description was read or made here.
[[nodiscard]] Operator model_operator(const ModelDescription& model);

} // namespace sparsight

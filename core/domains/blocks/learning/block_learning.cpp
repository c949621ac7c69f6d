#include "domains/blocks/learning/block_learning.h"

#include "domains/blocks/block_domain.h"
#include "domains/blocks/learning/block_input.h"
#include "domains/blocks/learning/block_tasks.h"
#include "domains/blocks/learning/block_tree_features.h"
#include "model/cost_model.h"

#include <array>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

std::span<const ArchitectureChoice> BlockLearning::architectures() const {
    static constexpr std::array choices{
        ArchitectureChoice{gray_trees_architecture,
                           "boosted trees that correct the bound of a block's cycles, which needs\ntables of "
                           "ports (import-blocks --table)"}};
    return choices;
}

/// The papers' losses are relative, too, and their batches of a hundred blocks.
TrainingOptions BlockLearning::usual_training() const {
    TrainingOptions usual;
    usual.loss = Loss::RelativeError;
    usual.epochs = 30;
    usual.rate = 1e-3;
    usual.rate_schedule = RateSchedule::Cosine;
    usual.longest_gradient = 1;
    usual.workloads_per_step = 100;
    return usual;
}

std::shared_ptr<const Encoder> BlockLearning::new_encoder(const ArchitectureRequest&) const {
    return nullptr; // there are no networks
}

std::shared_ptr<const TreeFeatures> BlockLearning::new_tree_features(const ArchitectureRequest& trees) const {
    return block_tree_features(fit_block_input(trees.tasks, trees.train),
                               trees.architecture == gray_trees_architecture);
}

Result<std::shared_ptr<const Encoder>> BlockLearning::encoder(const ModelArchitecture& architecture) const {
    return fail(Fault::Input, fmt::format("architecture is {:?}, which is not known here",
                                          architecture.name.substr(0, 40)));
}

Result<std::shared_ptr<const TreeFeatures>>
BlockLearning::tree_features(const ModelArchitecture& architecture) const {
    auto input = read_block_input(architecture);
    if (!input)
        return std::unexpected(std::move(input).error());
    return block_tree_features(*std::move(input), architecture.name == gray_trees_architecture);
}

std::unique_ptr<CostModel> BlockLearning::blend_with_simulator(std::unique_ptr<CostModel> network) const {
    return network;
}

std::string BlockLearning::purpose(const ModelArchitecture&) const {
    return std::string(blocks_domain);
}

std::string BlockLearning::purpose(const Setting&) const {
    return std::string(blocks_domain);
}

Result<Setting> BlockLearning::setting_of(const ModelArchitecture&, const SettingOptions&) const {
    return Setting{std::string(blocks_domain), {}};
}

std::unique_ptr<TaskStorage> BlockLearning::task_storage(Workspace& workspace) const {
    return std::make_unique<BlockTasks>(workspace, domain_, decode_);
}

} // namespace sparsight

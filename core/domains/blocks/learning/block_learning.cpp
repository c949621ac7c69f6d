#include "domains/blocks/learning/block_learning.h"

#include "domains/blocks/block_domain.h"
#include "domains/blocks/learning/block_input.h"
#include "domains/blocks/learning/block_tasks.h"
#include "domains/blocks/learning/block_tree_features.h"
#include "domains/blocks/learning/networks/granite_encoder.h"
#include "domains/blocks/learning/networks/ithemal_encoder.h"
#include "model/cost_model.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

/// GRANITE, and its paper's ablations of it.
struct GraniteVariant {
    std::string_view name;
    GraniteDescription settings;
};

const std::array<GraniteVariant, 4>& granite_variants() {
    static const std::array<GraniteVariant, 4> variants{
        GraniteVariant{granite_architecture, {}},
        GraniteVariant{granite_untyped_architecture, {.has_edge_types = false}},
        GraniteVariant{granite_short_architecture, {.iterations = short_iterations}},
        GraniteVariant{granite_global_architecture, {.read_out = GraniteDescription::ReadOut::Global}}};
    return variants;
}

/// nullptr: it is none of them.
const GraniteVariant* granite_variant(std::string_view architecture) {
    const auto found = std::ranges::find(granite_variants(), architecture, &GraniteVariant::name);
    return found == granite_variants().end() ? nullptr : &*found;
}

} // namespace

std::span<const ArchitectureChoice> BlockLearning::architectures() const {
    static constexpr std::array choices{
        ArchitectureChoice{gray_trees_architecture,
                           "boosted trees that correct the bound of a block's cycles, with tables of ports "
                           "(import-blocks --table)"},
        ArchitectureChoice{ithemal_architecture,
                           "Ithemal's LSTM over the tokens of instructions, and one over these"},
        ArchitectureChoice{ithemal_dag_architecture, "the same over the dependencies of instructions"},
        ArchitectureChoice{granite_architecture, "GRANITE's graph network"},
        ArchitectureChoice{granite_untyped_architecture, "GRANITE without types of edges"},
        ArchitectureChoice{granite_short_architecture, "GRANITE with 4 iterations instead of 8"},
        ArchitectureChoice{granite_global_architecture,
                           "GRANITE that reads the time out of the whole graph"}};
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

std::shared_ptr<const Encoder> BlockLearning::new_encoder(const ArchitectureRequest& network) const {
    constexpr int usual_width = 64;
    const int width = network.width > 0 ? network.width : usual_width;
    if (const GraniteVariant* const variant = granite_variant(network.architecture)) {
        GraniteDescription settings = variant->settings;
        settings.width = width;
        return granite_encoder(fit_granite(network.tasks, network.train, std::move(settings)));
    }
    return ithemal_encoder(
        fit_ithemal(network.tasks, network.train, network.architecture == ithemal_dag_architecture, width));
}

std::shared_ptr<const TreeFeatures> BlockLearning::new_tree_features(const ArchitectureRequest& trees) const {
    return block_tree_features(fit_block_input(trees.tasks, trees.train),
                               trees.architecture == gray_trees_architecture);
}

Result<std::shared_ptr<const Encoder>> BlockLearning::encoder(const ModelArchitecture& architecture) const {
    if (granite_variant(architecture.name) != nullptr) {
        auto description = read_granite(architecture);
        if (!description)
            return std::unexpected(std::move(description).error());
        return granite_encoder(*std::move(description));
    }
    if (architecture.name == ithemal_architecture || architecture.name == ithemal_dag_architecture) {
        auto description = read_ithemal(architecture);
        if (!description)
            return std::unexpected(std::move(description).error());
        return ithemal_encoder(*std::move(description));
    }
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

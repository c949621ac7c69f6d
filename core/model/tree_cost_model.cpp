#include "model/boosted_trees.h"
#include "model/cost_model_kinds.h"

#include <utility>

namespace sparsight {
namespace {

std::unexpected<Error> no_embeddings() {
    return fail(Fault::Input, "trees have no embeddings of schedules");
}

class TreeScorer final : public PatternScorer {
public:
    TreeScorer(std::shared_ptr<const BoostedTrees> trees, PatternStatistics statistics)
        : trees_(std::move(trees))
        , statistics_(statistics) {}

    Result<std::vector<float>> score(std::span<const SuperSchedule> schedules) const override {
        return trees_->score(statistics_, schedules);
    }
    Result<std::vector<float>> score_embeddings(std::span<const float>) const override {
        return no_embeddings();
    }

    Result<std::vector<float>> last_inputs(std::span<const SuperSchedule> schedules) const override {
        return trees_->parts(statistics_, schedules);
    }

private:
    std::shared_ptr<const BoostedTrees> trees_;
    PatternStatistics statistics_;
};

class TreeCostModel final : public CostModel {
public:
    TreeCostModel(ModelDescription description, BoostedTrees trees)
        : description_(std::move(description))
        , trees_(std::make_shared<const BoostedTrees>(std::move(trees))) {}

    const ModelDescription& description() const override { return description_; }
    Result<std::unique_ptr<PatternScorer>> embed(const CsrPattern& pattern, const MachineDescription*,
                                                 int threads) const override {
        return std::make_unique<TreeScorer>(trees_, compute_statistics(pattern, threads));
    }
    bool reads_statistics() const override { return true; }
    Result<std::unique_ptr<PatternScorer>> embed_statistics(const PatternStatistics& statistics,
                                                            const MachineDescription*) const override {
        return std::make_unique<TreeScorer>(trees_, statistics);
    }
    std::size_t last_width() const override { return tree_parts; }
    std::size_t embedding_width() const override { return 0; }
    Result<std::vector<float>> embed_schedules(std::span<const SuperSchedule>) const override {
        return no_embeddings();
    }

private:
    ModelDescription description_;
    std::shared_ptr<const BoostedTrees> trees_;
};

} // namespace

Result<std::unique_ptr<CostModel>> make_tree_cost_model(const Checkpoint& checkpoint) {
    Result<BoostedTrees> trees = BoostedTrees::load(checkpoint.model.op(), checkpoint.trees);
    if (!trees)
        return std::unexpected(trees.error());
    return std::make_unique<TreeCostModel>(checkpoint.model, *std::move(trees));
}

} // namespace sparsight

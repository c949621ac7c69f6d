// Blocks that are like the explained one but for random changes.
#pragma once

#include "domains/blocks/code/block_features.h"
#include "domains/blocks/decoder/block_editor.h"
#include "domains/blocks/models/block_model.h"
#include "evaluation/model_reasons/anchor_search.h"

#include <cstddef>
#include <span>
#include <vector>

namespace sparsight {

class ChangedBlocks final : public AnchorSpace {
public:
    /// `candidates` are the features that rules may be made of. Keeps references to model and editor.
    ChangedBlocks(const BlockModel& model, const BlockEditor& editor, std::vector<BlockFeature> candidates,
                  double cycles, double tolerance);

    [[nodiscard]] std::size_t predicates() const override { return candidates_.size(); }
    [[nodiscard]] Result<std::vector<AnchorDraw>> draw(std::span<const std::size_t> kept, std::size_t count,
                                                       Random& random) override;

private:
    struct Changed {
        DecodedBlock block;
        std::vector<bool> holds; ///< which candidates
    };
    /// Tries again where a change that was not meant removed a kept feature.
    [[nodiscard]] Changed changed(std::span<const std::size_t> kept, Random& random) const;
    [[nodiscard]] BlockChange draw_change(std::span<const BlockFeature> kept, Random& random) const;
    [[nodiscard]] std::vector<bool> features_held(const BlockChange& change, const DecodedBlock& block) const;

    const BlockModel& model_;
    const BlockEditor& editor_;
    std::vector<BlockFeature> candidates_;
    std::vector<Dependency> dependencies_; ///< of the block, through named operands
    double cycles_;
    double tolerance_;
};

} // namespace sparsight

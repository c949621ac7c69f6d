#include "domains/blocks/explanation/changed_blocks.h"

#include "domains/blocks/code/dependencies.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace sparsight {
namespace {

/// So many of what no rule keeps are changed: with fewer, a cause that is not kept survives too often where a
/// block has several.
constexpr double changed_share = 0.9;
constexpr double replacing_share = 0.25; ///< of the changed blocks, where the number need not stay

bool is_between(const Dependency& dependency, const BlockFeature& feature) {
    return feature.kind == BlockFeatureKind::Dependency && dependency.from == feature.at &&
           dependency.to == feature.to && dependency.kind == feature.dependency;
}

} // namespace

ChangedBlocks::ChangedBlocks(const BlockModel& model, const BlockEditor& editor,
                             std::vector<BlockFeature> candidates, double cycles, double tolerance)
    : model_(model)
    , editor_(editor)
    , candidates_(std::move(candidates))
    , dependencies_(dependencies_of(editor.block().instructions, {.only_named = true}))
    , cycles_(cycles)
    , tolerance_(tolerance) {}

BlockChange ChangedBlocks::draw_change(std::span<const BlockFeature> kept, Random& random) const {
    const std::size_t count = editor_.block().instructions.size();
    BlockChange change{std::vector<bool>(count), std::vector<bool>(count), {}};
    std::vector<bool> is_kept(count);
    bool keeps_count = random.chance(replacing_share);
    for (const BlockFeature& feature : kept) {
        keeps_count = keeps_count || feature.kind == BlockFeatureKind::InstructionCount;
        if (feature.kind != BlockFeatureKind::InstructionCount)
            is_kept[feature.at] = true;
        if (feature.kind == BlockFeatureKind::Dependency)
            is_kept[feature.to] = true;
    }
    for (std::size_t at = 0; at < count; ++at)
        if (!is_kept[at] && random.chance(changed_share))
            (keeps_count ? change.is_replaced : change.is_left_out)[at] = true;
    if (std::ranges::count(change.is_left_out, true) == static_cast<std::ptrdiff_t>(count)) {
        const std::size_t at = random.below(count); // a block has at least one instruction
        change.is_left_out[at] = false;
        change.is_replaced[at] = true;
    }
    for (const Dependency& dependency : dependencies_) {
        const bool stays = std::ranges::any_of(
            kept, [&](const BlockFeature& feature) { return is_between(dependency, feature); });
        if (!stays && random.chance(changed_share))
            change.broken.push_back(dependency);
    }
    return change;
}

std::vector<bool> ChangedBlocks::features_held(const BlockChange& change, const DecodedBlock& block) const {
    // Where the instructions that are left were in the block.
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < change.is_left_out.size(); ++at)
        if (!change.is_left_out[at])
            places.push_back(at);
    std::set<std::pair<std::pair<std::size_t, std::size_t>, DependencyKind>> found;
    if (places.size() == block.instructions.size())
        for (const Dependency& dependency : dependencies_of(block.instructions, {.only_named = true}))
            found.insert({{places[dependency.from], places[dependency.to]}, dependency.kind});
    const auto stays = [&](std::size_t at) { return !change.is_left_out[at] && !change.is_replaced[at]; };
    std::vector<bool> holds;
    holds.reserve(candidates_.size());
    for (const BlockFeature& feature : candidates_) {
        switch (feature.kind) {
        case BlockFeatureKind::InstructionCount:
            holds.push_back(block.instructions.size() == change.is_left_out.size());
            break;
        case BlockFeatureKind::Instruction:
            holds.push_back(stays(feature.at));
            break;
        case BlockFeatureKind::Dependency:
            holds.push_back(stays(feature.at) && stays(feature.to) &&
                            found.contains({{feature.at, feature.to}, feature.dependency}));
            break;
        }
    }
    return holds;
}

ChangedBlocks::Changed ChangedBlocks::changed(std::span<const std::size_t> kept, Random& random) const {
    std::vector<BlockFeature> features;
    for (const std::size_t place : kept)
        features.push_back(candidates_[place]);
    constexpr int most_tries = 20;
    for (int attempt = 0; attempt < most_tries; ++attempt) {
        const BlockChange change = draw_change(features, random);
        Changed result{editor_.changed(change, random), {}};
        result.holds = features_held(change, result.block);
        if (std::ranges::all_of(kept, [&](std::size_t place) { return result.holds[place]; }))
            return result;
    }
    // Renaming one register broke what another one should keep: the block as it is has all features.
    return {editor_.block(), std::vector<bool>(candidates_.size(), true)};
}

Result<std::vector<AnchorDraw>> ChangedBlocks::draw(std::span<const std::size_t> kept, std::size_t count,
                                                    Random& random) {
    std::vector<DecodedBlock> blocks;
    std::vector<AnchorDraw> draws(count);
    for (AnchorDraw& draw : draws) {
        Changed result = changed(kept, random);
        draw.holds = std::move(result.holds);
        blocks.push_back(std::move(result.block));
    }
    const auto cycles = model_.cycles(blocks);
    if (!cycles)
        return std::unexpected(cycles.error());
    for (std::size_t at = 0; at < count; ++at)
        draws[at].is_same_choice = std::abs((*cycles)[at] - cycles_) < tolerance_;
    return draws;
}

} // namespace sparsight

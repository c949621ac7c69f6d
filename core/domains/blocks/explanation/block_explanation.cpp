#include "domains/blocks/explanation/block_explanation.h"

#include "domains/blocks/explanation/changed_blocks.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace sparsight {
namespace {

BlockRule to_rule(const AnchorRule& found, std::span<const BlockFeature> candidates) {
    BlockRule rule{{}, found.precision, found.coverage};
    for (const std::size_t place : found.predicates)
        rule.features.push_back(candidates[place]);
    return rule;
}

/// Of a rule with this feature, the other one says nothing of its own: a dependency keeps both of its
/// instructions, so it suffices where one of them does; and where the later instruction reads and writes the
/// same register, no change breaks one dependency of the pair alone.
bool says_no_more(const BlockFeature& feature, const BlockFeature& of_rule) {
    if (feature.kind != BlockFeatureKind::Dependency)
        return false;
    if (of_rule.kind == BlockFeatureKind::Instruction)
        return feature.at == of_rule.at || feature.to == of_rule.at;
    return of_rule.kind == BlockFeatureKind::Dependency && feature.at == of_rule.at &&
           feature.to == of_rule.to;
}

} // namespace

std::vector<BlockFeature> BlockExplanation::features() const {
    std::vector<BlockFeature> all;
    for (const BlockRule& rule : rules)
        all.insert(all.end(), rule.features.begin(), rule.features.end());
    std::ranges::sort(all);
    return all;
}

Result<BlockExplanation> explain_block(const BlockModel& model, const BlockEditor& editor,
                                       const BlockExplanationOptions& options) {
    const auto cycles = model.cycles(std::span(&editor.block(), 1));
    if (!cycles)
        return std::unexpected(cycles.error());
    BlockExplanation explanation;
    explanation.cycles = cycles->front();
    std::vector<BlockFeature> candidates = features_of(editor.block().instructions);
    AnchorOptions search{.precision = options.precision,
                         .confidence = options.confidence,
                         .longest = options.longest,
                         .beam = 2,
                         .tolerance = 0.3, // causes keep nearly all costs, other features few
                         .coverage_draws = 500,
                         .calls = options.calls,
                         .seed = options.seed,
                         .stop = options.stop};
    // What one rule needs is no candidate of the next one, so that each shows another cause.
    while (!candidates.empty()) {
        ChangedBlocks blocks(model, editor, candidates, explanation.cycles, options.tolerance);
        const auto found = find_anchor(blocks, search);
        if (!found)
            return std::unexpected(found.error());
        explanation.calls += found->calls;
        if (explanation.rules.empty()) {
            explanation.unconditional = found->unconditional;
            explanation.complete = found->complete;
            if (!found->rule && found->nearest)
                explanation.nearest = to_rule(*found->nearest, candidates);
        }
        if (!found->rule)
            break;
        BlockRule rule = to_rule(*found->rule, candidates);
        if (rule.features.empty() && !explanation.rules.empty())
            break;
        explanation.rules.push_back(rule);
        if (rule.features.empty())
            break;
        search.longest = explanation.rules.front().features.size();
        std::erase_if(candidates, [&](const BlockFeature& feature) {
            return std::ranges::any_of(rule.features, [&](const BlockFeature& of_rule) {
                return feature == of_rule || says_no_more(feature, of_rule);
            });
        });
    }
    return explanation;
}

double similarity(const BlockExplanation& one, const BlockExplanation& other) {
    const auto first = one.features();
    const auto second = other.features();
    if (first.empty() && second.empty())
        return 1;
    std::vector<BlockFeature> common;
    std::ranges::set_intersection(first, second, std::back_inserter(common));
    return static_cast<double>(common.size()) /
           static_cast<double>(first.size() + second.size() - common.size());
}

} // namespace sparsight

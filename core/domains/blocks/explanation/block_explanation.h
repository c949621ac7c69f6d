// Why a cost model says what it says of a block: the features that alone make it say so, whatever else is
// changed (Chaudhary, Renda, Mendis, Singh: COMET: neural cost model explanation framework, MLSys 2024). The
// search is that for anchors of any model (evaluation/model_reasons/anchor_search.h).
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/blocks/code/block_features.h"
#include "domains/blocks/decoder/block_editor.h"
#include "domains/blocks/models/block_model.h"
#include "evaluation/model_reasons/anchor_search.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct BlockExplanationOptions {
    double tolerance = 0.1;     ///< cycles: a changed block whose cost is less far off has the same cost
    double precision = 0.7;     ///< that a rule must have
    double confidence = 0.95;   ///< of that precision
    std::size_t longest = 3;    ///< features in a rule
    std::size_t calls = 20'000; ///< changed blocks that the model may be asked about, for each rule
    std::uint64_t seed = 1;
    std::stop_token stop{};
};

/// While these features stay, the cost stays the same in most changed blocks.
struct BlockRule {
    std::vector<BlockFeature> features; ///< ascending; none: it stays whatever is changed
    BoundedShare precision;             ///< of the changed blocks with these features: the same cost
    BoundedShare coverage;              ///< of all changed blocks: those that have these features
};

struct BlockExplanation {
    double cycles = 0; ///< of the block
    /// Rules of equal length that share no feature, each sufficient by itself, the most general first. A
    /// dependency of an instruction that suffices alone is in none. Empty:
    /// no rule of up to `longest` features is precise enough.
    std::vector<BlockRule> rules;
    std::optional<BlockRule> nearest; ///< without a rule: the one with the most certain precision
    BoundedShare unconditional;       ///< of all changed blocks: the same cost
    std::int64_t calls = 0;
    bool complete = true; ///< false: the calls were over before the search was

    /// Those of all rules, in the order of features_of().
    [[nodiscard]] std::vector<BlockFeature> features() const;
};

/// Changed blocks lose nine of ten instructions that no rule keeps, and one in four changed blocks replaces
/// them by common ones instead, so that their number stays; where the rule keeps the number, all do. Nine of
/// ten dependencies that no rule keeps are broken by other registers or addresses. The same explanation for
/// the same seed. Errors: those of the model; Fault::Cancelled.
[[nodiscard]] Result<BlockExplanation> explain_block(const BlockModel& model, const BlockEditor& editor,
                                                     const BlockExplanationOptions& options);

/// The share of features that two explanations of one block have in common: of both together (Jaccard). 1
/// where both have none.
[[nodiscard]] double similarity(const BlockExplanation& one, const BlockExplanation& other);

} // namespace sparsight

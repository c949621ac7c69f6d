// Blocks as rows of a table for boosted trees: how often each form of an instruction occurs, and what the
// bounds say.
#pragma once

#include "domains/blocks/learning/block_input.h"
#include "model/networks/encoder.h"

#include <memory>

namespace sparsight {

/// `corrects_bound`: trees begin from the bound of the machine (TreeFeatures::first_scores()). A machine
/// without a table has the numbers of the first one that has one.
[[nodiscard]] std::shared_ptr<const TreeFeatures> block_tree_features(BlockInput input, bool corrects_bound);

} // namespace sparsight

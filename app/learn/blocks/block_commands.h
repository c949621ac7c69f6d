// What sparsight-learn has for basic blocks alone.
#pragma once

namespace sparsight {

struct Learner;

/// The domain, its models, and predictions for a table of blocks.
void add_blocks(Learner& learner);

} // namespace sparsight

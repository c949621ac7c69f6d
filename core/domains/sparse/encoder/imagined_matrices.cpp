#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/storage/generated_matrices.h"
#include "store/workspace.h"

#include <algorithm>
#include <vector>

namespace sparsight {

namespace {

/// Of 5,000 to 20,000 entries each, which are simulated in a moment. No two have the same pattern or sizes,
/// so that each may stand on another side of a split. Those of the demo are larger: they are measured, too.
const std::vector<MatrixRecipe>& imagined_matrices() {
    static const std::vector<MatrixRecipe> matrices{
        {"generated-uniform", "uniform", {{"rows", 2100}, {"cols", 1500}, {"density", 0.004}}},
        {"generated-banded", "banded", {{"size", 1900}, {"lower", 4}, {"upper", 4}}},
        {"generated-diagonals", "multi-diagonal", {{"size", 3100}, {"diagonals", 5}, {"reach", 700}}},
        {"generated-plane", "stencil-2d", {{"x", 52}, {"y", 61}}},
        {"generated-space", "stencil-3d", {{"x", 13}, {"y", 16}, {"z", 14}}},
        {"generated-blocks",
         "block-diagonal",
         {{"size", 1600}, {"smallest-block", 5}, {"largest-block", 16}}},
        {"generated-scattered",
         "scattered-blocks",
         {{"rows", 1300}, {"cols", 1800}, {"block", 8}, {"blocks", 200}}},
        {"generated-network", "power-law", {{"scale", 10}, {"edge-factor", 10}}},
        {"generated-skewed", "row-skewed", {{"rows", 1700}, {"cols", 1400}, {"mean-length", 8}}},
        {"generated-arrow", "arrow", {{"size", 1500}, {"head", 4}, {"band", 2}}},
        {"generated-weights", "pruned-random", {{"rows", 300}, {"cols", 700}, {"sparsity", 0.95}}},
        {"generated-window", "attention-window", {{"tokens", 800}, {"window", 9}}},
    };
    return matrices;
}

} // namespace

Result<std::size_t> SparseLearning::imagine_workloads(Workspace& workspace, std::size_t present,
                                                      std::uint64_t seed) const {
    const auto& matrices = imagined_matrices();
    return add_generated_matrices(workspace, matrices, seed,
                                  matrices.size() - std::min(present, matrices.size()));
}

} // namespace sparsight

#include "collection/demo_matrices.h"

#include "matrix/generators/generator.h"
#include "store/matrices.h"

#include <vector>

namespace sparsight {

namespace {

struct DemoMatrix {
    const char* name;
    const char* family;
    ParameterValues parameters;
};

const std::vector<DemoMatrix>& demo_matrices() {
    static const std::vector<DemoMatrix> matrices{
        {"demo-weights", "pruned-block", {{"rows", 4096}, {"cols", 1024}}},
        {"demo-network", "power-law", {{"scale", 14}, {"edge-factor", 12}}},
        {"demo-mesh", "stencil-2d", {{"x", 160}, {"y", 160}}},
    };
    return matrices;
}

} // namespace

Result<void> add_demo_matrices(Workspace& workspace, std::uint64_t seed) {
    for (const DemoMatrix& matrix : demo_matrices()) {
        const auto known = find_matrix(workspace, matrix.name);
        if (!known)
            return std::unexpected(known.error());
        if (*known)
            continue;
        const auto pattern = generate_matrix(matrix.family, matrix.parameters, seed);
        if (!pattern)
            return std::unexpected(pattern.error());
        const std::string source = generated_source(matrix.family, matrix.parameters, seed);
        if (const auto added = add_matrix(workspace, {matrix.name, source, {}}, *pattern); !added)
            return std::unexpected(added.error());
    }
    return {};
}

} // namespace sparsight

#include "domains/sparse/storage/generated_matrices.h"

#include "domains/sparse/storage/matrices.h"

#include <string>

namespace sparsight {

Result<std::size_t> add_generated_matrices(Workspace& workspace, std::span<const MatrixRecipe> matrices,
                                           std::uint64_t seed, std::size_t most) {
    std::size_t count = 0;
    for (const MatrixRecipe& matrix : matrices) {
        if (count == most)
            break;
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
        ++count;
    }
    return count;
}

} // namespace sparsight

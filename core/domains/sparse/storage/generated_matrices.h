// Lists of generated matrices that a workspace is given under fixed names: those of the demo, and those that
// a training without matrices learns from.
#pragma once

#include "base/error.h"
#include "domains/sparse/tensor/generators/generator.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace sparsight {

class Workspace;

/// Of one that is generated.
struct MatrixRecipe {
    const char* name;
    const char* family;
    ParameterValues parameters;
};

/// Adds those whose names the workspace does not have, at most so many, and returns how many it added. Those
/// that are there already stay, whatever seed they were made with.
[[nodiscard]] Result<std::size_t>
add_generated_matrices(Workspace& workspace, std::span<const MatrixRecipe> matrices, std::uint64_t seed,
                       std::size_t most = std::numeric_limits<std::size_t>::max());

} // namespace sparsight

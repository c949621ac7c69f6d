// Float arrays with names: what weights are, apart from any library that computes with them.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

struct NamedShape {
    std::string name;
    std::vector<std::int64_t> shape; ///< none: one number

    bool operator==(const NamedShape&) const = default;
};

struct NamedArray {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> values; ///< row-major; as many as the product of the shape

    bool operator==(const NamedArray&) const = default;
};

/// The arrays in the order of the shapes. An error (Fault::Input) names every tensor that is missing, one too
/// many, or of another shape.
[[nodiscard]] Result<std::vector<NamedArray>> match_by_name(std::vector<NamedArray> arrays,
                                                            std::span<const NamedShape> shapes);

} // namespace sparsight

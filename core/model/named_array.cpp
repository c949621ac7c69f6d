#include "model/named_array.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {
namespace {

std::string shape_text(std::span<const std::int64_t> shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

} // namespace

Result<std::vector<NamedArray>> match_by_name(std::vector<NamedArray> arrays,
                                              std::span<const NamedShape> shapes) {
    std::vector<std::string> defects;
    std::vector<NamedArray> matched;
    for (const NamedShape& shape : shapes) {
        const auto found = std::ranges::find(arrays, shape.name, &NamedArray::name);
        if (found == arrays.end()) {
            defects.push_back(fmt::format("{} is missing", shape.name));
            continue;
        }
        if (found->shape != shape.shape)
            defects.push_back(fmt::format("{} is {}, expected {}", shape.name, shape_text(found->shape),
                                          shape_text(shape.shape)));
        matched.push_back(std::move(*found));
        arrays.erase(found);
    }
    for (const NamedArray& array : arrays)
        defects.push_back(fmt::format("{} does not belong to the network", array.name));
    if (!defects.empty())
        return fail(Fault::Input,
                    fmt::format("these tensors do not fit the network: {}", fmt::join(defects, "; ")));
    return matched;
}

} // namespace sparsight

// The families of generated matrices, for people and as JSON.
#pragma once

#include "command/session.h"
#include "domains/sparse/tensor/generators/generator.h"

#include <span>
#include <string_view>

namespace sparsight {

/// The report's whole collection, which the command line offers beside the families.
inline constexpr std::string_view simulated_matrices_name = "simulated-matrices";

/// A family as a user sees it.
struct FamilyDescription {
    std::string_view name;
    std::string_view title;
    std::string_view description;
    std::string_view source;
    std::span<const Parameter> parameters;
};

/// Every family and, last, the report's collection.
[[nodiscard]] std::vector<FamilyDescription> describe_families();
[[nodiscard]] Json to_json(const FamilyDescription& family);
[[nodiscard]] std::string to_text(const FamilyDescription& family);

} // namespace sparsight

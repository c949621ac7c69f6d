// Architectures that are no networks, by the names that checkpoints give them. It needs nothing else of models,
// so that programs without LibTorch can ask.
#pragma once

#include <string_view>

namespace sparsight {

/// Gradient-boosted trees (boosted_trees.h); all others are networks.
inline constexpr std::string_view trees_architecture = "trees";
/// The same, as a correction of what the domain says of a time by itself (TreeFeatures::first_scores()).
inline constexpr std::string_view gray_trees_architecture = "gray-trees";
[[nodiscard]] constexpr bool is_of_trees(std::string_view architecture) {
    return architecture == trees_architecture || architecture == gray_trees_architecture;
}

} // namespace sparsight

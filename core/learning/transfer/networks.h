// Networks whose layers tuning records are about: how often each layer runs, and how much it computes.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace sparsight {

/// Layers of one shape.
struct NetworkLayer {
    std::string_view workload; ///< as records name it
    int occurrences = 1;
    double gflop = 0; ///< of one

    [[nodiscard]] double work() const { return occurrences * gflop; }
};

struct Network {
    std::string_view name;
    std::string_view source; ///< of the occurrences: a sentence
    std::vector<NetworkLayer> layers;
};

[[nodiscard]] std::span<const Network> known_networks();

/// Those layers that carry `share` of the work together: the most working ones, at least one. Places in
/// `layers`, in descending order of their work.
[[nodiscard]] std::vector<std::size_t> significant_layers(std::span<const NetworkLayer> layers, double share);

} // namespace sparsight

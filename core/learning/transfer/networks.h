// Networks whose layers tuning records are about: how often each layer runs, and how much it computes.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// Layers of one shape.
struct NetworkLayer {
    std::string workload; ///< as records name it
    int occurrences = 1;
    double gflop = 0; ///< of one

    [[nodiscard]] double work() const { return occurrences * gflop; }
};

struct Network {
    std::string name;
    std::string source; ///< of the occurrences: a sentence
    std::vector<NetworkLayer> layers;
};

[[nodiscard]] std::span<const Network> known_networks();

/// Of a table with the columns network, workload, occurrences (1 or more) and gflop (of one, above 0), a line
/// for each layer. Errors name the line: a column that is missing, a field that is no such number, a layer
/// that a network has twice, a table without layers.
[[nodiscard]] Result<std::vector<Network>> read_networks(const std::filesystem::path& table);

/// Those layers that carry `share` of the work together: the most working ones, at least one. Places in
/// `layers`, in descending order of their work.
[[nodiscard]] std::vector<std::size_t> significant_layers(std::span<const NetworkLayer> layers, double share);

} // namespace sparsight

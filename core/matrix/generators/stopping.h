// Ending the making of a matrix before it is done; only core/matrix/generators includes it.
#pragma once

#include <stop_token>

namespace sparsight {

/// Leaves the loops of a family however deep they are; generate_matrix() makes an error of it.
struct GenerationStopped {};

inline void end_if_stopped(const std::stop_token& stop) {
    if (stop.stop_requested())
        throw GenerationStopped();
}

} // namespace sparsight

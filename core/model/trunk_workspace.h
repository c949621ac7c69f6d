// The memory that one pass through the convolutions of a pattern works in. It is kept and used again: fresh
// memory costs a page fault for every 4 KiB, which at a million coordinates takes as long as the arithmetic.
#pragma once

#include "base/aligned_buffer.h"
#include "model/convolution_pyramid.h"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace sparsight {

struct TrunkWorkspace {
    /// What each layer gives, after its ReLU: [outputs, channels]; the first for each class, where there are
    /// classes.
    std::array<FloatBuffer, pyramid_layers> activations;
    /// The gradients of two neighbouring layers, in turns.
    std::array<FloatBuffer, 2> gradients;
};

/// Hands out workspaces and takes them back; it has as many as were ever in use at once, which is one where
/// each forward pass is followed by its backward pass. Safe to use from several threads.
class TrunkWorkspaces {
public:
    /// The workspace returns by itself when the last pointer to it goes, also after the pool is gone.
    [[nodiscard]] std::shared_ptr<TrunkWorkspace> take();

private:
    struct Shelf {
        std::mutex mutex;
        std::vector<std::unique_ptr<TrunkWorkspace>> free;
    };
    std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

} // namespace sparsight

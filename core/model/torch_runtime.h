// How LibTorch runs in this process: its threads, which it does not choose well by itself, and the BLAS
// behind its matrix products, which may be thirty times slower than it could be without anybody saying so.
#pragma once

#include "base/quantity.h"

#include <string>

namespace sparsight {

struct TorchRuntime {
    int threads = 1;
    GigaflopsPerSecond product_rate{}; ///< of LibTorch's matrix product, on one thread
    /// Of our own convolution kernels, on one thread: what the processor can do.
    GigaflopsPerSecond kernel_rate{};
    std::string warning; ///< what to do about a slow BLAS; empty when it is none
};

/// Sets LibTorch's threads (at least 1) and times a small product, which takes some milliseconds. To be
/// called once, before any other use of LibTorch.
[[nodiscard]] TorchRuntime prepare_torch(int threads);

/// Empty unless the product is far below what the processor can do.
[[nodiscard]] std::string blas_warning(GigaflopsPerSecond product_rate, GigaflopsPerSecond kernel_rate);

} // namespace sparsight

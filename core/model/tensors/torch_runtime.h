// How LibTorch runs in this process: its threads, which it does not choose well by itself, and the BLAS
// behind its matrix products, which may be thirty times slower than it could be without anybody saying so.
#pragma once

#include "base/error.h"
#include "base/quantity.h"

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

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

// LibTorch reports by throwing; here errors are values. Whatever calls it on behalf of a public function
// runs inside guarded().

/// What the exception that is being handled says, to be called in a catch block: too little memory is
/// Fault::Limit, anything else of LibTorch or the standard library Fault::Internal.
[[nodiscard]] Error error_in_flight();

namespace detail {

template <typename T>
struct AsResult {
    using Type = Result<T>;
};
template <typename T>
struct AsResult<Result<T>> {
    using Type = Result<T>;
};

} // namespace detail

/// The result of work(), or what it threw as an error. Work that returns a Result itself keeps it.
template <std::invocable Work>
[[nodiscard]] auto guarded(Work&& work) -> detail::AsResult<std::invoke_result_t<Work>>::Type {
    try {
        if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
            std::forward<Work>(work)();
            return {};
        } else {
            return std::forward<Work>(work)();
        }
    } catch (...) {
        return std::unexpected(error_in_flight());
    }
}

} // namespace sparsight

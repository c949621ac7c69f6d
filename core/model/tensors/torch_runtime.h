// How LibTorch runs in this process: its threads, which it does not choose well by itself, the BLAS behind
// its matrix products, which may silently be thirty times slower than it could be, and its exceptions as
// errors.
#pragma once

#include "base/error.h"
#include "base/quantity.h"

#include <c10/core/Device.h>
#include <concepts>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sparsight {

struct TorchRuntime {
    int threads = 1;
    GigaflopsPerSecond product_rate{}; ///< of LibTorch's matrix product, on one thread
    /// The rate of our own convolution kernels, on one thread: what the processor can do.
    GigaflopsPerSecond kernel_rate{};
    std::string warning; ///< what to do about a slow BLAS; empty when it is fast
};

/// Sets LibTorch's threads (at least 1) and times a small product, which takes some milliseconds. To be
/// called once, before any other use of LibTorch. Errors: not enough memory (Fault::Limit).
[[nodiscard]] Result<TorchRuntime> prepare_torch(int threads);

/// What the same training computes with here: "threads", "processes", "device", "libtorch" (its version),
/// "blas" (the library behind its products) and "vector_instructions" (of our own kernels). The weights of
/// two trainings are equal to the bit where all of these are, and `threads` and `processes` are 1.
[[nodiscard]] std::map<std::string, std::string> computing_environment(int threads, int processes,
                                                                       std::string_view device);

/// The warning; empty unless the product is far below what the processor can do.
[[nodiscard]] std::string blas_warning(GigaflopsPerSecond product_rate, GigaflopsPerSecond kernel_rate);

// LibTorch reports errors by throwing; here errors are values. Calls of LibTorch on behalf of a public
// function run inside guarded().

/// The exception being handled as an error; to be called in a catch block. Too little memory is
/// Fault::Limit, any other exception of LibTorch or the standard library Fault::Internal.
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

/// The result of work(), or its exception as an error. Work that returns a Result keeps it.
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

/// "cpu", "cuda" or "cuda:1". An error (Fault::Input) says what is expected, or why there is none: LibTorch
/// without CUDA, no such GPU.
[[nodiscard]] Result<at::Device> usable_device(std::string_view text);

/// The device of one of several processes that share a computer, numbered from 0: "cuda" is dealt out among
/// the GPUs, everything else stays what it is. `usable` as usable_device() takes it.
[[nodiscard]] std::string device_of_process(std::string_view usable, int local_rank);

} // namespace sparsight

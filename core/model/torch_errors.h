// LibTorch reports by throwing; here errors are values. Whatever calls it on behalf of a public function
// runs inside guarded().
#pragma once

#include "base/error.h"

#include <concepts>
#include <type_traits>
#include <utility>

namespace sparsight {

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

// Results that have to be values, or errors.
#pragma once

#include "base/error.h"

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace sparsight::testing {

/// The value of a Result that has to be there: otherwise the test fails with the error's text.
template <typename T>
T must(Result<T> result) {
    if (!result)
        throw std::runtime_error(result.error().text());
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

/// The text of an error that has to be there.
template <typename T>
std::string error_text(const Result<T>& result) {
    return result ? "no error" : result.error().text();
}

} // namespace sparsight::testing

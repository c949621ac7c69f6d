// What is unknown is null in JSON.
#pragma once

#include "base/observer.h"

#include <nlohmann/json.hpp>
#include <optional>

namespace sparsight {

template <typename T>
[[nodiscard]] Json json_or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

} // namespace sparsight

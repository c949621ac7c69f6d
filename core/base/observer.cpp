#include "base/observer.h"

#include <nlohmann/json.hpp>

namespace sparsight {

Json failure_json(const Error& error) {
    return {{"file", error.file.empty() ? Json() : Json(error.file)},
            {"line", error.line > 0 ? Json(error.line) : Json()},
            {"error", error.message}};
}

} // namespace sparsight

#include "base/error.h"

#include <fmt/format.h>

namespace sparsight {

std::string Error::text() const {
    if (file.empty())
        return message;
    return line > 0 ? fmt::format("{}:{}: {}", file, line, message) : fmt::format("{}: {}", file, message);
}

} // namespace sparsight

#include "base/regular_file.h"

#include <fmt/format.h>

namespace sparsight {

Result<void> require_regular_file(const std::filesystem::path& path) {
    const auto refuse = [](std::string_view what) {
        return fail(Fault::Environment, fmt::format("is {}, not a file", what));
    };
    std::error_code code;
    switch (std::filesystem::status(path, code).type()) {
    case std::filesystem::file_type::regular:
        return {};
    case std::filesystem::file_type::directory:
        return refuse("a folder");
    case std::filesystem::file_type::fifo:
        return refuse("a pipe");
    case std::filesystem::file_type::character:
    case std::filesystem::file_type::block:
        return refuse("a device");
    case std::filesystem::file_type::socket:
        return refuse("a socket");
    case std::filesystem::file_type::none:
    case std::filesystem::file_type::not_found:
        return fail(Fault::Environment, fmt::format("cannot be opened: {}", code.message()));
    default:
        return refuse("something unknown");
    }
}

} // namespace sparsight

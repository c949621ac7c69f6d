#include "cli/companion.h"

#include <cstdlib>
#include <fmt/format.h>
#include <sstream>
#include <string>
#include <unistd.h>

namespace sparsight {

Result<std::filesystem::path> find_companion(std::string_view name, std::string_view task) {
    std::error_code unknown;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
    if (auto beside = folder / name; ::access(beside.c_str(), F_OK) == 0)
        return beside;
    if (const char* const path = std::getenv("PATH")) {
        std::istringstream stream{std::string(path)};
        for (std::string each; std::getline(stream, each, ':');)
            if (auto program = std::filesystem::path(each) / name; ::access(program.c_str(), X_OK) == 0)
                return program;
    }
    return fail(
        Fault::Environment,
        fmt::format("{}, {}, is missing: it is neither beside this program (in {}) nor in a folder of PATH",
                    name, task, folder.string()));
}

} // namespace sparsight

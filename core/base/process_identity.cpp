#include "base/process_identity.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <system_error>
#include <unistd.h>

namespace sparsight {

namespace {

/// Empty for one that has ended, also where nobody has asked how (a zombie).
std::string start_of(std::int64_t id) {
    std::ifstream file(fmt::format("/proc/{}/stat", id));
    std::string text;
    std::getline(file, text);
    // "NUMBER (NAME) STATE …": the name may have brackets and spaces of its own (proc(5)).
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos)
        return {};
    std::istringstream fields(text.substr(name_end + 1));
    std::string field;
    fields >> field;
    if (field == "Z" || field == "X")
        return {};
    constexpr int start_time = 22; // counted from the number of the process, 1; the state is 3
    for (int number = 3; number < start_time; ++number)
        fields >> field;
    if (!fields)
        return {};
    std::ifstream boot_file("/proc/sys/kernel/random/boot_id");
    std::string boot;
    std::getline(boot_file, boot);
    std::error_code unknown;
    const auto processes = std::filesystem::read_symlink("/proc/self/ns/pid", unknown);
    return fmt::format("{} {} {}", boot, processes.string(), field);
}

} // namespace

ProcessIdentity this_process() {
    const auto id = static_cast<std::int64_t>(::getpid());
    return {id, start_of(id)};
}

bool is_alive(const ProcessIdentity& process) {
    return !process.start.empty() && start_of(process.id) == process.start;
}

} // namespace sparsight

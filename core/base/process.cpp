#include "base/process.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
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

std::uint64_t occupied_memory() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t all = 0;
    std::uint64_t resident = 0;
    file >> all >> resident;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

bool is_address_space_too_small() {
    rlimit limit{};
    return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           limit.rlim_cur < least_address_space;
}

namespace {

/// What OpenBLAS's kernels for SkylakeX are compiled for.
bool has_avx512() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512cd") != 0 &&
           __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
           __builtin_cpu_supports("avx512vl") != 0;
#else
    return false;
#endif
}

struct LibrarySetting {
    const char* variable;
    const char* value;
};

std::vector<LibrarySetting> missing() {
    std::vector<LibrarySetting> settings{{"OMP_WAIT_POLICY", "passive"}};
    if (has_avx512())
        settings.push_back({"OPENBLAS_CORETYPE", "SKYLAKEX"});
    std::erase_if(settings, [](const LibrarySetting& each) { return std::getenv(each.variable) != nullptr; });
    return settings;
}

} // namespace

std::vector<std::string> missing_library_settings() {
    std::vector<std::string> texts;
    for (const LibrarySetting& each : missing())
        texts.push_back(std::string(each.variable) + '=' + each.value);
    return texts;
}

bool improve_library_settings() {
    bool improved = false;
    for (const LibrarySetting& each : missing())
        improved = ::setenv(each.variable, each.value, 0) == 0 || improved;
    return improved;
}

} // namespace sparsight

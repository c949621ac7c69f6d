#include "machine/memory_facts.h"

#include <algorithm>
#include <charconv>

namespace sparsight {

namespace {

std::optional<std::uint64_t> lower(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
    return a && b ? std::min(*a, *b) : a ? a : b;
}

std::optional<std::uint64_t> total_memory(const SystemFiles& files) {
    const auto meminfo = files.text("proc/meminfo");
    static constexpr std::string_view key = "MemTotal:";
    const std::size_t found = meminfo ? meminfo->find(key) : std::string::npos;
    if (found == std::string::npos)
        return std::nullopt;
    const std::string_view rest = std::string_view(*meminfo).substr(found + key.size());
    const std::string_view digits = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
    std::uint64_t kibibytes = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), kibibytes);
    if (code != std::errc{} || kibibytes == 0 || kibibytes > (std::uint64_t{1} << 48))
        return std::nullopt;
    return kibibytes * 1024;
}

/// The lowest limit of a group and of those that hold it. "max" is no number, and version 1 writes nearly
/// 2^63 for no limit.
std::optional<std::uint64_t> group_limit(const SystemFiles& files, const std::filesystem::path& mount,
                                         std::filesystem::path group, const char* file) {
    std::optional<std::uint64_t> limit;
    group = group.relative_path();
    for (int depth = 0; depth < 64; ++depth) {
        const auto here = files.number(mount / group / file);
        if (here && *here > 0 && *here < (std::int64_t{1} << 60))
            limit = lower(limit, static_cast<std::uint64_t>(*here));
        if (group.empty())
            break;
        group = group.parent_path();
    }
    return limit;
}

} // namespace

std::optional<std::uint64_t> usable_memory_bytes(const SystemFiles& files) {
    std::optional<std::uint64_t> bytes = total_memory(files);
    const std::string groups = files.text("proc/self/cgroup").value_or("");
    std::string_view rest = groups;
    while (!rest.empty()) { // "number:controllers:/path"
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
        if (second == std::string_view::npos)
            continue;
        const std::string_view controllers = line.substr(first + 1, second - first - 1);
        const std::filesystem::path group(line.substr(second + 1));
        if (controllers.empty())
            bytes = lower(bytes, group_limit(files, "sys/fs/cgroup", group, "memory.max"));
        else if (controllers == "memory")
            bytes = lower(bytes, group_limit(files, "sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
    }
    return bytes;
}

} // namespace sparsight

#include "machine/probe/memory_facts.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>
#include <unistd.h>

namespace sparsight {

namespace {

/// The facts that are equal for all caches counted together.
using Kind = std::tuple<int, std::uint64_t, std::optional<int>, std::optional<int>>;

std::optional<int> small_number(std::optional<std::int64_t> number) {
    if (!number || *number < 1 || *number > 1'000'000)
        return std::nullopt;
    return static_cast<int>(*number);
}

} // namespace

std::vector<CacheLevel> read_caches(const SystemFiles& files, const std::vector<int>& processors) {
    // Not all kernels give caches a name; the processors that share a cache identify it.
    std::map<Kind, std::set<std::vector<int>>> caches;
    for (const int processor : processors) {
        const std::filesystem::path folder = fmt::format("sys/devices/system/cpu/cpu{}/cache", processor);
        for (const std::string& index : files.names(folder)) {
            const auto level = small_number(files.number(folder / index / "level"));
            const auto bytes = files.size(folder / index / "size");
            if (!level || !bytes || *bytes == 0 || files.text(folder / index / "type") == "Instruction")
                continue;
            std::vector<int> sharing;
            std::optional<int> threads;
            if (const auto all = files.processors(folder / index / "shared_cpu_list")) {
                std::ranges::set_intersection(*all, processors, std::back_inserter(sharing));
                threads = std::max(1, static_cast<int>(sharing.size()));
            }
            const auto line = small_number(files.number(folder / index / "coherency_line_size"));
            caches[Kind{*level, *bytes, line, threads}].insert(sharing);
        }
    }

    std::vector<CacheLevel> found;
    for (const auto& [kind, instances] : caches) {
        const auto& [level, bytes, line, threads] = kind;
        found.push_back(
            {.level = level,
             .bytes = bytes,
             .line_bytes = line,
             .shared_by_threads = threads,
             .instances = threads ? std::optional(static_cast<int>(instances.size())) : std::nullopt});
    }
    return found;
}

std::vector<CacheLevel> host_caches() {
    std::vector<CacheLevel> found;
#if defined(_SC_LEVEL1_DCACHE_SIZE) && defined(_SC_LEVEL4_CACHE_LINESIZE)
    const auto add = [&found](int level, long bytes, long line) {
        if (bytes > 0)
            found.push_back({.level = level,
                             .bytes = static_cast<std::uint64_t>(bytes),
                             .line_bytes = small_number(line),
                             .shared_by_threads = std::nullopt,
                             .instances = std::nullopt});
    };
    add(1, sysconf(_SC_LEVEL1_DCACHE_SIZE), sysconf(_SC_LEVEL1_DCACHE_LINESIZE));
    add(2, sysconf(_SC_LEVEL2_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_LINESIZE));
    add(3, sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL3_CACHE_LINESIZE));
    add(4, sysconf(_SC_LEVEL4_CACHE_SIZE), sysconf(_SC_LEVEL4_CACHE_LINESIZE));
#endif
    return found;
}

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

/// The lowest limit of a group and of its ancestors. "max" is not a number, and version 1 writes nearly 2^63
/// for no limit.
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

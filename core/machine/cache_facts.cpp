#include "machine/cache_facts.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>
#include <unistd.h>

namespace sparsight {

namespace {

/// What is equal for all caches that are counted together.
using Kind = std::tuple<int, std::uint64_t, std::optional<int>, std::optional<int>>;

std::optional<int> small_number(std::optional<std::int64_t> number) {
    if (!number || *number < 1 || *number > 1'000'000)
        return std::nullopt;
    return static_cast<int>(*number);
}

} // namespace

std::vector<CacheLevel> read_caches(const SystemFiles& files, const std::vector<int>& processors) {
    // Caches have no name of their own that all kernels tell; the processors that share one are its identity.
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

std::vector<CacheLevel> running_caches() {
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

} // namespace sparsight

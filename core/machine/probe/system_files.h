// What Linux tells about the machine in small text files (/proc, /sys), below a root that tests can choose:
// its memory, its caches, and how busy it is. What is missing or malformed is unknown, never an error:
// containers and virtual machines hide what they like.
#pragma once

#include "base/quantity.h"
#include "machine/machine_description.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class SystemFiles {
public:
    explicit SystemFiles(std::filesystem::path root)
        : root_(std::move(root)) {}

    /// The file's text, at most 4 MiB of it, without white space at its end; unknown when it can't be read.
    [[nodiscard]] std::optional<std::string> text(const std::filesystem::path& file) const;
    /// A file that holds one whole number and nothing else.
    [[nodiscard]] std::optional<std::int64_t> number(const std::filesystem::path& file) const;
    /// A size as caches state it: "32K", "1M", or bytes.
    [[nodiscard]] std::optional<std::uint64_t> size(const std::filesystem::path& file) const;
    /// A list of processors: "0-3,8", ascending.
    [[nodiscard]] std::optional<std::vector<int>> processors(const std::filesystem::path& file) const;
    /// Names of the files and folders in a folder, sorted; empty when there is no such folder.
    [[nodiscard]] std::vector<std::string> names(const std::filesystem::path& folder) const;

private:
    std::filesystem::path root_;
};

/// "0-3,8" → {0, 1, 2, 3, 8}; unknown when it is anything else or a number exceeds 65535.
[[nodiscard]] std::optional<std::vector<int>> parse_processor_list(std::string_view text);

/// The data and unified caches that Linux lists for the given processors
/// (/sys/devices/system/cpu/cpu*/cache), equal ones counted together; empty where Linux lists none.
[[nodiscard]] std::vector<CacheLevel> read_caches(const SystemFiles& files,
                                                  const std::vector<int>& processors);

/// The caches of the processor that runs this program, as the C library knows them, without their sharing.
[[nodiscard]] std::vector<CacheLevel> host_caches();

/// The memory that a program may use: that of the machine, or the limit of this process's control group
/// (version 1 or 2) where that is lower; unknown where /proc/meminfo is hidden and no limit is set.
[[nodiscard]] std::optional<std::uint64_t> usable_memory_bytes(const SystemFiles& files);

/// What processors did since the computer was started, added up over them.
struct ProcessorTime {
    Seconds busy{};  ///< with what a hypervisor gave to other guests
    Seconds total{}; ///< busy and idle
};

/// Of these processors, from /proc/stat, where the kernel counts in ticks of `tick`. Unknown where it does
/// not tell about one of them.
[[nodiscard]] std::optional<ProcessorTime> processor_time(const SystemFiles& files,
                                                          const std::vector<int>& processors, Seconds tick);

/// The share of the time between two readings that neither was idle nor went to this process, which used
/// `own` in between. Unknown when the readings are the same.
[[nodiscard]] std::optional<double> share_of_others(const ProcessorTime& before, const ProcessorTime& after,
                                                    Seconds own);

/// How long the threads of this process have waited, ready to run, for a processor that another one had
/// (/proc/self/task/*/schedstat). Unknown where the kernel does not count it.
[[nodiscard]] std::optional<Seconds> waiting_time(const SystemFiles& files);

/// Looks at the processors that this process may use, from its construction on.
class BackgroundLoad {
public:
    BackgroundLoad();
    [[nodiscard]] std::optional<double> share() const;

private:
    std::vector<int> processors_;
    std::optional<ProcessorTime> before_;
    Seconds own_before_;
};

} // namespace sparsight

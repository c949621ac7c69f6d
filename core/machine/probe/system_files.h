// What Linux tells about the machine in small text files (/proc, /sys), below a root that tests can choose:
// its memory, its caches, and how busy it is. What is missing or malformed is unknown, never an error:
// containers and virtual machines hide what they like.
#pragma once

#include "base/quantity.h"
#include "machine/machine_description.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
    Seconds busy{};   ///< with what a hypervisor gave to other guests
    Seconds total{};  ///< busy and idle
    Seconds stolen{}; ///< what it gave to other guests, while something here was ready to run
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

/// The share of the busy time of processors that a hypervisor gave to other guests ("steal" in /proc/stat),
/// so how much longer their threads took for it, however few of them are busy.
///
/// Linux counts in ticks, mostly of 10 ms, so a short interval tells nothing: a share is of the time from the
/// newest look() on that is no later than the begin of what is measured, and at least `shortest` ago, a
/// hundred ticks of each processor. What other guests do changes slowly, so a schedule that is measured
/// within a tenth of a second has the share of about the second that ends with it.
class StolenShare {
public:
    static constexpr Seconds shortest{1};
    using Reader = std::function<std::optional<ProcessorTime>()>;

    StolenShare(); ///< of the processors that this process may use
    explicit StolenShare(Reader read)
        : read_(std::move(read)) {}

    void look(Seconds now);
    /// Of what was measured from `begin` until now, which is a look, too. Unknown where there is no
    /// hypervisor, or it tells nothing; where /proc/stat is hidden or has zeros, as in some containers; where
    /// the first look was less than `shortest` ago; and where the time since a look that is old enough
    /// exceeds the measurement by more than twice that.
    [[nodiscard]] std::optional<double> share(Seconds begin, Seconds now);

private:
    struct Reading {
        Seconds at;
        ProcessorTime time;
    };

    Reader read_;
    std::deque<Reading> readings_; ///< the newest that is old enough, and all after it
};

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

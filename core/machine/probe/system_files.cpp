#include "machine/probe/system_files.h"

#include "machine/probe/processor_facts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>
#include <unistd.h>

namespace sparsight {

namespace {

template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
    Number number{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

} // namespace

std::optional<std::vector<int>> parse_processor_list(std::string_view text) {
    std::vector<int> processors;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view range = text.substr(0, comma);
        text.remove_prefix(std::min(comma + 1, text.size()));
        const std::size_t dash = range.find('-');
        const auto first = whole_number<std::uint16_t>(range.substr(0, dash));
        const auto last =
            dash == std::string_view::npos ? first : whole_number<std::uint16_t>(range.substr(dash + 1));
        if (!first || !last || *first > *last)
            return std::nullopt;
        for (int processor = *first; processor <= *last; ++processor)
            processors.push_back(processor);
    }
    std::ranges::sort(processors);
    const auto repeated = std::ranges::unique(processors);
    processors.erase(repeated.begin(), repeated.end());
    return processors;
}

std::optional<std::string> SystemFiles::text(const std::filesystem::path& file) const {
    // Files of /proc and /sys say that they have size 0, so this reads until there is no more.
    std::ifstream stream(root_ / file, std::ios::binary);
    std::string text;
    std::string block(64 << 10, '\0');
    while (text.size() < (4u << 20) && stream) {
        stream.read(block.data(), static_cast<std::streamsize>(block.size()));
        text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    }
    if (text.empty())
        return std::nullopt;
    text.erase(text.find_last_not_of(" \t\r\n") + 1);
    return text;
}

std::optional<std::int64_t> SystemFiles::number(const std::filesystem::path& file) const {
    const auto digits = text(file);
    return digits ? whole_number<std::int64_t>(*digits) : std::nullopt;
}

std::optional<std::uint64_t> SystemFiles::size(const std::filesystem::path& file) const {
    const auto digits = text(file);
    if (!digits || digits->empty())
        return std::nullopt;
    const int shift = digits->back() == 'K'   ? 10
                      : digits->back() == 'M' ? 20
                      : digits->back() == 'G' ? 30
                                              : 0;
    const auto units = whole_number<std::uint32_t>(
        std::string_view(*digits).substr(0, digits->size() - (shift != 0 ? 1 : 0)));
    return units ? std::optional(std::uint64_t{*units} << shift) : std::nullopt;
}

std::optional<std::vector<int>> SystemFiles::processors(const std::filesystem::path& file) const {
    const auto list = text(file);
    return list ? parse_processor_list(*list) : std::nullopt;
}

std::vector<std::string> SystemFiles::names(const std::filesystem::path& folder) const {
    std::vector<std::string> found;
    std::error_code ignored; // no such folder: nothing is in it
    for (std::filesystem::directory_iterator entry(root_ / folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored))
        found.push_back(entry->path().filename().string());
    std::ranges::sort(found);
    return found;
}

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

namespace {

std::optional<ProcessorTime> time_now(const std::vector<int>& processors) {
    const long ticks_a_second = sysconf(_SC_CLK_TCK);
    if (ticks_a_second <= 0)
        return std::nullopt;
    return processor_time(SystemFiles("/"), processors, Seconds(1.0 / static_cast<double>(ticks_a_second)));
}

/// Of all threads of this process.
Seconds own_time() {
    std::timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

} // namespace

std::optional<ProcessorTime> processor_time(const SystemFiles& files, const std::vector<int>& processors,
                                            Seconds tick) {
    const auto text = files.text("proc/stat");
    if (!text)
        return std::nullopt;
    enum Column : std::size_t {
        User,
        Nice,
        System,
        Idle,
        WaitingForDisk,
        Interrupts,
        SoftInterrupts,
        Stolen
    };
    ProcessorTime time;
    std::size_t found = 0;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        int number = -1;
        if (name.starts_with("cpu"))
            std::from_chars(name.data() + 3, name.data() + name.size(), number);
        if (std::ranges::find(processors, number) == processors.end())
            continue;
        ++found;
        std::array<std::int64_t, Stolen + 1> ticks{}; // columns that an old kernel does not have stay 0
        for (std::int64_t& count : ticks)
            words >> count;
        for (std::size_t column = 0; column < ticks.size(); ++column) {
            const Seconds seconds = tick * static_cast<double>(ticks[column]);
            time.total += seconds;
            if (column != Idle && column != WaitingForDisk)
                time.busy += seconds;
            if (column == Stolen)
                time.stolen += seconds;
        }
    }
    return found == processors.size() && found > 0 ? std::optional(time) : std::nullopt;
}

std::optional<double> share_of_others(const ProcessorTime& before, const ProcessorTime& after, Seconds own) {
    const Seconds total = after.total - before.total;
    if (!(total.count() > 0))
        return std::nullopt;
    // Ticks are coarse: a difference below zero is none.
    return std::clamp((after.busy - before.busy - own) / total, 0.0, 1.0);
}

std::optional<Seconds> waiting_time(const SystemFiles& files) {
    const std::filesystem::path tasks = "proc/self/task";
    std::optional<Seconds> waited;
    for (const std::string& thread : files.names(tasks)) {
        const auto text = files.text(tasks / thread / "schedstat");
        if (!text)
            continue; // it has ended meanwhile, or nothing is counted
        std::istringstream numbers(*text);
        double running_ns = 0;
        double waiting_ns = 0;
        if (numbers >> running_ns >> waiting_ns)
            waited = waited.value_or(Seconds(0)) + Seconds(waiting_ns * 1e-9);
    }
    return waited;
}

StolenShare::StolenShare()
    : read_([processors = allowed_processors()] { return time_now(processors); }) {}

void StolenShare::look(Seconds now) {
    if (const auto time = read_())
        readings_.push_back({now, *time});
    while (readings_.size() > 1 && readings_[1].at <= now - shortest)
        readings_.pop_front();
}

std::optional<double> StolenShare::share(Seconds begin, Seconds now) {
    const auto start = std::find_if(readings_.rbegin(), readings_.rend(), [&](const Reading& reading) {
        return reading.at <= begin && reading.at <= now - shortest;
    });
    std::optional<Reading> before;
    if (start != readings_.rend() && now - start->at <= now - begin + 2 * shortest)
        before = *start;
    look(now);
    if (!before || readings_.back().at != now)
        return std::nullopt;
    const ProcessorTime& after = readings_.back().time;
    const Seconds busy = after.busy - before->time.busy;
    // Where nothing was ever stolen, there may be no hypervisor, or it may not tell.
    return busy.count() > 0 && after.stolen.count() > 0
               ? std::optional(std::clamp((after.stolen - before->time.stolen) / busy, 0.0, 1.0))
               : std::nullopt;
}

BackgroundLoad::BackgroundLoad()
    : processors_(allowed_processors())
    , before_(time_now(processors_))
    , own_before_(own_time()) {}

std::optional<double> BackgroundLoad::share() const {
    const auto now = time_now(processors_);
    if (!before_ || !now)
        return std::nullopt;
    return share_of_others(*before_, *now, own_time() - own_before_);
}

} // namespace sparsight

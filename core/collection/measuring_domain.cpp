#include "collection/measuring_domain.h"

#include "base/observer.h"
#include "base/text.h"
#include "machine/probe/system_files.h"
#include "store/workspace.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds between_looks{100};

} // namespace

std::filesystem::path MeasurementLock::default_file() {
    if (const char* const named = std::getenv(lock_variable); named != nullptr && *named != '\0')
        return named;
    // Not the folder of $TMPDIR, which two shells of one user may have set differently.
    const std::filesystem::path folder = "/run/lock";
    struct stat facts{};
    const bool is_for_all =
        ::stat(folder.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) && (facts.st_mode & S_IWOTH) != 0;
    return (is_for_all ? folder : std::filesystem::path("/tmp")) / "sparsight-measuring.lock";
}

namespace {

/// Of a file that all users may lock; negative, with errno, where it can't be had. A link that somebody put
/// there must not have another file made or locked, and in a folder with the sticky bit the kernel may refuse
/// O_CREAT on a file of another user (fs.protected_regular), so an existing file is opened without it. A pipe
/// of that name must not keep us waiting.
int open_lock(const std::filesystem::path& file) {
    constexpr mode_t for_all = 0666;
    constexpr int how = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    for (int attempt = 0; attempt < 2; ++attempt) { // another program may make it in between
        if (const int found = ::open(file.c_str(), how); found >= 0) {
            struct stat facts{};
            if (::fstat(found, &facts) == 0 && S_ISREG(facts.st_mode))
                return found;
            ::close(found);
            errno = EINVAL;
            return -1;
        } else if (errno != ENOENT) {
            return found;
        }
        const int made = ::open(file.c_str(), how | O_CREAT | O_EXCL, for_all);
        if (made >= 0) {
            ::fchmod(made, for_all); // whatever the umask says
            return made;
        }
        if (errno != EEXIST)
            return made;
    }
    return -1;
}

} // namespace

Result<MeasurementLock> MeasurementLock::take(const std::stop_token& stop,
                                              const std::function<void()>& on_wait,
                                              std::optional<Seconds> longest,
                                              const std::filesystem::path& file) {
    MeasurementLock turn(open_lock(file));
    const auto unlocked = [&](const char* what) {
        const std::string why = errno == ELOOP ? "it is a link to another file" // which is not followed
                                               : std::generic_category().message(errno);
        turn.problem_ = fmt::format("{} can't be {} ({}): other programs may measure at the same time",
                                    file.string(), what, why);
        return std::move(turn);
    };
    const auto out_of_time = [] {
        return fail(Fault::Limit, "another program was measuring on this computer for the whole time budget");
    };
    if (turn.descriptor_ < 0)
        return unlocked("opened");
    const Stopwatch watch;
    bool is_waiting = false;
    while (::flock(turn.descriptor_, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return unlocked("locked");
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped while another program was measuring");
        if (longest && watch.seconds() >= longest->count())
            return out_of_time();
        if (!std::exchange(is_waiting, true) && on_wait)
            on_wait();
        std::this_thread::sleep_for(between_looks);
    }
    if (is_waiting)
        turn.waited_ = Seconds(watch.seconds());
    if (longest && is_waiting && turn.waited() >= *longest)
        return out_of_time();
    return turn;
}

MeasurementLock::MeasurementLock(MeasurementLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1))
    , waited_(other.waited_)
    , problem_(std::move(other.problem_)) {}

MeasurementLock::~MeasurementLock() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

namespace {

constexpr std::string_view setting_name = "measurement_in_flight"; ///< "attempts what"

} // namespace

Result<int> begin_attempt(Workspace& workspace, const PendingMeasurement& measurement) {
    const auto noted = setting(workspace, setting_name);
    if (!noted)
        return std::unexpected(noted.error());
    const std::string what =
        fmt::format("{} {} on {}", measurement.setting, measurement.configuration, measurement.workload);
    int before = 0;
    if (*noted) {
        const std::string_view text = **noted;
        const std::size_t blank = text.find(' ');
        if (blank != std::string_view::npos && text.substr(blank + 1) == what)
            std::from_chars(&text.front(), &text.front() + blank, before);
    }
    if (auto written = set_setting(workspace, setting_name, fmt::format("{} {}", before + 1, what)); !written)
        return std::unexpected(written.error());
    return before + 1;
}

Result<void> end_attempts(Workspace& workspace) {
    return set_setting(workspace, setting_name, "");
}

std::uint64_t operand_limit() {
    const auto memory = usable_memory_bytes(SystemFiles("/"));
    return memory ? *memory / 2 : std::uint64_t{2} << 30;
}

Result<WrittenConfiguration> MeasuringDomain::written(const Setting& setting, std::string_view text,
                                                      int threads) const {
    auto written = domain().written(setting, text);
    if (written)
        written->threads = stored_threads(threads);
    return written;
}

Result<void> MeasuringDomain::check_sampler(std::string_view sampler) const {
    const auto known = samplers();
    if (std::ranges::find(known, sampler) != known.end())
        return {};
    return fail(Fault::Input,
                fmt::format("'{}' is no sampler: expected {}", sampler, fmt::join(known, " or ")));
}

Result<std::vector<WrittenConfiguration>> MeasuringDomain::sample(std::string_view sampler,
                                                                  const SpaceRequest& request,
                                                                  std::size_t count, int threads,
                                                                  Random& random) const {
    if (auto known = check_sampler(sampler); !known)
        return std::unexpected(std::move(known).error());
    const auto space = domain().space(request);
    const auto codec = domain().codec(request.setting);
    if (!space || !codec)
        return std::unexpected(space ? codec.error() : space.error());
    std::vector<WrittenConfiguration> drawn;
    for (const Configuration& configuration : (*space)->sample(count, random)) {
        auto each = written(request.setting, (*codec)->text(configuration, threads), threads);
        if (!each)
            return std::unexpected(std::move(each).error());
        drawn.push_back(*std::move(each));
    }
    return drawn;
}

Result<std::vector<std::string>> MeasuringDomain::read_list(const Setting& setting,
                                                            const std::filesystem::path& file) const {
    std::ifstream lines(file);
    if (!lines)
        return fail_in_file(Fault::Environment, file.string(), 0, "the file can't be read");
    std::vector<std::string> texts;
    std::int64_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const std::string_view text = trimmed(line);
        if (text.empty())
            continue;
        if (const auto known = domain().written(setting, text); !known)
            return fail_in_file(Fault::Input, file.string(), number, known.error().message);
        texts.emplace_back(text);
    }
    return texts;
}

std::vector<const MeasuringDomain*> MeasuringDomains::all() const {
    std::vector<const MeasuringDomain*> all;
    for (const auto& each : domains_)
        all.push_back(each.get());
    return all;
}

const MeasuringDomain* MeasuringDomains::find(std::string_view domain) const {
    for (const auto& each : domains_)
        if (each->domain().name() == domain)
            return each.get();
    return nullptr;
}

Result<const MeasuringDomain*> MeasuringDomains::require(std::string_view domain) const {
    if (const MeasuringDomain* const found = find(domain))
        return found;
    return fail(Fault::Input,
                fmt::format("{} can't be measured on this computer: their times are imported", domain));
}

} // namespace sparsight

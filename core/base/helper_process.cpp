#include "base/helper_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <spawn.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sparsight {

Result<std::filesystem::path> find_sparsight_program(std::string_view name, std::string_view task) {
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

namespace {

constexpr std::array<char, 8> mark{'s', 'p', 'a', 'r', 's', 'i', 'g', '1'}; // before every size

/// False: the other side is gone.
bool write_all(int to, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

bool read_all(int from, char* bytes, std::size_t size) {
    while (size > 0) {
        const ssize_t read = ::read(from, bytes, size);
        if (read < 0 && errno == EINTR)
            continue;
        if (read <= 0)
            return false;
        bytes += read;
        size -= static_cast<std::size_t>(read);
    }
    return true;
}

bool send_message(int to, std::string_view message) {
    const std::uint64_t size = message.size();
    std::string head(mark.data(), mark.size());
    head.append(reinterpret_cast<const char*>(&size), sizeof(size));
    return write_all(to, head) && write_all(to, message);
}

/// `first` was read already.
std::optional<std::string> receive_message(int from, char first) {
    std::array<char, mark.size() + sizeof(std::uint64_t)> head{first};
    if (!read_all(from, head.data() + 1, head.size() - 1) ||
        std::memcmp(head.data(), mark.data(), mark.size()) != 0)
        return std::nullopt;
    std::uint64_t size = 0;
    std::memcpy(&size, head.data() + mark.size(), sizeof(size));
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;
    if (size > most_bytes)
        return std::nullopt;
    std::string message(size, '\0');
    if (!read_all(from, message.data(), message.size()))
        return std::nullopt;
    return message;
}

/// As this process would start it from a shell: with signals of its own, and in a group of its own, so that
/// Ctrl-C reaches it through this process alone.
class SpawnSettings {
public:
    explicit SpawnSettings(int socket) {
        ::posix_spawnattr_init(&attributes_);
        ::posix_spawn_file_actions_init(&files_);
        sigset_t signals{};
        ::sigemptyset(&signals);
        ::posix_spawnattr_setsigmask(&attributes_, &signals);
        for (const int signal : {SIGINT, SIGTERM, SIGPIPE})
            ::sigaddset(&signals, signal);
        ::posix_spawnattr_setsigdefault(&attributes_, &signals);
        ::posix_spawnattr_setpgroup(&attributes_, 0);
        ::posix_spawnattr_setflags(&attributes_,
                                   POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        ::posix_spawn_file_actions_adddup2(&files_, socket, STDIN_FILENO);
        ::posix_spawn_file_actions_adddup2(&files_, socket, STDOUT_FILENO);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;
    ~SpawnSettings() {
        ::posix_spawn_file_actions_destroy(&files_);
        ::posix_spawnattr_destroy(&attributes_);
    }

    [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }
    [[nodiscard]] const posix_spawn_file_actions_t* files() const { return &files_; }

private:
    posix_spawnattr_t attributes_{};
    posix_spawn_file_actions_t files_{};
};

} // namespace

Result<HelperProcess> HelperProcess::start(const std::filesystem::path& program,
                                           std::vector<std::string> arguments) {
    const auto failed = [&](int reason) {
        return fail_in_file(Fault::Environment, program.string(), 0,
                            fmt::format("can't be started: {}", std::generic_category().message(reason)));
    };
    std::array<int, 2> sockets{-1, -1}; // ours and that of the other side, which ends when ours is closed
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
        return failed(errno);
    std::string path = program.string();
    std::vector<char*> words{path.data()};
    for (std::string& argument : arguments)
        words.push_back(argument.data());
    words.push_back(nullptr);
    pid_t child = -1;
    const SpawnSettings settings(sockets[1]);
    const int reason =
        ::posix_spawn(&child, path.c_str(), settings.files(), settings.attributes(), words.data(), environ);
    ::close(sockets[1]);
    if (reason != 0) {
        ::close(sockets[0]);
        return failed(reason);
    }
    return HelperProcess(std::move(path), child, sockets[0]);
}

HelperProcess::~HelperProcess() {
    if (socket_ >= 0)
        ::close(socket_);
    if (child_ <= 0)
        return;
    ::kill(child_, SIGTERM); // it may be about a long answer, which nobody waits for
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
}

HelperProcess::HelperProcess(HelperProcess&& other) noexcept
    : program_(std::move(other.program_))
    , child_(std::exchange(other.child_, -1))
    , socket_(std::exchange(other.socket_, -1)) {}

HelperProcess& HelperProcess::operator=(HelperProcess&& other) noexcept {
    std::swap(program_, other.program_);
    std::swap(child_, other.child_);
    std::swap(socket_, other.socket_);
    return *this;
}

Result<std::string> HelperProcess::ask(std::string_view question) {
    char first = 0;
    if (send_message(socket_, question) && read_all(socket_, &first, 1))
        if (auto answer = receive_message(socket_, first))
            return *std::move(answer);
    return fail_in_file(Fault::Internal, program_, 0, "has ended before its answer");
}

bool answer_questions(const std::function<std::string(std::string_view question)>& answer) {
    for (;;) {
        char first = 0;
        if (!read_all(STDIN_FILENO, &first, 1))
            return true;
        const auto question = receive_message(STDIN_FILENO, first);
        if (!question)
            return false;
        if (!send_message(STDOUT_FILENO, answer(*question)))
            return true;
    }
}

} // namespace sparsight

#include "app/cli/child_process.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <sched.h>
#include <stdexcept>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace sparsight::testing {

namespace {

std::array<int, 2> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::runtime_error("no pipe");
    return ends;
}

[[noreturn]] void become(const std::vector<std::string>& words, const std::filesystem::path& folder, int out,
                         int err) {
    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::unsetenv("SPARSIGHT_WORKSPACE");
    const bool is_ready =
        ::chdir(folder.c_str()) == 0 && ::dup2(out, STDOUT_FILENO) >= 0 && ::dup2(err, STDERR_FILENO) >= 0;
    if (is_ready)
        ::execv(arguments.front(), arguments.data());
    ::_exit(127);
}

/// False at its end.
bool append(int& descriptor, std::string& text) {
    std::array<char, 4096> buffer{};
    const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
    if (size > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(size));
        return true;
    }
    ::close(descriptor);
    descriptor = -1;
    return false;
}

} // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& words, const std::filesystem::path& folder) {
    const auto out = make_pipe();
    const auto err = make_pipe();
    id_ = ::fork();
    if (id_ == 0)
        become(words, folder, out[1], err[1]);
    ::close(out[1]);
    ::close(err[1]);
    out_ = out[0];
    err_ = err[0];
}

ChildProcess::~ChildProcess() {
    if (id_ > 0) {
        ::kill(id_, SIGKILL);
        ::waitpid(id_, nullptr, 0);
    }
    for (const int descriptor : {out_, err_})
        if (descriptor >= 0)
            ::close(descriptor);
}

bool ChildProcess::read_more() {
    std::array<pollfd, 2> waiting{pollfd{out_, POLLIN, 0}, pollfd{err_, POLLIN, 0}};
    if (out_ < 0 && err_ < 0)
        return false;
    ::poll(waiting.data(), waiting.size(), -1);
    if (waiting[0].revents != 0)
        append(out_, out_text_);
    if (waiting[1].revents != 0)
        append(err_, err_text_);
    return true;
}

std::optional<std::string> ChildProcess::next_line() {
    while (true) {
        const std::size_t end = out_text_.find('\n', taken_);
        if (end != std::string::npos) {
            const std::string line = out_text_.substr(taken_, end - taken_);
            taken_ = end + 1;
            return line;
        }
        if (out_ < 0 || !read_more())
            return std::nullopt;
    }
}

void ChildProcess::send(int signal) const {
    ::kill(id_, signal);
}

namespace {

/// Whether a set of signals in the status of a process has this one: "SigBlk:\t0000000000000002" (proc(5)).
bool names_signal(pid_t process, std::string_view key, int signal) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(key))
            return (std::stoull(line.substr(key.size()), nullptr, 16) >> (signal - 1) & 1) != 0;
    return false;
}

} // namespace

void ChildProcess::send_while_it_writes(int signal) const {
    pollfd output{out_, POLLIN, 0};
    ::poll(&output, 1, -1);
    send(signal);
    while (names_signal(id_, "ShdPnd:\t", signal)) // it waits for any of its threads
        ::sched_yield();
}

void ChildProcess::send_while_it_is_held(int signal) const {
    while (!names_signal(id_, "SigBlk:\t", signal))
        ::sched_yield();
    send(signal);
}

Outcome ChildProcess::finish() {
    while (read_more()) {
    }
    int status = 0;
    ::waitpid(id_, &status, 0);
    id_ = -1;
    Outcome outcome{.exit_code = -1, .signal = 0, .out = out_text_, .err = err_text_};
    if (WIFEXITED(status))
        outcome.exit_code = WEXITSTATUS(status);
    else
        outcome.signal = WTERMSIG(status);
    return outcome;
}

} // namespace sparsight::testing

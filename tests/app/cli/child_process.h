// A program that runs beside the test, with pipes on its outputs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sparsight::testing {

struct Outcome {
    int exit_code = -1; ///< -1 when a signal killed it
    int signal = 0;
    std::string out;
    std::string err;
};

class ChildProcess {
public:
    /// `words` begins with the program; it runs in `folder`.
    ChildProcess(const std::vector<std::string>& words, const std::filesystem::path& folder);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// The next line of stdout without its end; nothing at the end of the output.
    [[nodiscard]] std::optional<std::string> next_line();
    void send(int signal) const;
    /// Sends it while the process writes its first output, and waits until it has taken it; nothing is read
    /// meanwhile: whoever writes more than a pipe holds (64 KiB) stays where it is until then.
    void send_while_it_writes(int signal) const;
    /// Sends it as soon as the process, which is only starting, holds such signals back.
    void send_while_it_is_held(int signal) const;
    /// Reads what is left of both outputs and waits for the end.
    [[nodiscard]] Outcome finish();

private:
    /// False at the end of both outputs.
    bool read_more();

    pid_t id_ = -1;
    int out_ = -1;
    int err_ = -1;
    std::string out_text_;
    std::string err_text_;
    std::size_t taken_ = 0; ///< of out_text_, by next_line()
};

} // namespace sparsight::testing

// Runs another of our programs, which answers questions one after the other with a library that this process
// must not load. Questions and answers are bytes.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace sparsight {

/// Finds a program beside this one (even if it may not be started; starting it then says so), otherwise in a
/// folder of PATH. Error (Fault::Environment): it is in neither; `task` says what it is for: "which trains
/// and searches".
[[nodiscard]] Result<std::filesystem::path> find_sparsight_program(std::string_view program,
                                                                   std::string_view task);

/// The other program runs as long as this object lives, and ends when this process dies.
class HelperProcess {
public:
    /// Error (Environment): it can't be started.
    [[nodiscard]] static Result<HelperProcess> start(const std::filesystem::path& program,
                                                     std::vector<std::string> arguments);
    ~HelperProcess();
    HelperProcess(HelperProcess&& other) noexcept;
    HelperProcess& operator=(HelperProcess&& other) noexcept;

    /// Waits for the answer. Error (Internal): it has ended; it answers nothing from then on.
    [[nodiscard]] Result<std::string> ask(std::string_view question);

private:
    HelperProcess(std::string program, pid_t child, int socket)
        : program_(std::move(program))
        , child_(child)
        , socket_(socket) {}

    std::string program_;
    pid_t child_ = -1;
    int socket_ = -1;
};

/// What the other program does: answers what comes from standard input by standard output, until there is no
/// more. False: the input is no question, such as that of a terminal.
[[nodiscard]] bool answer_questions(const std::function<std::string(std::string_view question)>& answer);

} // namespace sparsight

// Where the other programs of Sparsight are.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Beside this program, also one that may not be started (which is then said of it), else in a folder of
/// PATH. Error (Fault::Environment): it is in neither; `task` says what it is for: "which trains and
/// searches".
[[nodiscard]] Result<std::filesystem::path> find_sparsight_program(std::string_view program,
                                                                   std::string_view task);

// Another program that works for this one: its output line by line, and a stop that reaches it.

struct ChildEnd {
    int exit_code = 0;      ///< 128 and the number of the signal where one killed it, as shells count
    std::string last_words; ///< the last line that it wrote to stderr
};

/// Runs `program` until it ends; `on_line` is given each line of its stdout. Stopped, it is sent SIGTERM, and
/// waited for. It has this program's environment and `more_environment`, texts of the form VARIABLE=VALUE for
/// variables that are not set here. It is of a process group of its own, so that Ctrl-C reaches it once and
/// through us, and it ends when this process dies. An error: it can't be started.
[[nodiscard]] Result<ChildEnd> run_child(const std::filesystem::path& program,
                                         const std::vector<std::string>& arguments,
                                         const std::vector<std::string>& more_environment,
                                         const std::function<void(std::string_view line)>& on_line,
                                         const std::stop_token& stop);

// Pages on paper: the window's program knows how to lay out and print, this one has it do so.

/// The name as it is, where it ends in .html or .pdf; otherwise an error that says what was expected.
[[nodiscard]] Result<std::string> read_report_name(std::string_view name);
[[nodiscard]] bool names_pdf(std::string_view file);

/// By `sparsight --print-report`, which is looked for beside this program, then on PATH. An error
/// (Fault::Environment) where it is not there, as in builds without a window.
[[nodiscard]] Result<void> print_pdf(const std::string& html, const std::string& file,
                                     const std::stop_token& stop);

} // namespace sparsight

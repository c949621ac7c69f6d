// Another program that works for this one: its output line by line, and a stop that reaches it.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

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

} // namespace sparsight

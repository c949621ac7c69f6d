// Errors are values: every function that can fail because of its input or its surroundings returns Result<T>.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

namespace sparsight {

/// Whose fault it is. The command line's exit codes and the window's dialogs follow it.
enum class Fault {
    Input,       ///< what the user gave is wrong: a file, an option, a schedule
    Limit,       ///< it would exceed a stated limit (bytes, sizes, time)
    Environment, ///< this machine: no such file, no permission, disk full, file locked
    Cancelled,   ///< the user stopped it
    Internal,    ///< our bug
};

/// One defect, in words for the user: what stands there and what was expected.
struct Error {
    Fault fault = Fault::Internal;
    std::string message;
    std::string file;      ///< empty when no file is concerned
    std::int64_t line = 0; ///< 1-based; 0 when no line is concerned (binary files)

    /// "file:line: message", leaving out what is absent.
    [[nodiscard]] std::string text() const;
};

template <typename T>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(Fault fault, std::string message) {
    return std::unexpected(Error{fault, std::move(message), {}, 0});
}

[[nodiscard]] inline std::unexpected<Error> fail_in_file(Fault fault, std::string file, std::int64_t line,
                                                         std::string message) {
    return std::unexpected(Error{fault, std::move(message), std::move(file), line});
}

} // namespace sparsight

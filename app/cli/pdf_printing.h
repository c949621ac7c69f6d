// Pages on paper: the window's program knows how to lay out and print, this one has it do so.
#pragma once

#include "base/error.h"

#include <stop_token>
#include <string>
#include <string_view>

namespace sparsight {

/// The name as it is, where it ends in .html or .pdf; otherwise an error that says what was expected.
[[nodiscard]] Result<std::string> read_report_name(std::string_view name);
[[nodiscard]] bool names_pdf(std::string_view file);

/// By `sparsight --print-report`, which is looked for beside this program, then on PATH. An error
/// (Fault::Environment) where it is not there, as in builds without a window.
[[nodiscard]] Result<void> print_pdf(const std::string& html, const std::string& file,
                                     const std::stop_token& stop);

} // namespace sparsight

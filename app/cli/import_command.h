// Files into the workspace.
#pragma once

#include "base/terminal_text.h"
#include "command/domain_part.h"
#include "command/job.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// What is imported.
struct ImportOrder {
    std::vector<std::string> files{};
    std::string machine{};    ///< whose times the files hold; empty: they say it, or hold none
    const Job* job = nullptr; ///< once the work begins
};

/// Files that a domain reads in a way of its own; those of others are read by Domain::read_workloads().
using Importers = DomainParts<ImportOrder>;

/// What was made of files or by a generator.
struct AddedWorkloads {
    std::string_view verb; ///< "imported"
    Json added = Json::array();
    std::int64_t already_there = 0; ///< of these
    std::span<const Error> failed;
    bool is_complete = true; ///< nothing was left undone
    Table table;             ///< for people
    bool has_summary = true; ///< below the table
};
/// As an event, which counts, or as an answer.
[[nodiscard]] ExitCode end_adding(const Job& job, const AddedWorkloads& workloads);

/// How an import of measurements ended; `problems` are the first of `count` lines that could not be taken.
[[nodiscard]] ExitCode end_import(const Job& job, const Json& json, const std::string& text,
                                  std::span<const Error> problems, std::size_t count, bool is_stopped);

} // namespace sparsight

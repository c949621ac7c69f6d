// Files of measured tuning records, into a workspace.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/records/record_source.h"
#include "store/workspace.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct RecordImportRequest {
    std::vector<std::filesystem::path> files{}; ///< of any format of record_formats.h
    RecordOptions form{};                       ///< of all of them
    std::filesystem::path workloads{};          ///< sheet of facts (FactSheet); empty: none
    std::filesystem::path machines{};           ///< likewise
};

struct RecordImportReport {
    std::int64_t workloads = 0; ///< that the files name
    std::int64_t machines = 0;
    std::int64_t configurations = 0;
    std::int64_t settings = 0;
    std::int64_t measurements = 0;  ///< in the files and now in the workspace
    std::int64_t already_there = 0; ///< of these, those that the workspace had before with the same time
    std::int64_t replaced = 0;      ///< of these, those that it had with another time, spread or reason
    std::int64_t failed_runs = 0;   ///< of these, those without a time
    std::int64_t repeated = 0;      ///< lines of a measurement that another line has; the fastest is kept
    std::int64_t without_facts = 0; ///< workloads and machines that a sheet was given for and does not name
    std::vector<std::string> first_without_facts{}; ///< the names of the first few of these
    RecordProblems problems; ///< files and lines that could not be taken; all others were
    bool is_stopped = false; ///< before all was read; what was read is imported

    [[nodiscard]] std::int64_t added() const { return measurements - already_there - replaced; }
};

/// Measurements are stored under the protocol "recorded", the column `run` as their condition. Some ten
/// thousand lines are one transaction: what was stored before a stop or a kill stays, and importing the file
/// again goes on from there. Errors are those of the workspace.
[[nodiscard]] Result<RecordImportReport> import_records(Workspace& workspace,
                                                        const RecordImportRequest& request,
                                                        Observer& observer, const std::stop_token& stop);

/// The protocol that recorded times are kept under.
inline constexpr std::string_view recorded_protocol = "recorded";

} // namespace sparsight

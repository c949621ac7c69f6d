// Tuning records of a workspace as a file: a table of record_table.h, or T4 results of t4_results.h.
// Importing the file again gives the same measurements.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "store/workspace.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

namespace sparsight {

enum class RecordFileFormat : std::uint8_t {
    Table, ///< .csv
    T4,    ///< .json
};
/// By the file's suffix; absent for another one.
[[nodiscard]] std::optional<RecordFileFormat> export_format_of(const std::filesystem::path& file);

struct RecordExportRequest {
    std::filesystem::path file{}; ///< replaced as a whole, once all is written
    RecordFileFormat format = RecordFileFormat::Table;
    // Which records; an empty name admits all.
    std::string workload{};
    std::string machine{}; ///< name or fingerprint
    std::string space{};
};

struct RecordExportReport {
    std::int64_t measurements = 0;
    std::int64_t workloads = 0;
    std::int64_t machines = 0;
    std::int64_t failed_runs = 0; ///< of the measurements, those without a time
    std::int64_t damaged = 0;     ///< left out: their rows in the workspace do not match their checksums
};

/// Memory depends on the number of workloads and of decisions, not of records. Errors: there is no such
/// record (Input); a decision whose name means something else in a table (Input); those of the file and of
/// the workspace; stopped (Cancelled). The file stays as it was then.
[[nodiscard]] Result<RecordExportReport> export_records(Workspace& workspace,
                                                        const RecordExportRequest& request,
                                                        const ProgressSink& progress,
                                                        const std::stop_token& stop);

} // namespace sparsight

// Which matrices a folder of WACO's form names, in its lists and by its files.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "domains/sparse/schedule/operator.h"
#include "store/matrices.h"
#include "store/workspace.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct WacoListing {
    std::vector<std::string>
        names; ///< each once: as the lists have them, then those that only have a NAME.txt
    std::array<std::vector<std::string>, all_split_parts.size()> parts; ///< by SplitPart
    bool has_lists = false;
};

/// Lines that name no matrix become problems. Errors: no such folder, nothing in it.
[[nodiscard]] Result<WacoListing> list_waco_folder(const std::filesystem::path& folder,
                                                   std::vector<Error>& problems);

/// Whether a matrix's name can be a file's name in such a folder: not a path, not one of the four lists.
[[nodiscard]] bool is_waco_name(std::string_view name);

/// Calls `take(line, number)` for each line that is not blank, without the white space around it; false when
/// the file can't be read to its end.
[[nodiscard]] bool for_each_line(const std::filesystem::path& path,
                                 const std::function<void(std::string_view line, std::int64_t number)>& take);

// WACO's folder form of collected data, both ways: total.txt, train.txt, validation.txt and test.txt name one
// matrix a line; NAME.txt holds "schedule = milliseconds" lines; NAME.csr is the pattern. (Design: waco.md,
// "Text formats".)

/// The protocol that imported runtimes are kept under.
inline constexpr std::string_view waco_protocol = "waco";

struct WacoImport {
    std::filesystem::path folder{};
    std::filesystem::path matrix_folder{}; ///< of the .csr files; empty: `folder` itself
    Operator op = Operator::SpMM;          ///< the files do not say
    std::string machine{}; ///< whom the runtimes belong to; one of this name is made when there is none
    std::int64_t dense = 256;
    std::string split{}; ///< name for what the four lists say; empty: the folder's name
};

struct WacoImportReport {
    std::int64_t matrices = 0;
    std::int64_t patterns = 0; ///< of the matrices, those whose .csr was there
    std::int64_t measurements = 0;
    std::int64_t failed_runs = 0; ///< of the measurements, those written as "inf": kept as failed
    /// Of the measurements, those under a microsecond or of 1000 ms and more (training leaves these out):
    /// kept.
    std::int64_t outliers = 0;
    /// What could not be taken, each with file and line. All the rest was.
    std::vector<Error> problems;
};

/// All matrices of the lists, then all that only have a NAME.txt; a matrix without a .csr is known by name
/// alone. Each matrix is one transaction; importing the same folder again changes nothing. Errors: no such
/// folder, nothing in it, and those of the workspace.
[[nodiscard]] Result<WacoImportReport> import_waco_folder(Workspace& workspace, const WacoImport& request,
                                                          const std::stop_token& stop = {},
                                                          const ProgressSink& progress = {});

struct WacoExport {
    std::filesystem::path folder{}; ///< new or empty
    bool patterns = true;           ///< .csr files beside the runtimes
    Operator op = Operator::SpMM;
    std::string machine{}; ///< name or fingerprint
    std::int64_t dense = 256;
    std::string protocol{waco_protocol};
    std::string split{}; ///< its lists are written; empty: total.txt names every exported matrix
};

struct WacoExportReport {
    std::int64_t matrices = 0;
    std::int64_t patterns = 0;
    std::int64_t measurements = 0;
    std::vector<Error> problems; ///< matrices that could not be written, each with the reason
};

/// Lines in the order in which they were recorded; a schedule that has no time, or was given up so that only
/// a lower bound is known, is written as "inf". What was imported comes out byte for byte.
[[nodiscard]] Result<WacoExportReport> export_waco_folder(Workspace& workspace, const WacoExport& request,
                                                          const std::stop_token& stop = {},
                                                          const ProgressSink& progress = {});

} // namespace sparsight

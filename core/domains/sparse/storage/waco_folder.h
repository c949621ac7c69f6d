// WACO's folder form of collected data, imported and exported: total.txt, train.txt, validation.txt and
// test.txt name one matrix on each line; NAME.txt holds "schedule = milliseconds" lines; NAME.csr is the
// pattern. (Design: waco.md, "Text formats".)
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/storage/matrices.h"
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

/// The matrices that a folder names, in its lists and by its files.
struct WacoListing {
    std::vector<std::string>
        names; ///< each once: in the order of the lists, then those that only have a NAME.txt
    std::array<std::vector<std::string>, all_split_parts.size()> parts; ///< by SplitPart
    bool has_lists = false;
};

/// Reads the listing of a folder. Lines that name no matrix become problems. Errors: no such folder, nothing
/// in it.
[[nodiscard]] Result<WacoListing> list_waco_folder(const std::filesystem::path& folder,
                                                   std::vector<Error>& problems);

/// Whether a matrix's name can be a file's name in such a folder: not a path, not one of the four lists.
[[nodiscard]] bool is_waco_name(std::string_view name);

/// Calls `take(line, number)` for each line that is not blank, without the white space around it; false when
/// the file can't be read to its end.
[[nodiscard]] bool for_each_line(const std::filesystem::path& path,
                                 const std::function<void(std::string_view line, std::int64_t number)>& take);

/// The protocol that imported runtimes are kept under.
inline constexpr std::string_view waco_protocol = "waco";

struct WacoImport {
    std::filesystem::path folder{};
    std::filesystem::path matrix_folder{}; ///< of the .csr files; empty: `folder` itself
    Operator op = Operator::SpMM;          ///< the files do not contain it
    std::string machine{}; ///< the owner of the runtimes; a machine of this name is added if there is none
    std::int64_t dense = 256;
    std::string split{}; ///< name for the split of the four lists; empty: the folder's name
};

struct WacoImportReport {
    std::int64_t matrices = 0;
    std::int64_t patterns = 0; ///< of the matrices, those with a .csr
    std::int64_t measurements = 0;
    std::int64_t failed_runs = 0; ///< of the measurements, those written as "inf": stored as failed
    /// Of the measurements, those under a microsecond or of 1000 ms and more: stored, but left out of
    /// training.
    std::int64_t outliers = 0;
    /// Parts that could not be imported, each with file and line. Everything else was imported.
    std::vector<Error> problems;
};

/// Imports all matrices of the lists, then all that only have a NAME.txt; a matrix without a .csr is known
/// by name alone. Each matrix is one transaction; importing the same folder again changes nothing. Errors:
/// no such folder, nothing in it, and those of the workspace.
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
    std::string split{}; ///< the split whose lists are written; empty: total.txt names every exported matrix
};

struct WacoExportReport {
    std::int64_t matrices = 0;
    std::int64_t patterns = 0;
    std::int64_t measurements = 0;
    std::vector<Error> problems; ///< matrices that could not be written, each with the reason
};

/// Exports runtimes, in the order in which they were recorded; a schedule that has no time, or only a lower
/// bound because it was abandoned, is written as "inf". Imported data is exported byte for byte.
[[nodiscard]] Result<WacoExportReport> export_waco_folder(Workspace& workspace, const WacoExport& request,
                                                          const std::stop_token& stop = {},
                                                          const ProgressSink& progress = {});

} // namespace sparsight

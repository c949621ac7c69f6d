#include "domains/sparse/workflow/import/matrix_import.h"

#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/reading.h"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

std::string absolute_path(const std::string& file) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(file, error);
    return error ? file : absolute.lexically_normal().string();
}

} // namespace

Result<ImportedMatrix> import_file(Workspace& workspace, const std::string& file, const std::string& name,
                                   int threads, const std::stop_token& stop) {
    const auto loaded = read_matrix(file, {.threads = threads, .limits = {}, .stop = stop, .progress = {}});
    if (!loaded)
        return std::unexpected(loaded.error());
    const MatrixOrigin origin{name.empty() ? loaded->name : name, absolute_path(file), file};
    const auto known = find_matrix(workspace, origin.name);
    if (!known)
        return std::unexpected(known.error());
    const auto id = add_matrix(workspace, origin, loaded->pattern);
    if (!id) {
        Error error = id.error();
        if (!error.file.empty())
            return std::unexpected(std::move(error));
        error.file = file;
        if (*known)
            error.message += " with --name";
        return std::unexpected(std::move(error));
    }
    return ImportedMatrix{origin.name,
                          origin.source,
                          loaded->pattern.rows,
                          loaded->pattern.cols,
                          loaded->pattern.nnz(),
                          loaded->report,
                          *known && (*known)->pattern != PayloadPlace::Unknown};
}

Json imported_json(const ImportedMatrix& matrix) {
    return {{"name", matrix.name},
            {"rows", matrix.rows},
            {"cols", matrix.cols},
            {"nnz", matrix.nnz},
            {"source", matrix.source},
            {"duplicates_merged", matrix.report.duplicates_merged},
            {"explicit_zeros", matrix.report.explicit_zeros},
            {"already_there", matrix.already_there}};
}

Result<ImportReport> import_files(Workspace& workspace, const ImportRequest& request, Observer& observer,
                                  const std::stop_token& stop) {
    const std::size_t files = request.files.size();
    observer.start({{"files", files}});
    ImportReport report;
    for (const std::string& file : request.files) {
        if (stop.stop_requested())
            break;
        observer.progress({.stage = fmt::format("reading {}", file), .done = report.size(), .total = files});
        auto imported = import_file(workspace, file, request.name, request.threads, stop);
        if (!imported && imported.error().fault == Fault::Cancelled)
            break;
        if (imported) {
            observer.event("imported", imported_json(*imported));
            report.imported.push_back(*std::move(imported));
            continue;
        }
        if (imported.error().file == workspace.path().string())
            return std::unexpected(std::move(imported).error());
        observer.event("failed", failure_json(imported.error()));
        observer.complain(imported.error());
        report.failed.push_back(std::move(imported).error());
    }
    observer.progress({.stage = "imported", .done = report.size(), .total = files});
    return report;
}

} // namespace sparsight

#include "workflow/import/matrix_import.h"

#include "domains/sparse/tensor/reading.h"
#include "store/matrices.h"

#include <filesystem>

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
                          *known && (*known)->pattern != PatternPlace::Unknown};
}

} // namespace sparsight

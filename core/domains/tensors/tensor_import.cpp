#include "domains/tensors/tensor_import.h"

#include "base/reading/unpacked_file.h"
#include "domains/tensors/tensor_store.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

namespace sparsight {
namespace {

std::string absolute_path(const std::string& file) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(file, error);
    return error ? file : absolute.lexically_normal().string();
}

Result<ImportedTensor> import_tensor(Workspace& workspace, const std::string& file,
                                     const std::stop_token& stop) {
    auto loaded = read_tensor(file, {.limits = {}, .stop = stop, .progress = {}});
    if (!loaded)
        return std::unexpected(std::move(loaded).error());
    ImportedTensor imported{loaded->name,         absolute_path(file), loaded->tensor.sizes,
                            loaded->tensor.nnz(), loaded->report,      false};
    const auto added = add_tensor(workspace, imported.name, imported.source, loaded->tensor);
    if (!added) {
        Error error = added.error();
        if (error.file.empty()) {
            error.file = file;
            error.message += ": rename this file, which names the tensor";
        }
        return std::unexpected(std::move(error));
    }
    imported.already_there = added->was_there;
    return imported;
}

} // namespace

Json imported_json(const ImportedTensor& tensor) {
    return {{"name", tensor.name},
            {"sizes", tensor.sizes},
            {"nnz", tensor.nnz},
            {"source", tensor.source},
            {"duplicates_merged", tensor.report.duplicates_merged},
            {"explicit_zeros", tensor.report.explicit_zeros},
            {"not_finite", tensor.report.not_finite},
            {"already_there", tensor.already_there}};
}

std::int64_t TensorImport::known() const {
    return std::ranges::count_if(imported, &ImportedTensor::already_there);
}

bool is_named_as_tensor(const std::string& file) {
    std::filesystem::path name = std::filesystem::path(file).filename();
    if (!compression_of_name(name).empty())
        name = name.stem();
    return name.extension() == ".tns";
}

Result<TensorImport> import_tensors(Workspace& workspace, const std::vector<std::string>& files,
                                    Observer& observer, const std::stop_token& stop) {
    observer.start({{"files", files.size()}});
    TensorImport done;
    for (const std::string& file : files) {
        if (stop.stop_requested())
            break;
        observer.progress({.stage = fmt::format("reading {}", file),
                           .done = done.imported.size() + done.failed.size(),
                           .total = files.size()});
        auto imported = import_tensor(workspace, file, stop);
        if (!imported && imported.error().fault == Fault::Cancelled)
            break;
        if (imported) {
            observer.event("imported", imported_json(*imported));
            done.imported.push_back(*std::move(imported));
            continue;
        }
        if (imported.error().file == workspace.path().string())
            return std::unexpected(std::move(imported).error());
        observer.event("failed", failure_json(imported.error()));
        observer.complain(imported.error());
        done.failed.push_back(std::move(imported).error());
    }
    observer.progress(
        {.stage = "imported", .done = done.imported.size() + done.failed.size(), .total = files.size()});
    return done;
}

} // namespace sparsight

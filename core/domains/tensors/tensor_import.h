// Tensor files into a workspace.
#pragma once

#include "base/observer.h"
#include "domains/sparse/tensor/higher_order/tns_file.h"
#include "store/workspace.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct ImportedTensor {
    std::string name;
    std::string source;
    std::vector<std::int64_t> sizes;
    std::int64_t nnz = 0;
    TensorReport report;
    bool already_there = false;
};

/// {"name", "sizes", "nnz", "source", "duplicates_merged", "explicit_zeros", "not_finite", "already_there"}
[[nodiscard]] Json imported_json(const ImportedTensor& tensor);

struct TensorImport {
    std::vector<ImportedTensor> imported;
    std::vector<Error> failed;

    [[nodiscard]] std::int64_t known() const; ///< of the imported ones, those that were there before
};

/// Under the files' names. A file that can't be read is complained about and
/// told as the event "failed", the others as "imported". Fewer than all where it was stopped. Errors are
/// those of the workspace.
[[nodiscard]] Result<TensorImport> import_tensors(Workspace& workspace, const std::vector<std::string>& files,
                                                  Observer& observer, const std::stop_token& stop);

/// Whether the file has the name of a tensor: "a.tns", "a.tns.gz".
[[nodiscard]] bool is_named_as_tensor(const std::string& file);

} // namespace sparsight

// One matrix file into the workspace.
#pragma once

#include "base/error.h"
#include "domains/sparse/tensor/reading.h"
#include "store/workspace.h"

#include <cstdint>
#include <stop_token>
#include <string>

namespace sparsight {

struct ImportedMatrix {
    std::string name;
    std::string source;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t nnz = 0;
    ReadReport report;
    bool already_there = false;
};

/// Under `name`, or, when that is empty, under the file's. The error carries the file, or that of the
/// workspace when it is the one that failed; Fault::Cancelled when it was stopped.
[[nodiscard]] Result<ImportedMatrix> import_file(Workspace& workspace, const std::string& file,
                                                 const std::string& name, int threads,
                                                 const std::stop_token& stop);

} // namespace sparsight

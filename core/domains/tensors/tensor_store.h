// Tensors in a workspace.
#pragma once

#include "base/error.h"
#include "domains/sparse/tensor/higher_order/sparse_tensor.h"
#include "store/workloads.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// 32 hexadecimal digits over sizes, coordinates and values.
[[nodiscard]] std::string content_hash(const SparseTensor& tensor);

struct AddedTensor {
    WorkloadId id{};
    bool was_there = false; ///< with the same content
};

/// Adds a tensor with the facts "size_1", "size_2" … and "nnz". Adding the same tensor again changes nothing;
/// a name without data gets this one. `source` is its origin, for the user. Errors: another tensor has this
/// name (Input); those of the workspace.
[[nodiscard]] Result<AddedTensor> add_tensor(Workspace& workspace, const std::string& name,
                                             const std::string& source, const SparseTensor& tensor);

/// Errors: its data is not known; the stored bytes are damaged (Input).
[[nodiscard]] Result<SparseTensor> load_tensor(Workspace& workspace, const WorkloadRecord& workload);

/// statistics_of() a tensor: the stored ones, otherwise computed, and stored where the workspace can be
/// written. Absent where its data can't be read.
[[nodiscard]] std::optional<std::vector<double>> stored_statistics(Workspace& workspace,
                                                                   const WorkloadRecord& workload);

} // namespace sparsight

// Sparse matrices and SuperSchedules as a domain: all of it that needs neither LLVM nor LibTorch.
#pragma once

#include "study/domain.h"

#include <memory>

namespace sparsight {

/// Workloads are patterns, a setting is an operator and the extent of its dense index (schedule/operator.h),
/// configurations are SuperSchedules, written as WACO writes them, and the baseline is fixed CSR.
/// space() needs the facts "rows" and "cols" of a workload.
[[nodiscard]] std::unique_ptr<const Domain> make_sparse_domain();

/// Those of that domain: matrices, schedules, fixed CSR.
[[nodiscard]] const DomainWords& sparse_words();

} // namespace sparsight

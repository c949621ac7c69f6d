// Writing matrices to files. A file is replaced as a whole or, when anything fails, stays unchanged.
#pragma once

#include "base/error.h"
#include "domains/sparse/tensor/pattern.h"

#include <filesystem>
#include <string_view>

namespace sparsight {

/// Matrix Market coordinate general: real where the pattern has values (in the shortest form that reads back
/// as the same float32), else pattern. The comment may have several lines; each becomes a line "% …" under
/// the banner.
[[nodiscard]] Result<void> write_matrix_market(const std::filesystem::path& path, const CsrPattern& pattern,
                                               std::string_view comment = {});

/// WACO's binary CSR, which has no values, so those of the pattern are not written. Fault::Limit when rows,
/// columns or non-zeros exceed int32.
[[nodiscard]] Result<void> write_waco_csr(const std::filesystem::path& path, const CsrPattern& pattern);

} // namespace sparsight

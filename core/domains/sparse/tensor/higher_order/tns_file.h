// Text files of sparse tensors as the Formidable Repository of Open Sparse Tensors and Tools has them
// (FROSTT, Smith et al. 2017): a line for each entry, "i j k value" or "i j k l value"; indices count from 1;
// comments begin with '#'. A file has no header, so the largest index of a mode is its size.
#pragma once

#include "base/error.h"
#include "domains/sparse/tensor/higher_order/sparse_tensor.h"
#include "domains/sparse/tensor/matrix_files.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace sparsight {

/// What reading did to the entries of the file.
struct TensorReport {
    std::int64_t stored_entries = 0;        ///< in the file
    std::int64_t duplicates_merged = 0;     ///< their values were added to those before them
    std::int64_t explicit_zeros = 0;        ///< kept as entries
    std::int64_t not_finite = 0;            ///< values that are nan or infinite as float32; kept
    std::int64_t first_not_finite_line = 0; ///< 0 where there is none
    bool operator==(const TensorReport&) const = default;
};

struct LoadedTensor {
    std::string name; ///< of the file without folder and suffixes
    SparseTensor tensor;
    TensorReport report;
};

/// A plain or compressed file, or one inside an archive (see matrix_files.h). Of the limits, those of entries
/// and unpacked bytes count. Errors name the file, the line, what was found and what was expected: an index
/// that is no whole number from 1 to max_extent, a line with another number of indices than the first, an
/// order other than 3 or 4 (a header of another dialect reads as such), no entry at all.
[[nodiscard]] Result<LoadedTensor> read_tensor(const std::filesystem::path& path,
                                               const ReadOptions& options = {});

/// The content of such a file, held in memory; errors and the result carry `name`.
[[nodiscard]] Result<LoadedTensor> parse_tns(std::string_view text, const std::string& name,
                                             const ReadOptions& options = {});

/// Values are written in the shortest form that reads back as the same float32; without values, as 1. Empty
/// slices behind the last entry of a mode are lost, as the file has no sizes. Each line of the comment
/// becomes one of the file.
[[nodiscard]] Result<void> write_tns(const std::filesystem::path& path, const SparseTensor& tensor,
                                     std::string_view comment = {});

} // namespace sparsight

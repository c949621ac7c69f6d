// Reading matrices: from files of every supported kind, or from memory.
//
// Formats: Matrix Market (.mtx), WACO (.csr), DLMC (.smtx); each also compressed (.gz, .bz2, .xz, .zst) or
// inside a .tar (also compressed) or .zip, as the SuiteSparse Matrix Collection hands them out. A compressed
// file is known by its content, a Matrix Market file by its banner or its suffix, the others by their suffix.
//
// Every defect is one Error with the file, the 1-based line (0 in a binary file), what stands there and what
// was expected; it is the first one in the file. Memory grows with what is in the file and never with what
// its header promises; sizes over the limits are refused with the limit in the text (Fault::Limit), as is an
// exhausted memory.
#pragma once

#include "base/error.h"
#include "matrix/loaded_matrix.h"
#include "matrix/read_options.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace sparsight {

[[nodiscard]] Result<LoadedMatrix> read_matrix(const std::filesystem::path& path,
                                               const ReadOptions& options = {});

/// The content of such a file, held in memory; errors and the result carry `name`.
[[nodiscard]] Result<LoadedMatrix> parse_matrix_market(std::string_view text, const std::string& name,
                                                       const ReadOptions& options = {});
[[nodiscard]] Result<LoadedMatrix> parse_waco_csr(std::string_view bytes, const std::string& name,
                                                  const ReadOptions& options = {});
[[nodiscard]] Result<LoadedMatrix> parse_smtx(std::string_view text, const std::string& name,
                                              const ReadOptions& options = {});

} // namespace sparsight

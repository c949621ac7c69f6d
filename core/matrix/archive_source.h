// Compressed files and the archives that the SuiteSparse collection hands out, unpacked as they are read.
#pragma once

#include "matrix/byte_source.h"

#include <cstdint>

namespace sparsight {

/// What is read out of a compressed file.
struct UnpackedFile {
    std::filesystem::path name; ///< of the content: "cage8.mtx" of "cage8.mtx.gz", "HB/west0067.mtx" of a tar
    bool is_member = false;     ///< it is one of an archive's files
    std::unique_ptr<ByteSource> bytes;
};

/// Whether a file that begins so is one that open_compressed reads: gzip, bzip2, xz, zstd, zip or tar.
[[nodiscard]] bool is_compressed(std::string_view head);

/// A single compressed file (.gz, .bz2, .xz, .zst), or one matrix file (.mtx, .csr, .smtx) out of a .tar (in
/// any of these) or .zip. Among several candidates it is the one named like the archive, or like its own
/// folder in it: NAME/NAME.mtx and not the right-hand side NAME/NAME_b.mtx. Errors: no candidate, none of
/// them distinguished (the error lists them), damaged data, more than `limit` bytes unpacked.
[[nodiscard]] Result<UnpackedFile> open_compressed(const std::filesystem::path& path, std::uint64_t limit);

/// A plain file as it is, a compressed one through open_compressed().
[[nodiscard]] Result<UnpackedFile> open_unpacked(const std::filesystem::path& path, std::uint64_t limit);

} // namespace sparsight

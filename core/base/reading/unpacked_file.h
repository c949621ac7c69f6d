// The content of a compressed file or archive, unpacked while it is read.
#pragma once

#include "base/reading/byte_source.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace sparsight {

/// The content of a compressed file, or of an archive such as those of the SuiteSparse collection.
struct UnpackedFile {
    std::filesystem::path name; ///< of the content: "cage8.mtx" of "cage8.mtx.gz", "HB/west0067.mtx" of a tar
    bool is_member = false;     ///< it is one of an archive's files
    std::unique_ptr<ByteSource> bytes;
};

/// Whether open_compressed() reads a file with this beginning: gzip, bzip2, xz, zstd, zip or tar.
[[nodiscard]] bool is_compressed(std::string_view head);

/// What the suffix of a name promises: "gzip" of "a.mtx.gz"; empty without such a suffix.
[[nodiscard]] std::string_view compression_of_name(const std::filesystem::path& name);

/// Which files of an archive may be read: "matrix file", {".mtx", ".csr", ".smtx"}.
struct ArchiveMembers {
    std::string_view noun; ///< for messages
    std::span<const std::string_view> suffixes;
};

/// A single compressed file (.gz, .bz2, .xz, .zst), or one of the wanted files out of a .tar (in any of
/// these) or .zip. Among several candidates it is the one named like the archive, or like its own folder in
/// it: NAME/NAME.mtx and not the right-hand side NAME/NAME_b.mtx. Errors: no candidate, none of them
/// distinguished (the error lists them), damaged data, more than `limit` bytes unpacked.
[[nodiscard]] Result<UnpackedFile> open_compressed(const std::filesystem::path& path, std::uint64_t limit,
                                                   const ArchiveMembers& members);

/// A plain file as it is, a compressed one through open_compressed().
[[nodiscard]] Result<UnpackedFile> open_unpacked(const std::filesystem::path& path, std::uint64_t limit,
                                                 const ArchiveMembers& members);

} // namespace sparsight

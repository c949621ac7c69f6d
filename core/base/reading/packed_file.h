// gzip and bzip2 files as the bytes that they hold. libarchive would unpack gzip without a look at its
// checksum and length, takes a bzip2 file whose first block is damaged for plain text, and ends silently
// where other bytes follow.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sparsight {

class PackedFile {
public:
    /// Whether a file that begins like this is one.
    [[nodiscard]] static bool begins_with_magic(std::string_view head);

    /// Errors: those of file_source(); no memory (Limit).
    [[nodiscard]] static Result<std::unique_ptr<PackedFile>> open(const std::filesystem::path& path);
    PackedFile() = default;
    PackedFile(const PackedFile&) = delete;
    PackedFile& operator=(const PackedFile&) = delete;
    virtual ~PackedFile() = default;

    /// The next bytes of the content, valid until the next call; none at the end and behind a problem.
    [[nodiscard]] virtual std::span<const char> unpack() = 0;
    /// Why it can't be read any further; empty where it can.
    [[nodiscard]] virtual const std::string& problem() const = 0;
    /// Bytes of the compressed file that were used.
    [[nodiscard]] virtual std::uint64_t consumed() const = 0;
};

/// What a reader says of a compressed file that ends before its content does.
inline constexpr std::string_view ends_early = "the file ends too early";

} // namespace sparsight

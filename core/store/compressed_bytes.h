// Bytes as they lie in the workspace: their number (8 bytes, little-endian), then a zlib stream.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sparsight {

[[nodiscard]] Result<std::vector<std::byte>> compress_bytes(std::span<const std::byte> bytes);

/// An error when the stream is damaged, or when it claims to hold more than `limit` bytes: nothing is
/// allocated on the word of a damaged file.
[[nodiscard]] Result<std::vector<std::byte>> decompress_bytes(std::span<const std::byte> packed,
                                                              std::uint64_t limit);

} // namespace sparsight

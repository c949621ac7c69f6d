// Patterns and other bytes in compressed form, as the workspace stores them.
#pragma once

#include "base/error.h"
#include "domains/sparse/tensor/pattern.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// Compressed bytes: their number (8 bytes, little-endian), then a zlib stream.
[[nodiscard]] Result<std::vector<std::byte>> compress_bytes(std::span<const std::byte> bytes);

/// Reads compressed bytes. An error when the stream is damaged, or when it claims to hold more than `limit`
/// bytes: nothing is allocated because of a damaged file.
[[nodiscard]] Result<std::vector<std::byte>> decompress_bytes(std::span<const std::byte> packed,
                                                              std::uint64_t limit);

struct PatternExtents {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t nnz = 0;
};

/// A pattern as bytes: about one byte a non-zero before compression, far less after it where rows resemble
/// each other. Each row is its length, its first column as the difference to the first column of the row
/// before (zigzag), and the gaps between its columns less one; all as LEB128 numbers, then zlib.
struct EncodedPattern {
    std::vector<std::byte> structure;
    std::vector<std::byte> values; ///< empty when every value is 1
};

[[nodiscard]] Result<EncodedPattern> encode_pattern(const CsrPattern& pattern);

/// The pattern of encoded bytes. Errors: anything in the bytes that is not a well-formed pattern of these
/// extents.
[[nodiscard]] Result<CsrPattern> decode_pattern(const PatternExtents& extents,
                                                std::span<const std::byte> structure,
                                                std::span<const std::byte> values);

/// 32 hexadecimal digits over extents, structure and values: the same for the same matrix, whatever its
/// source (Fnv1a128).
[[nodiscard]] std::string content_hash(const CsrPattern& pattern);

} // namespace sparsight

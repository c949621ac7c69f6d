// Float arrays with names (the weights of models, apart from any library that computes with them), and the
// archive in which they are saved.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct NamedShape {
    std::string name;
    std::vector<std::int64_t> shape; ///< empty: one number

    bool operator==(const NamedShape&) const = default;
};

struct NamedArray {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> values; ///< row-major; as many as the product of the shape

    bool operator==(const NamedArray&) const = default;
};

/// The arrays in the order of the shapes. An error (Fault::Input) names every tensor that is missing,
/// surplus, or of another shape.
[[nodiscard]] Result<std::vector<NamedArray>> match_by_name(std::vector<NamedArray> arrays,
                                                            std::span<const NamedShape> shapes);

/// The kind of an archive. An archive holds a JSON text and named float arrays as bytes; models and the state
/// of training runs are saved in this form.
///
///   bytes  0 …  7   the kind of archive
///   bytes  8 … 11   version of this kind
///   bytes 12 … 15   CRC-32 of everything after it
///   bytes 16 … 23   size of the JSON
///   then            the JSON: an object, with "tensors" for name and shape of each array
///   the rest        the numbers of the arrays in that order (float32), then any further bytes
///
/// All numbers are little-endian.
struct ArchiveKind {
    std::string_view magic; ///< 8 characters
    std::uint32_t version = 1;
    std::string_view noun; ///< for errors: "model"
};

struct TensorArchive {
    std::string json; ///< an object, without "tensors"
    std::vector<NamedArray> arrays;
    std::string rest;
};

[[nodiscard]] std::vector<std::byte> archive_bytes(const ArchiveKind& kind, const TensorArchive& archive);

/// Reads exactly what was saved. Foreign, damaged and truncated bytes and other versions are errors of
/// Fault::Input; their texts continue the name of the file ("is no model of Sparsight").
[[nodiscard]] Result<TensorArchive> parse_archive(const ArchiveKind& kind, std::span<const std::byte> bytes);

} // namespace sparsight

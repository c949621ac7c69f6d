#include "domains/sparse/storage/pattern_codec.h"

#include "base/content_hash.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <optional>
#include <zlib.h>

namespace sparsight {

namespace {

constexpr std::size_t prefix_size = 8;
constexpr std::uint64_t largest_ratio = 1032; // of deflate, https://zlib.net/zlib_tech.html
// Level 1: patterns shrink nearly as far as at the default 6, in a fraction of the time.
constexpr int level = 1;

} // namespace

Result<std::vector<std::byte>> compress_bytes(std::span<const std::byte> bytes) {
    try {
        uLongf size = compressBound(bytes.size());
        std::vector<std::byte> packed(prefix_size + size);
        for (std::size_t i = 0; i < prefix_size; ++i)
            packed[i] = static_cast<std::byte>(static_cast<std::uint64_t>(bytes.size()) >> (8 * i));
        const int code = compress2(reinterpret_cast<Bytef*>(packed.data() + prefix_size), &size,
                                   reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), level);
        if (code != Z_OK)
            return fail(Fault::Internal,
                        fmt::format("compressing {} bytes failed (zlib {})", bytes.size(), code));
        packed.resize(prefix_size + size);
        return packed;
    } catch (const std::bad_alloc&) {
        return fail(Fault::Limit,
                    fmt::format("there is not enough memory to compress {} bytes", bytes.size()));
    }
}

Result<std::vector<std::byte>> decompress_bytes(std::span<const std::byte> packed, std::uint64_t limit) {
    if (packed.size() < prefix_size)
        return fail(Fault::Input,
                    fmt::format("a compressed block is cut off: it has {} bytes", packed.size()));
    std::uint64_t size = 0;
    for (std::size_t i = 0; i < prefix_size; ++i)
        size |= static_cast<std::uint64_t>(packed[i]) << (8 * i);
    const std::span<const std::byte> stream = packed.subspan(prefix_size);
    const std::uint64_t possible = std::min(limit, largest_ratio * (stream.size() + 1));
    if (size > possible)
        return fail(Fault::Input,
                    fmt::format("a compressed block is damaged: it claims to hold {} bytes, and can hold "
                                "at most {}",
                                size, possible));
    try {
        std::vector<std::byte> bytes(size);
        uLongf written = size;
        // zlib wants a target even when there is nothing to write.
        std::byte none{};
        auto* target = reinterpret_cast<Bytef*>(bytes.empty() ? &none : bytes.data());
        const int code =
            uncompress(target, &written, reinterpret_cast<const Bytef*>(stream.data()), stream.size());
        if (code == Z_MEM_ERROR)
            return fail(Fault::Limit, fmt::format("there is not enough memory for {} bytes", size));
        if (code != Z_OK || written != size)
            return fail(Fault::Input,
                        fmt::format("a compressed block of {} bytes is damaged", packed.size()));
        return bytes;
    } catch (const std::bad_alloc&) {
        return fail(Fault::Limit, fmt::format("there is not enough memory for {} bytes", size));
    }
}

namespace {

static_assert(std::endian::native == std::endian::little, "values are stored as they lie in memory");

constexpr std::uint64_t longest_number = 5; // bytes of a LEB128 number of up to 33 bits

void append_number(std::vector<std::byte>& bytes, std::uint64_t number) {
    while (number >= 0x80) {
        bytes.push_back(static_cast<std::byte>(number | 0x80));
        number >>= 7;
    }
    bytes.push_back(static_cast<std::byte>(number));
}

std::uint64_t zigzag(std::int64_t number) {
    return (static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63);
}

std::int64_t from_zigzag(std::uint64_t number) {
    return static_cast<std::int64_t>(number >> 1) ^ -static_cast<std::int64_t>(number & 1);
}

class NumberReader {
public:
    explicit NumberReader(std::span<const std::byte> bytes)
        : bytes_(bytes) {}

    [[nodiscard]] bool at_end() const { return next_ == bytes_.size(); }
    std::optional<std::int64_t> next() {
        std::uint64_t number = 0;
        for (std::uint64_t byte = 0; byte < longest_number && next_ < bytes_.size(); ++byte) {
            const auto read = static_cast<std::uint64_t>(bytes_[next_++]);
            number |= (read & 0x7f) << (7 * byte);
            if (read < 0x80)
                return static_cast<std::int64_t>(number);
        }
        return std::nullopt;
    }

private:
    std::span<const std::byte> bytes_;
    std::size_t next_ = 0;
};

std::vector<std::byte> write_structure(const CsrPattern& pattern) {
    std::vector<std::byte> bytes;
    bytes.reserve(pattern.column_ids.size() + 2 * pattern.row_pointers.size());
    std::int64_t first_before = 0;
    for (std::size_t row = 0; row + 1 < pattern.row_pointers.size(); ++row) {
        const auto begin = static_cast<std::size_t>(pattern.row_pointers[row]);
        const auto end = static_cast<std::size_t>(pattern.row_pointers[row + 1]);
        append_number(bytes, end - begin);
        if (begin == end)
            continue;
        append_number(bytes, zigzag(pattern.column_ids[begin] - first_before));
        first_before = pattern.column_ids[begin];
        for (std::size_t e = begin + 1; e < end; ++e)
            append_number(bytes,
                          static_cast<std::uint64_t>(pattern.column_ids[e] - pattern.column_ids[e - 1] - 1));
    }
    return bytes;
}

/// Nothing when the bytes are not a pattern of these extents.
std::optional<CsrPattern> read_structure(const PatternExtents& extents, std::span<const std::byte> bytes) {
    CsrPattern pattern;
    pattern.rows = extents.rows;
    pattern.cols = extents.cols;
    pattern.row_pointers.resize(static_cast<std::size_t>(extents.rows) + 1);
    pattern.column_ids.resize(static_cast<std::size_t>(extents.nnz));
    NumberReader reader(bytes);
    std::int64_t first_before = 0;
    std::int64_t entry = 0;
    for (std::int64_t row = 0; row < extents.rows; ++row) {
        const auto length = reader.next();
        if (!length || *length > extents.nnz - entry)
            return std::nullopt;
        std::int64_t column = 0;
        for (std::int64_t e = 0; e < *length; ++e) {
            const auto number = reader.next();
            if (!number)
                return std::nullopt;
            if (e == 0)
                first_before = column = first_before + from_zigzag(static_cast<std::uint64_t>(*number));
            else
                column += *number + 1;
            if (column < 0 || column >= extents.cols)
                return std::nullopt;
            pattern.column_ids[static_cast<std::size_t>(entry++)] = static_cast<std::int32_t>(column);
        }
        pattern.row_pointers[static_cast<std::size_t>(row) + 1] = entry;
    }
    if (entry != extents.nnz || !reader.at_end())
        return std::nullopt;
    return pattern;
}

std::unexpected<Error> damaged(const PatternExtents& extents) {
    return fail(Fault::Input, fmt::format("the stored pattern of {} × {} with {} entries is damaged",
                                          extents.rows, extents.cols, extents.nnz));
}

} // namespace

Result<EncodedPattern> encode_pattern(const CsrPattern& pattern) {
    try {
        auto structure = compress_bytes(write_structure(pattern));
        if (!structure)
            return std::unexpected(std::move(structure).error());
        EncodedPattern encoded{std::move(*structure), {}};
        if (pattern.has_values()) {
            auto values = compress_bytes(std::as_bytes(std::span(pattern.values)));
            if (!values)
                return std::unexpected(std::move(values).error());
            encoded.values = std::move(*values);
        }
        return encoded;
    } catch (const std::bad_alloc&) {
        return fail(Fault::Limit, fmt::format("there is not enough memory to store a pattern of {} entries",
                                              pattern.nnz()));
    }
}

Result<CsrPattern> decode_pattern(const PatternExtents& extents, std::span<const std::byte> structure,
                                  std::span<const std::byte> values) {
    if (extents.rows < 0 || extents.rows > max_extent || extents.cols < 0 || extents.cols > max_extent ||
        extents.nnz < 0 || (extents.rows == 0 && extents.nnz > 0) ||
        (extents.rows > 0 && extents.nnz / extents.rows > extents.cols))
        return damaged(extents);
    const auto rows = static_cast<std::uint64_t>(extents.rows);
    const auto nnz = static_cast<std::uint64_t>(extents.nnz);
    auto bytes = decompress_bytes(structure, longest_number * (rows + nnz));
    if (!bytes)
        return std::unexpected(std::move(bytes).error());
    // Every row and every entry is a byte at least.
    if (bytes->size() < rows + nnz)
        return damaged(extents);
    try {
        auto pattern = read_structure(extents, *bytes);
        if (!pattern)
            return damaged(extents);
        if (!values.empty()) {
            const auto raw = decompress_bytes(values, nnz * sizeof(float));
            if (!raw)
                return std::unexpected(raw.error());
            if (raw->size() != nnz * sizeof(float))
                return damaged(extents);
            pattern->values.resize(nnz);
            if (!raw->empty())
                std::memcpy(pattern->values.data(), raw->data(), raw->size());
        }
        return std::move(*pattern);
    } catch (const std::bad_alloc&) {
        return fail(Fault::Limit,
                    fmt::format("there is not enough memory for a pattern of {} × {} with {} entries",
                                extents.rows, extents.cols, extents.nnz));
    }
}

std::string content_hash(const CsrPattern& pattern) {
    Fnv1a128 hash;
    const std::array extents{pattern.rows, pattern.cols, pattern.nnz()};
    hash.add(std::span<const std::int64_t>(extents));
    hash.add(std::span<const std::int64_t>(pattern.row_pointers));
    hash.add(std::span<const std::int32_t>(pattern.column_ids));
    hash.add(std::span<const float>(pattern.values));
    return hash.text();
}

} // namespace sparsight

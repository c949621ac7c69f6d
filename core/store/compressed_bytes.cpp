#include "store/compressed_bytes.h"

#include <algorithm>
#include <fmt/format.h>
#include <new>
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

} // namespace sparsight

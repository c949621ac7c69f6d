// Where a reader's bytes come from: a plain file, memory, or what a compressed file unpacks to. Bytes are
// read through a small buffer and never mapped: a mapped file that shrinks while it is read ends the process.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sparsight {

/// Bytes in order, each once.
class ByteSource {
public:
    ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    virtual ~ByteSource() = default;

    /// Fills `into` from its front and says how many bytes it got: fewer than asked for only at the end.
    [[nodiscard]] Result<std::size_t> read(std::span<char> into);
    /// The first bytes (at most 512), which read() will still deliver; to be asked before the first read().
    [[nodiscard]] Result<std::string_view> head();

    /// Bytes of the file taken so far and all of them (0: not known). For a compressed file its own bytes.
    [[nodiscard]] virtual std::uint64_t consumed() const = 0;
    [[nodiscard]] virtual std::uint64_t total() const = 0;
    /// How many bytes read() delivers altogether, where that is known beforehand.
    [[nodiscard]] virtual std::optional<std::uint64_t> content_bytes() const { return std::nullopt; }

private:
    /// As read(), but may deliver fewer bytes than asked for; 0 is the end.
    [[nodiscard]] virtual Result<std::size_t> fetch(std::span<char> into) = 0;

    std::string head_;
    std::size_t head_used_ = 0;
};

/// The text or binary content given, which must outlive the source.
[[nodiscard]] std::unique_ptr<ByteSource> memory_source(std::string_view bytes);

/// A file as it stands. Errors: not there, no permission, no regular file (a folder,
/// a pipe, a device).
[[nodiscard]] Result<std::unique_ptr<ByteSource>> file_source(const std::filesystem::path& path);

} // namespace sparsight

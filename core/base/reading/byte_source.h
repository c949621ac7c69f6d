// Where a reader's bytes come from: a plain file, memory, or unpacked content (unpacked_file.h); and texts
// cut into blocks of whole lines. Bytes are read through a small buffer and never mapped: a mapped file that
// shrinks while it is read ends the process.
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

/// A line longer than this is refused, because it would have to be held in memory as a whole.
inline constexpr std::size_t max_line_bytes = std::size_t{1} << 20;

/// Whole lines. Every line ends with '\n' (one is added to a last line without it), and `padding` bytes
/// behind the text may be read, so that a parser needs no check for the end within a line.
class TextBlock {
public:
    static constexpr std::size_t padding = 16;

    [[nodiscard]] std::string_view text() const { return {storage_.get() + begin_, size_ - begin_}; }
    /// Takes the first line away, without its '\n'; valid until the block is filled again.
    [[nodiscard]] std::string_view take_line();

private:
    friend class TextBlocks;
    void reserve(std::size_t bytes);

    std::unique_ptr<char[]> storage_;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;
    std::size_t size_ = 0;
};

/// Cuts a text into blocks of whole lines, so that each thread can parse one.
class TextBlocks {
public:
    /// Blocks of about `block_bytes`, or as long as one line where that is longer.
    TextBlocks(ByteSource& source, std::size_t block_bytes);

    /// Fills the block with the next lines (its memory is used again); false at the end of the text. The line
    /// of an error counts from the block's first line, which is 1.
    [[nodiscard]] Result<bool> next(TextBlock& block);

private:
    ByteSource& source_;
    std::size_t block_bytes_;
    std::string carry_; ///< the beginning of a line whose end was not read yet
};

} // namespace sparsight

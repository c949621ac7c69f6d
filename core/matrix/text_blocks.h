// Text cut into blocks of whole lines, so that several threads can each parse one.
#pragma once

#include "matrix/byte_source.h"

#include <memory>
#include <string>

namespace sparsight {

/// A line longer than this is refused: no matrix has one, and it would have to be held as a whole.
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
    std::string carry_; ///< the begin of a line whose end was not read yet
};

} // namespace sparsight

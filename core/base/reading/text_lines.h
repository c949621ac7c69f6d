// The lines of a file one by one, plain or compressed: memory does not depend on the size of the file.
#pragma once

#include "base/error.h"
#include "base/reading/byte_source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sparsight {

/// The error with its place. Line 0: that of the whole file.
[[nodiscard]] Error in_file(Error error, const std::string& file, std::int64_t line);

/// Without white space around them. Blank lines are left out, and so is the mark of UTF-8 before the first
/// one.
class TextLines {
public:
    /// `file` stands in messages.
    TextLines(std::string file, std::unique_ptr<ByteSource> bytes);

    /// False behind the last one. Error, with the file: the rest of it cannot be read.
    [[nodiscard]] Result<bool> next();
    /// Valid until next().
    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] std::int64_t line() const { return line_; }
    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] const ByteSource& bytes() const { return *bytes_; }

private:
    std::string file_;
    std::unique_ptr<ByteSource> bytes_;
    TextBlocks blocks_;
    TextBlock block_;
    std::string_view text_;
    std::int64_t line_ = 0;
};

} // namespace sparsight

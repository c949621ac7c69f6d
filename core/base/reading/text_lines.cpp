#include "base/reading/text_lines.h"

#include "base/text.h"

#include <cstddef>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 18;
constexpr std::string_view mark_of_utf8 = "\xef\xbb\xbf";

} // namespace

Error in_file(Error error, const std::string& file, std::int64_t line) {
    error.file = file;
    error.line = line;
    return error;
}

TextLines::TextLines(std::string file, std::unique_ptr<ByteSource> bytes)
    : file_(std::move(file))
    , bytes_(std::move(bytes))
    , blocks_(*bytes_, block_bytes) {}

Result<bool> TextLines::next() {
    for (;;) {
        while (block_.text().empty()) {
            const auto has_more = blocks_.next(block_);
            if (!has_more) {
                const std::int64_t in_block = has_more.error().line;
                return std::unexpected(
                    in_file(has_more.error(), file_, in_block == 0 ? 0 : line_ + in_block));
            }
            if (!*has_more)
                return false;
        }
        text_ = trimmed(block_.take_line());
        if (++line_ == 1 && text_.starts_with(mark_of_utf8))
            text_ = trimmed(text_.substr(mark_of_utf8.size()));
        if (!text_.empty())
            return true;
    }
}

} // namespace sparsight

#include "matrix/text_blocks.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace sparsight {

std::string_view TextBlock::take_line() {
    const std::string_view rest = text();
    const std::string_view line = rest.substr(0, rest.find('\n'));
    begin_ += line.size() + 1;
    return line;
}

void TextBlock::reserve(std::size_t bytes) {
    if (bytes <= capacity_)
        return;
    auto larger = std::make_unique_for_overwrite<char[]>(bytes);
    std::copy_n(storage_.get(), size_, larger.get());
    storage_ = std::move(larger);
    capacity_ = bytes;
}

TextBlocks::TextBlocks(ByteSource& source, std::size_t block_bytes)
    : source_(source)
    , block_bytes_(std::max<std::size_t>(block_bytes, 1)) {}

Result<bool> TextBlocks::next(TextBlock& block) {
    block.begin_ = 0;
    block.size_ = 0;
    block.reserve(carry_.size() + block_bytes_ + 1 + TextBlock::padding);
    block.size_ = carry_.copy(block.storage_.get(), carry_.size());
    carry_.clear();
    for (;;) {
        const std::size_t wanted = std::max(block_bytes_, block.size_); // doubles over a long line
        block.reserve(block.size_ + wanted + 1 + TextBlock::padding);
        const Result<std::size_t> got = source_.read({block.storage_.get() + block.size_, wanted});
        if (!got)
            return std::unexpected(got.error());
        block.size_ += *got;
        char* const begin = block.storage_.get();
        if (*got < wanted) {
            if (block.size_ == 0)
                return false;
            if (begin[block.size_ - 1] != '\n')
                begin[block.size_++] = '\n';
            break;
        }
        const std::size_t last_newline = std::string_view(begin, block.size_).rfind('\n');
        if (last_newline != std::string_view::npos) {
            carry_.assign(begin + last_newline + 1, block.size_ - last_newline - 1);
            block.size_ = last_newline + 1;
            break;
        }
        if (block.size_ > max_line_bytes)
            return fail_in_file(
                Fault::Limit, {}, 1,
                fmt::format("the line is longer than {} bytes, which is the limit", max_line_bytes));
    }
    std::memset(block.storage_.get() + block.size_, '\n', TextBlock::padding);
    return true;
}

} // namespace sparsight

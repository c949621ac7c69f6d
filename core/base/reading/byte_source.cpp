#include "base/reading/byte_source.h"

#include "base/files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace sparsight {

namespace {

class MemorySource final : public ByteSource {
public:
    explicit MemorySource(std::string_view bytes)
        : bytes_(bytes) {}

    std::uint64_t consumed() const override { return used_; }
    std::uint64_t total() const override { return bytes_.size(); }
    std::optional<std::uint64_t> content_bytes() const override { return bytes_.size(); }

private:
    Result<std::size_t> fetch(std::span<char> into) override {
        const std::size_t count = bytes_.copy(into.data(), into.size(), used_);
        used_ += count;
        return count;
    }

    std::string_view bytes_;
    std::size_t used_ = 0;
};

std::unexpected<Error> system_failure(const char* what) {
    const std::error_code code(errno, std::generic_category());
    return fail(Fault::Environment, fmt::format("{}: {}", what, code.message()));
}

class FileSource final : public ByteSource {
public:
    FileSource(int descriptor, std::uint64_t size)
        : descriptor_(descriptor)
        , size_(size) {}
    ~FileSource() override { ::close(descriptor_); }

    std::uint64_t consumed() const override { return used_; }
    std::uint64_t total() const override { return size_; }
    std::optional<std::uint64_t> content_bytes() const override { return size_; }

private:
    Result<std::size_t> fetch(std::span<char> into) override {
        ssize_t count = 0;
        do
            count = ::read(descriptor_, into.data(), into.size());
        while (count < 0 && errno == EINTR);
        if (count < 0)
            return system_failure("cannot be read");
        used_ += static_cast<std::uint64_t>(count);
        return static_cast<std::size_t>(count);
    }

    int descriptor_;
    std::uint64_t size_;
    std::uint64_t used_ = 0;
};

} // namespace

Result<std::size_t> ByteSource::read(std::span<char> into) {
    std::size_t filled = head_.copy(into.data(), into.size(), head_used_);
    head_used_ += filled;
    while (filled < into.size()) {
        const Result<std::size_t> got = fetch(into.subspan(filled));
        if (!got)
            return got;
        if (*got == 0)
            break;
        filled += *got;
    }
    return filled;
}

Result<std::string_view> ByteSource::head() {
    constexpr std::size_t head_bytes = 512;
    if (head_.empty()) {
        std::string first(head_bytes, '\0');
        const Result<std::size_t> got = read(first);
        if (!got)
            return std::unexpected(got.error());
        first.resize(*got);
        head_ = std::move(first);
    }
    return std::string_view(head_);
}

std::unique_ptr<ByteSource> memory_source(std::string_view bytes) {
    return std::make_unique<MemorySource>(bytes);
}

Result<std::unique_ptr<ByteSource>> file_source(const std::filesystem::path& path) {
    if (const auto usable = require_regular_file(path); !usable)
        return std::unexpected(usable.error());
    // Should a pipe have come into its place, opening it does not wait for a writer.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return system_failure("cannot be opened");
    struct stat status{};
    if (::fstat(descriptor, &status) != 0) {
        ::close(descriptor);
        return system_failure("cannot be examined");
    }
    return std::make_unique<FileSource>(descriptor, static_cast<std::uint64_t>(status.st_size));
}

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

#include "matrix/byte_source.h"

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
    FileSource(int descriptor, const struct stat& status)
        : descriptor_(descriptor)
        , is_regular_(S_ISREG(status.st_mode))
        , size_(is_regular_ ? static_cast<std::uint64_t>(status.st_size) : 0) {}
    ~FileSource() override { ::close(descriptor_); }

    std::uint64_t consumed() const override { return used_; }
    std::uint64_t total() const override { return size_; }
    std::optional<std::uint64_t> content_bytes() const override {
        return is_regular_ ? std::optional(size_) : std::nullopt;
    }

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
    bool is_regular_;
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
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return system_failure("cannot be opened");
    struct stat status{};
    if (::fstat(descriptor, &status) != 0 || S_ISDIR(status.st_mode)) {
        const bool is_folder = S_ISDIR(status.st_mode);
        ::close(descriptor);
        return fail(Fault::Environment, is_folder ? "is a folder, not a file" : "cannot be examined");
    }
    return std::make_unique<FileSource>(descriptor, status);
}

} // namespace sparsight

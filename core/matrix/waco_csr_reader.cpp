#include "matrix/waco_csr_reader.h"

#include "base/parallel.h"
#include "matrix/csr_assembly.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <vector>

namespace sparsight {

namespace {

constexpr std::uint64_t header_bytes = 3 * sizeof(std::int32_t);

std::int32_t int_at(const char* bytes) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    if constexpr (std::endian::native == std::endian::big)
        word = __builtin_bswap32(word);
    return std::bit_cast<std::int32_t>(word);
}

struct Sizes {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t entries = 0;
    std::uint64_t file_bytes() const {
        return header_bytes + sizeof(std::int32_t) * static_cast<std::uint64_t>(rows + 1 + entries);
    }
};

Result<Sizes> read_sizes(ByteSource& source, const ReadLimits& limits) {
    std::array<char, header_bytes> bytes{};
    const Result<std::size_t> got = source.read(bytes);
    if (!got)
        return std::unexpected(got.error());
    if (*got < bytes.size())
        return fail(
            Fault::Input,
            fmt::format(
                "the file is truncated: it has {} bytes; a WACO csr file begins with {}, the numbers of "
                "rows, columns and non-zeros",
                *got, header_bytes));
    const Sizes sizes{int_at(bytes.data()), int_at(bytes.data() + 4), int_at(bytes.data() + 8)};
    if (sizes.rows < 0 || sizes.cols < 0 || sizes.entries < 0)
        return fail(Fault::Input,
                    fmt::format("the header says {} rows, {} columns, {} non-zeros; none can be negative",
                                sizes.rows, sizes.cols, sizes.entries));
    if (const Result<void> allowed = check_size(sizes.rows, sizes.cols, sizes.entries, limits); !allowed)
        return std::unexpected(allowed.error());
    return sizes;
}

std::unexpected<Error> wrong_length(const Sizes& sizes, std::uint64_t actual) {
    return fail(
        Fault::Input,
        fmt::format(
            "the file {}: its header promises {} rows and {} non-zeros, which take {} bytes, but it has {}",
            actual < sizes.file_bytes() ? "is truncated" : "does not end where it should", sizes.rows,
            sizes.entries, sizes.file_bytes(), actual));
}

/// Hands the rest of a file to `take`, one int32 after the other.
class Numbers {
public:
    Numbers(ByteSource& source, const Sizes& sizes, const ReadOptions& options)
        : source_(source)
        , sizes_(sizes)
        , options_(options)
        , buffer_(std::clamp<std::size_t>(options.block_bytes, sizeof(std::int32_t), std::size_t{1} << 20)) {}

    template <typename Take>
    Result<void> read(std::int64_t count, Take&& take) {
        while (count > 0) {
            if (options_.stop.stop_requested())
                return fail(Fault::Cancelled, "reading was stopped");
            const auto room = static_cast<std::int64_t>(buffer_.size() / sizeof(std::int32_t));
            const std::int64_t now = std::min(count, room);
            const auto wanted = static_cast<std::size_t>(now) * sizeof(std::int32_t);
            const Result<std::size_t> got = source_.read({buffer_.data(), wanted});
            if (!got)
                return std::unexpected(got.error());
            bytes_ += *got;
            if (*got < wanted)
                return wrong_length(sizes_, bytes_);
            for (std::size_t at = 0; at < wanted; at += sizeof(std::int32_t))
                if (Result<void> taken = take(int_at(buffer_.data() + at)); !taken)
                    return taken;
            count -= now;
            if (options_.progress)
                options_.progress({"reading", source_.consumed(), source_.total()});
        }
        return {};
    }

    Result<void> expect_end() {
        const Result<std::size_t> got = source_.read({buffer_.data(), 1});
        if (!got)
            return std::unexpected(got.error());
        if (*got > 0)
            return fail(Fault::Input,
                        fmt::format("more bytes follow the {} that its header promises: {} rows and {} "
                                    "non-zeros; expected the end of the file",
                                    sizes_.file_bytes(), sizes_.rows, sizes_.entries));
        return {};
    }

private:
    ByteSource& source_;
    Sizes sizes_;
    const ReadOptions& options_;
    std::vector<char> buffer_;
    std::uint64_t bytes_ = header_bytes;
};

} // namespace

Result<LoadedMatrix> read_waco_csr(ByteSource& source, const ReadOptions& options) {
    const Result<Sizes> sizes = read_sizes(source, options.limits);
    if (!sizes)
        return std::unexpected(sizes.error());
    CsrAssembly assembly(sizes->rows, sizes->cols, sizes->entries);
    if (const std::optional<std::uint64_t> bytes = source.content_bytes()) {
        if (*bytes != sizes->file_bytes())
            return wrong_length(*sizes, *bytes);
        assembly.reserve();
    }
    Numbers numbers(source, *sizes, options);
    Result<void> read = numbers.read(sizes->rows + 1,
                                     [&](std::int32_t pointer) { return assembly.add_row_pointer(pointer); });
    if (read)
        read = numbers.read(sizes->entries, [&](std::int32_t column) { return assembly.add_column(column); });
    if (read)
        read = numbers.expect_end();
    if (!read)
        return std::unexpected(read.error());
    const int threads = options.threads > 0 ? options.threads : available_threads();
    return std::move(assembly).finish(MatrixFileFormat::WacoCsr, threads);
}

} // namespace sparsight

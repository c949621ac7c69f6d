#include "base/atomic_file.h"
#include "matrix/writing.h"

#include <array>
#include <bit>
#include <fmt/format.h>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

namespace {

/// Little-endian int32, handed to the file in pieces.
class Int32Writer {
public:
    explicit Int32Writer(AtomicFile& file)
        : file_(file) {}

    template <typename Integer>
    Result<void> write(std::span<const Integer> numbers) {
        for (const Integer number : numbers) {
            auto word = static_cast<std::uint32_t>(static_cast<std::int32_t>(number));
            if constexpr (std::endian::native == std::endian::big)
                word = __builtin_bswap32(word);
            words_.push_back(word);
            if (words_.size() < piece)
                continue;
            if (Result<void> flushed = flush(); !flushed)
                return flushed;
        }
        return {};
    }

    Result<void> flush() {
        const std::span<const char> bytes(reinterpret_cast<const char*>(words_.data()),
                                          words_.size() * sizeof(std::uint32_t));
        Result<void> written = file_.write({bytes.data(), bytes.size()});
        words_.clear();
        return written;
    }

private:
    static constexpr std::size_t piece = std::size_t{1} << 16;
    AtomicFile& file_;
    std::vector<std::uint32_t> words_;
};

} // namespace

Result<void> write_waco_csr(const std::filesystem::path& path, const CsrPattern& pattern) {
    constexpr std::int64_t limit = INT32_MAX;
    if (pattern.rows > limit || pattern.cols > limit || pattern.nnz() > limit)
        return fail_in_file(
            Fault::Limit, path.string(), 0,
            fmt::format("cannot be written as WACO csr, which counts in 32 bits: {} rows, {} columns, "
                        "{} non-zeros; the limit for each is {}",
                        pattern.rows, pattern.cols, pattern.nnz(), limit));
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file)
        return std::unexpected(std::move(file.error()));
    Int32Writer writer(*file);
    const std::array<std::int64_t, 3> sizes{pattern.rows, pattern.cols, pattern.nnz()};
    Result<void> written = writer.write(std::span<const std::int64_t>(sizes));
    if (written)
        written = writer.write(std::span<const std::int64_t>(pattern.row_pointers));
    if (written)
        written = writer.write(std::span<const std::int32_t>(pattern.column_ids));
    if (written)
        written = writer.flush();
    return written ? file->commit() : written;
}

} // namespace sparsight

#include "domains/sparse/tensor/matrix_files.h"

#include "base/files.h"
#include "base/quantity.h"
#include "base/reading/unpacked_file.h"
#include "domains/sparse/tensor/file_formats/csr_readers.h"
#include "domains/sparse/tensor/file_formats/matrix_market_header.h"
#include "domains/sparse/tensor/file_formats/matrix_market_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/compile.h>
#include <fmt/format.h>
#include <iterator>
#include <new>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

constexpr std::array<std::string_view, 3> matrix_suffixes{".mtx", ".csr", ".smtx"};
constexpr ArchiveMembers matrix_files{"matrix file", matrix_suffixes};

Result<void> check_one(std::int64_t size, std::int64_t limit, const char* what) {
    if (size > limit)
        return fail(Fault::Limit, fmt::format("{} {}; the limit is {}", size, what, limit));
    return {};
}

} // namespace

Result<void> check_size(std::int64_t rows, std::int64_t cols, std::int64_t entries,
                        const ReadLimits& limits) {
    Result<void> checked = check_one(rows, limits.rows, "rows");
    if (checked)
        checked = check_one(cols, limits.cols, "columns");
    if (checked)
        checked = check_one(entries, limits.entries, "entries");
    return checked;
}

Result<void> check_row_pointers(std::int64_t rows, std::int64_t entries, const ReadLimits& limits) {
    constexpr std::int64_t rows_per_entry = 16;
    if (rows <= limits.hypersparse_rows || rows / rows_per_entry <= entries)
        return {};
    return fail(
        Fault::Limit,
        fmt::format(
            "{} rows with {} entries need {} for row pointers; the limit is {} rows, or {} for every entry",
            rows, entries, format_bytes(static_cast<std::uint64_t>(rows) * sizeof(std::int64_t)),
            limits.hypersparse_rows, rows_per_entry));
}

std::string_view to_text(MatrixFileFormat format) {
    switch (format) {
    case MatrixFileFormat::MatrixMarketCoordinate:
        return "Matrix Market coordinate";
    case MatrixFileFormat::MatrixMarketArray:
        return "Matrix Market array";
    case MatrixFileFormat::WacoCsr:
        return "WACO csr";
    case MatrixFileFormat::DlmcSmtx:
        return "DLMC smtx";
    }
    return "unknown";
}

std::string_view to_text(ValueField field) {
    switch (field) {
    case ValueField::Real:
        return "real";
    case ValueField::Integer:
        return "integer";
    case ValueField::UnsignedInteger:
        return "unsigned-integer";
    case ValueField::Complex:
        return "complex";
    case ValueField::Pattern:
        return "pattern";
    }
    return "unknown";
}

std::string_view to_text(MatrixSymmetry symmetry) {
    switch (symmetry) {
    case MatrixSymmetry::General:
        return "general";
    case MatrixSymmetry::Symmetric:
        return "symmetric";
    case MatrixSymmetry::SkewSymmetric:
        return "skew-symmetric";
    case MatrixSymmetry::Hermitian:
        return "hermitian";
    }
    return "unknown";
}

namespace {

using Reader = Result<LoadedMatrix> (*)(ByteSource&, const ReadOptions&);

/// Runs a reader, or the function that opens its file; exceptions of the libraries end here.
template <typename Read>
Result<LoadedMatrix> guarded(const std::string& file, Read&& read) {
    Result<LoadedMatrix> result;
    try {
        result = read();
    } catch (const std::bad_alloc&) {
        result = fail(Fault::Limit, "there is not enough memory to read it");
    } catch (const std::length_error&) {
        result = fail(Fault::Limit, "it is too large to be read on this machine");
    } catch (const std::system_error& error) {
        result = fail(Fault::Environment, error.what());
    }
    if (!result)
        result.error().file = file;
    return result;
}

Result<LoadedMatrix> parse(Reader reader, std::string_view bytes, const std::string& name,
                           const ReadOptions& options) {
    Result<LoadedMatrix> loaded = guarded(name, [&] { return reader(*memory_source(bytes), options); });
    if (loaded)
        loaded->name = name;
    return loaded;
}

std::string lower_suffix(const std::filesystem::path& name) {
    std::string suffix = name.extension().string();
    std::ranges::transform(suffix, suffix.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return suffix;
}

/// As tables and logs of auto-tuners do.
bool looks_like_table(const std::string& suffix, std::string_view head) {
    const std::string_view line = head.substr(0, head.find('\n'));
    return suffix == ".csv" || suffix == ".json" || suffix == ".log" ||
           (line.size() < head.size() && line.find(',') != std::string_view::npos);
}

Result<Reader> reader_for(const std::filesystem::path& name, std::string_view head) {
    const std::string suffix = lower_suffix(name);
    if (has_matrix_market_banner(head) || suffix == ".mtx")
        return &read_matrix_market;
    if (suffix == ".csr")
        return &read_waco_csr;
    if (suffix == ".smtx")
        return &read_smtx;
    if (head.empty())
        return fail(Fault::Input, "the file is empty");
    if (const std::string_view compression = compression_of_name(name); !compression.empty())
        return fail(Fault::Input, fmt::format("is not a {} file", compression));
    std::string message = "is not a matrix file: expected a file that begins with %%MatrixMarket, or the "
                          "suffix .mtx, .csr or .smtx";
    if (looks_like_table(suffix, head))
        message += "; tuning records are imported with --domain records, in the window by File > Import "
                   "Tuning Records";
    return fail(Fault::Input, std::move(message));
}

Result<LoadedMatrix> read_file(const std::filesystem::path& path, const ReadOptions& options) {
    Result<UnpackedFile> file = open_unpacked(path, options.limits.unpacked_bytes, matrix_files);
    if (!file)
        return std::unexpected(std::move(file.error()));
    const Result<std::string_view> head = file->bytes->head();
    if (!head)
        return std::unexpected(head.error());
    if (is_compressed(*head))
        return fail(Fault::Input, "is packed twice: unpack it once");
    const Result<Reader> reader = reader_for(file->name, *head);
    if (!reader)
        return std::unexpected(reader.error());
    Result<LoadedMatrix> loaded = (*reader)(*file->bytes, options);
    if (loaded)
        loaded->name = file->name.stem().string();
    else if (file->is_member)
        loaded.error().message += fmt::format(" (in its file {})", file->name.string());
    return loaded;
}

} // namespace

Result<LoadedMatrix> read_matrix(const std::filesystem::path& path, const ReadOptions& options) {
    return guarded(path.string(), [&] { return read_file(path, options); });
}

Result<LoadedMatrix> parse_matrix_market(std::string_view text, const std::string& name,
                                         const ReadOptions& options) {
    return parse(&read_matrix_market, text, name, options);
}

Result<LoadedMatrix> parse_waco_csr(std::string_view bytes, const std::string& name,
                                    const ReadOptions& options) {
    return parse(&read_waco_csr, bytes, name, options);
}

Result<LoadedMatrix> parse_smtx(std::string_view text, const std::string& name, const ReadOptions& options) {
    return parse(&read_smtx, text, name, options);
}

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

void append_comment(fmt::memory_buffer& buffer, std::string_view comment) {
    while (!comment.empty()) {
        const std::string_view line = comment.substr(0, comment.find('\n'));
        fmt::format_to(std::back_inserter(buffer), "% {}\n", line);
        comment.remove_prefix(std::min(line.size() + 1, comment.size()));
    }
}

void append_entry(fmt::memory_buffer& buffer, const CsrPattern& pattern, std::int64_t row, std::size_t e) {
    const std::int64_t column = std::int64_t{pattern.column_ids[e]} + 1;
    if (pattern.has_values())
        fmt::format_to(std::back_inserter(buffer), FMT_COMPILE("{} {} {}\n"), row + 1, column,
                       pattern.values[e]);
    else
        fmt::format_to(std::back_inserter(buffer), FMT_COMPILE("{} {}\n"), row + 1, column);
}

} // namespace

Result<void> write_matrix_market(const std::filesystem::path& path, const CsrPattern& pattern,
                                 std::string_view comment) {
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file)
        return std::unexpected(std::move(file.error()));
    fmt::memory_buffer buffer;
    fmt::format_to(std::back_inserter(buffer), "%%MatrixMarket matrix coordinate {} general\n",
                   pattern.has_values() ? "real" : "pattern");
    append_comment(buffer, comment);
    fmt::format_to(std::back_inserter(buffer), "{} {} {}\n", pattern.rows, pattern.cols, pattern.nnz());
    for (std::int64_t row = 0; row < pattern.rows; ++row) {
        const auto begin = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row)]);
        const auto end = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row) + 1]);
        for (std::size_t e = begin; e < end; ++e) {
            append_entry(buffer, pattern, row, e);
            if (buffer.size() < buffer_bytes)
                continue;
            if (Result<void> written = file->write({buffer.data(), buffer.size()}); !written)
                return written;
            buffer.clear();
        }
    }
    if (Result<void> written = file->write({buffer.data(), buffer.size()}); !written)
        return written;
    return file->commit();
}

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
        return fail_in_file(Fault::Limit, path.string(), 0,
                            fmt::format("too large for WACO csr: {} rows, {} columns and {} entries; the "
                                        "32-bit limit for each is {}",
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

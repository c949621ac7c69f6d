#include "domains/sparse/tensor/reading.h"

#include "base/quantity.h"
#include "base/reading/byte_source.h"
#include "domains/sparse/tensor/file_formats/csr_readers.h"
#include "domains/sparse/tensor/file_formats/matrix_market_header.h"
#include "domains/sparse/tensor/file_formats/matrix_market_reader.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

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
        fmt::format("{} rows with {} entries would need {} for row pointers alone; the limit is {} rows, "
                    "or {} rows for every entry",
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

Result<Reader> reader_for(const std::filesystem::path& name, std::string_view head) {
    const std::string suffix = lower_suffix(name);
    if (has_matrix_market_banner(head) || suffix == ".mtx")
        return &read_matrix_market;
    if (suffix == ".csr")
        return &read_waco_csr;
    if (suffix == ".smtx")
        return &read_smtx;
    return fail(
        Fault::Input,
        fmt::format(
            "{} is no known kind of matrix file: it does not begin with %%MatrixMarket and its suffix is "
            "none of .mtx, .csr, .smtx",
            quote(name.filename().string())));
}

Result<LoadedMatrix> read_file(const std::filesystem::path& path, const ReadOptions& options) {
    Result<UnpackedFile> file = open_unpacked(path, options.limits.unpacked_bytes, matrix_files);
    if (!file)
        return std::unexpected(std::move(file.error()));
    const Result<std::string_view> head = file->bytes->head();
    if (!head)
        return std::unexpected(head.error());
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

} // namespace sparsight

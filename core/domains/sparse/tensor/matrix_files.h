// Matrix files. Reading: from files of every supported kind, or from memory, within limits and with a report of
// what was read.
//
// Formats: Matrix Market (.mtx), WACO (.csr), DLMC (.smtx); each also compressed (.gz, .bz2, .xz, .zst) or
// inside a .tar (also compressed) or .zip, as the SuiteSparse Matrix Collection distributes them. A
// compressed file is recognised by its content, a Matrix Market file by its banner or its suffix, the others
// by their suffix.
//
// Every defect is one Error with the file, the 1-based line (0 in a binary file), what was found and what
// was expected; it is the first one in the file. Memory grows with the content of the file and never with
// what its header promises; sizes over the limits are refused with the limit in the text (Fault::Limit), as
// is an exhausted memory.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/sparse/tensor/pattern.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

namespace sparsight {

/// Limits of what a file may require. Every refusal states the limit.
struct ReadLimits {
    std::int64_t rows = max_extent;
    std::int64_t cols = max_extent;
    /// Entries stored in the file (for an array: rows · columns).
    std::int64_t entries = INT32_MAX;
    /// Row pointers cost 8 bytes a row, whether the row holds an entry or not, so the size line alone could
    /// ask for 16 GiB. A matrix of more rows than this must hold at least one entry for every 16 rows.
    std::int64_t hypersparse_rows = std::int64_t{1} << 25;
    /// What a compressed file may unpack to. Memory does not depend on it (unpacked text is not kept), time
    /// does.
    std::uint64_t unpacked_bytes = std::uint64_t{64} << 30;
};

/// The resources of a reader, how it is stopped, and where it reports its progress.
struct ReadOptions {
    int threads = 0; ///< 0: all that this process may use
    ReadLimits limits{};
    std::stop_token stop{};
    ProgressSink progress{}; ///< bytes of the file; called on the calling thread
    /// Text is parsed in blocks of about this many bytes; tests set it to a few bytes.
    std::size_t block_bytes = std::size_t{1} << 18;
};

/// Whether a matrix of this size may be read: the error says which limit it exceeds.
[[nodiscard]] Result<void> check_size(std::int64_t rows, std::int64_t cols, std::int64_t entries,
                                      const ReadLimits& limits);

/// Whether so few entries justify the row pointers of so many rows (see ReadLimits::hypersparse_rows).
[[nodiscard]] Result<void> check_row_pointers(std::int64_t rows, std::int64_t entries,
                                              const ReadLimits& limits);

enum class MatrixFileFormat { MatrixMarketCoordinate, MatrixMarketArray, WacoCsr, DlmcSmtx };
enum class ValueField { Real, Integer, UnsignedInteger, Complex, Pattern };
enum class MatrixSymmetry { General, Symmetric, SkewSymmetric, Hermitian };

/// As the formats spell them: "Matrix Market coordinate", "unsigned-integer", "skew-symmetric" …
[[nodiscard]] std::string_view to_text(MatrixFileFormat format);
[[nodiscard]] std::string_view to_text(ValueField field);
[[nodiscard]] std::string_view to_text(MatrixSymmetry symmetry);

/// What a matrix file was and what reading it did to its entries. Counts of entries are those of the file,
/// before symmetry is expanded.
struct ReadReport {
    MatrixFileFormat format = MatrixFileFormat::MatrixMarketCoordinate;
    ValueField field = ValueField::Real;
    MatrixSymmetry symmetry = MatrixSymmetry::General;
    std::int64_t stored_entries = 0; ///< in the file; for an array all its values
    /// Stored entries whose position was there before; their values were added to it.
    std::int64_t duplicates_merged = 0;
    /// Stored entries that are written as zero (a complex one: in both parts) and kept as entries.
    std::int64_t explicit_zeros = 0;
    /// Zeros of an array file: it has no way to leave them out, so they are not entries of the pattern.
    std::int64_t array_zeros_dropped = 0;
    /// Stored values that are nan or infinite as float32, also those that are too large for it.
    std::int64_t not_finite = 0;
    bool operator==(const ReadReport&) const = default;
};

/// A matrix read from a file.
struct LoadedMatrix {
    std::string name; ///< of the file without folder and suffixes: "cage8" for "data/cage8.mtx.gz"
    CsrPattern pattern;
    ReadReport report;
};

/// A matrix from a file of any supported kind.
[[nodiscard]] Result<LoadedMatrix> read_matrix(const std::filesystem::path& path,
                                               const ReadOptions& options = {});

/// The content of such a file, held in memory; errors and the result carry `name`.
[[nodiscard]] Result<LoadedMatrix> parse_matrix_market(std::string_view text, const std::string& name,
                                                       const ReadOptions& options = {});
[[nodiscard]] Result<LoadedMatrix> parse_waco_csr(std::string_view bytes, const std::string& name,
                                                  const ReadOptions& options = {});
[[nodiscard]] Result<LoadedMatrix> parse_smtx(std::string_view text, const std::string& name,
                                              const ReadOptions& options = {});

/// Matrix Market coordinate general: real where the pattern has values (in the shortest form that reads back
/// as the same float32), else pattern. The comment may have several lines; each becomes a line "% …" under
/// the banner.
[[nodiscard]] Result<void> write_matrix_market(const std::filesystem::path& path, const CsrPattern& pattern,
                                               std::string_view comment = {});

/// WACO's binary CSR, which has no values, so those of the pattern are not written. Fault::Limit when rows,
/// columns or non-zeros exceed int32.
[[nodiscard]] Result<void> write_waco_csr(const std::filesystem::path& path, const CsrPattern& pattern);

} // namespace sparsight

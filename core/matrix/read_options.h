// What a reader may use: threads, memory and time, on whose word it stops, and whom it tells.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "matrix/pattern.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>

namespace sparsight {

/// What a file may ask for. Every refusal states the limit.
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

} // namespace sparsight

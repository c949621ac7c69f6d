// Coarse parallel work of the engine itself (reading, packing, statistics): equal parts, or small shares of
// rows where rows differ in length. Kernels have a thread team of their own, because opening a parallel
// region must cost them a microsecond and not a thread start.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

namespace sparsight {

/// Hardware threads that this process may use (the affinity mask counts), at least 1.
[[nodiscard]] int available_threads();

/// Splits [0, count) into `threads` contiguous parts of nearly equal size and calls body(part, begin, end)
/// for each, in parallel; returns when all are done. Parts may be empty. An exception in a body is rethrown
/// here.
void parallel_parts(int threads, std::int64_t count,
                    const std::function<void(int part, std::int64_t begin, std::int64_t end)>& body);

struct RowRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// Gives rows to threads in small runs: rows differ in length, so equal halves would not be equal work.
/// Every range starts at a multiple of `rows_per_share`; ranges are given out once each, in ascending order.
class RowShares {
public:
    RowShares(std::int64_t rows, std::int64_t rows_per_share)
        : rows_(rows)
        , rows_per_share_(rows_per_share) {}

    /// May be called from several threads. Empty when no rows are left.
    std::optional<RowRange> next() {
        const std::int64_t begin = next_.fetch_add(rows_per_share_, std::memory_order_relaxed);
        if (begin >= rows_)
            return std::nullopt;
        return RowRange{begin, std::min(rows_, begin + rows_per_share_)};
    }

private:
    std::int64_t rows_;
    std::int64_t rows_per_share_;
    std::atomic<std::int64_t> next_ = 0;
};

} // namespace sparsight

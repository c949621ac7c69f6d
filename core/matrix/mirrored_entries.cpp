#include "matrix/mirrored_entries.h"

#include "base/parallel.h"
#include "matrix/row_shares.h"

#include <algorithm>
#include <atomic>

namespace sparsight {

namespace {

/// Looks for (j, i) in row j, for i that never falls from call to call: each row is walked through once.
class MirrorSearch {
public:
    explicit MirrorSearch(const CsrPattern& pattern)
        : pattern_(pattern)
        , walked_(static_cast<std::size_t>(pattern.rows), not_started) {}

    bool contains(std::int64_t row, std::int64_t col) {
        const auto index = static_cast<std::size_t>(row);
        const std::int32_t* const first = pattern_.column_ids.data() + pattern_.row_pointers[index];
        const std::int32_t* const end = pattern_.column_ids.data() + pattern_.row_pointers[index + 1];
        std::int32_t& walked = walked_[index];
        const std::int32_t* place =
            walked == not_started ? std::lower_bound(first, end, col) : first + walked;
        while (place != end && *place < col)
            ++place;
        walked = static_cast<std::int32_t>(place - first);
        return place != end && *place == col;
    }

private:
    static constexpr std::int32_t not_started = -1;
    const CsrPattern& pattern_;
    std::vector<std::int32_t> walked_;
};

} // namespace

std::int64_t count_mirrored(const CsrPattern& pattern, int threads) {
    constexpr std::int64_t rows_per_share = 512;
    std::atomic<std::int64_t> pairs = 0;
    RowShares shares(pattern.rows, rows_per_share);
    parallel_parts(threads, threads, [&](int, std::int64_t, std::int64_t) {
        MirrorSearch search(pattern);
        std::int64_t found = 0;
        while (const auto share = shares.next())
            for (std::int64_t row = share->begin; row < share->end; ++row)
                for (std::int64_t e = pattern.row_pointers[static_cast<std::size_t>(row)];
                     e < pattern.row_pointers[static_cast<std::size_t>(row) + 1]; ++e) {
                    // Of a pair, the entry below the diagonal looks for the one above.
                    const std::int64_t col = pattern.column_ids[static_cast<std::size_t>(e)];
                    if (col >= row)
                        break;
                    found += search.contains(col, row) ? 1 : 0;
                }
        pairs += found;
    });
    return 2 * pairs;
}

} // namespace sparsight

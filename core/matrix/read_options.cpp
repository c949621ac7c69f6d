#include "matrix/read_options.h"

#include "base/quantity.h"

namespace sparsight {

namespace {

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

} // namespace sparsight

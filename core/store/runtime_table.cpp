#include "store/runtime_table.h"

#include "base/csv.h"
#include "base/trimmed.h"
#include "schedule/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

/// What stands there, fit for a message.
std::string quoted(std::string_view text) {
    constexpr std::size_t shown = 40;
    std::string words = "\"";
    for (const char c : text.substr(0, shown))
        words += c >= ' ' && c != '\x7f' ? c : '?';
    return words + (text.size() > shown ? "…\"" : "\"");
}

} // namespace

Result<RuntimeTable> RuntimeTable::with_columns(std::string_view first_line, Operator op) {
    constexpr std::array<std::pair<std::string_view, Column>, 10> known{{{"matrix", Column::Matrix},
                                                                         {"schedule", Column::Schedule},
                                                                         {"waco_schedule", Column::Schedule},
                                                                         {"ms", Column::Runtime},
                                                                         {"waco_ms", Column::Runtime},
                                                                         {"fixedcsr_ms", Column::FixedCsr},
                                                                         {"kernel", Column::Kernel},
                                                                         {"machine", Column::Machine},
                                                                         {"rows", Column::Rows},
                                                                         {"cols", Column::Cols}}};
    constexpr std::string_view expected = "expected a first line such as matrix,schedule,ms";
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (first_line.starts_with(byte_order_mark))
        first_line.remove_prefix(byte_order_mark.size());
    RuntimeTable table;
    table.op_ = op;
    table.columns_.fill(-1);
    if (!split_csv_line(trimmed(first_line), table.fields_))
        return fail(Fault::Input, fmt::format("a quoted name of a column does not end; {}", expected));
    table.width_ = table.fields_.size();
    for (std::size_t i = 0; i < table.width_; ++i) {
        const auto* const found =
            std::ranges::find(known, trimmed(table.fields_[i]), &std::pair<std::string_view, Column>::first);
        if (found == known.end())
            continue;
        int& place = table.columns_[static_cast<std::size_t>(found->second)];
        if (place >= 0)
            return fail(Fault::Input, fmt::format("the column {} is there twice", found->first));
        place = static_cast<int>(i);
    }
    constexpr std::array<std::pair<Column, std::string_view>, 3> needed{
        {{Column::Matrix, "matrix"}, {Column::Schedule, "schedule"}, {Column::Runtime, "ms"}}};
    for (const auto& [column, name] : needed)
        if (!table.has(column))
            return fail(Fault::Input, fmt::format("there is no column {}; {}", name, expected));
    return table;
}

std::string_view RuntimeTable::field(Column column) const {
    return trimmed(fields_[static_cast<std::size_t>(columns_[static_cast<std::size_t>(column)])]);
}

Result<Operator> RuntimeTable::op() const {
    if (!has(Column::Kernel))
        return op_;
    if (const auto op = parse_operator(field(Column::Kernel)))
        return *op;
    return fail(Fault::Input,
                fmt::format("the kernel is {}, expected SpMM, SpMV or SDDMM", quoted(field(Column::Kernel))));
}

Result<double> RuntimeTable::milliseconds(Column column) const {
    const std::string_view text = field(column);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !(value > 0))
        return fail(
            Fault::Input,
            fmt::format("the runtime is {}, expected milliseconds above 0, or inf for a run that failed",
                        quoted(text)));
    return value;
}

Result<std::int64_t> RuntimeTable::extent(Column column) const {
    if (!has(column))
        return 0;
    const std::string_view text = field(column);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > max_extent)
        return fail(Fault::Input,
                    fmt::format("the number of {} is {}, expected a whole number up to {}",
                                column == Column::Rows ? "rows" : "columns", quoted(text), max_extent));
    return value;
}

Result<void> RuntimeTable::read(std::string_view line, std::int64_t number,
                                std::vector<TableRuntime>& runtimes) {
    if (!split_csv_line(line, fields_))
        return fail(Fault::Input, "a quoted field does not end as it should");
    if (fields_.size() != width_)
        return fail(Fault::Input, fmt::format("there are {} fields, expected {} as in the first line",
                                              fields_.size(), width_));
    const auto kernel = op();
    if (!kernel)
        return std::unexpected(kernel.error());
    const auto rows = extent(Column::Rows);
    const auto cols = rows ? extent(Column::Cols) : rows;
    if (!cols)
        return std::unexpected(cols.error());
    const auto schedule = parse_schedule(*kernel, field(Column::Schedule));
    if (!schedule)
        return std::unexpected(schedule.error());
    const auto time = milliseconds(Column::Runtime);
    if (!time)
        return std::unexpected(time.error());
    const auto fixed_csr_time = has(Column::FixedCsr) ? milliseconds(Column::FixedCsr) : time;
    if (!fixed_csr_time)
        return std::unexpected(fixed_csr_time.error());
    TableRuntime runtime{std::string(field(Column::Matrix)),
                         *rows,
                         *cols,
                         has(Column::Machine) ? std::string(field(Column::Machine)) : std::string(),
                         *schedule,
                         *time,
                         number};
    if (runtime.matrix.empty())
        return fail(Fault::Input, "the name of the matrix is missing");
    runtimes.push_back(runtime);
    if (has(Column::FixedCsr) && !is_fixed_csr(*schedule)) {
        runtime.schedule = fixed_csr(*kernel, schedule->threads);
        runtime.milliseconds = *fixed_csr_time;
        runtimes.push_back(std::move(runtime));
    }
    return {};
}

} // namespace sparsight

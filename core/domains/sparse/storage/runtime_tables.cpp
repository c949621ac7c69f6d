#include "domains/sparse/storage/runtime_tables.h"

#include "base/reading/csv_table.h"
#include "base/text.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/storage/waco_folder.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "store/machines.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <unordered_map>
#include <utility>

namespace sparsight {

Measurement recorded_measurement(double milliseconds) {
    Measurement measurement;
    if (std::isinf(milliseconds)) {
        measurement.status = MeasurementStatus::Failed;
        measurement.reason = "recorded as a run that failed (inf)";
        return measurement;
    }
    measurement.status = MeasurementStatus::Measured;
    measurement.median = Milliseconds(milliseconds);
    return measurement;
}

bool is_outlier(double milliseconds) {
    constexpr double shortest_credible = 0.001;
    constexpr double longest_trained_on = 1000;
    return milliseconds < shortest_credible ||
           (milliseconds >= longest_trained_on && std::isfinite(milliseconds));
}

namespace {

/// The text in quotation marks, for a message.
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
        return fail(Fault::Input, "a quotation mark is neither around a field nor doubled inside one");
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

namespace {

constexpr std::size_t lines_of_a_transaction = 20'000;

bool says_the_same(const Measurement& one, const Measurement& other) {
    return one.status == other.status && one.median == other.median;
}

class TableImporter {
public:
    TableImporter(Workspace& workspace, const TableImport& request, const std::stop_token& stop,
                  const ProgressSink& progress)
        : workspace_(workspace)
        , request_(request)
        , stop_(stop)
        , progress_(progress) {}

    Result<TableImportReport> run() {
        auto file = open_unpacked(request_.file, ReadLimits{}.unpacked_bytes, table_files);
        if (!file)
            return in_table(file.error(), 0);
        constexpr std::size_t block_bytes = std::size_t{1} << 18;
        TextBlocks blocks(*file->bytes, block_bytes);
        TextBlock block;
        std::optional<RuntimeTable> table;
        for (std::int64_t line = 0;;) {
            const auto has_more = blocks.next(block);
            if (!has_more)
                return in_table(has_more.error(), has_more.error().line == 0 ? 0 : line + 1);
            if (!*has_more)
                break;
            while (!block.text().empty())
                if (auto read = read_line(block.take_line(), ++line, table); !read)
                    return std::unexpected(std::move(read).error());
            if (rows_.size() >= lines_of_a_transaction || stop_.stop_requested())
                if (auto stored = store(); !stored)
                    return std::unexpected(std::move(stored).error());
            if (stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped; what was read before is imported");
            if (progress_)
                progress_({"importing runtimes", file->bytes->consumed(), file->bytes->total()});
        }
        if (!table)
            return in_table({Fault::Input, "this file is empty", {}, 0}, 0);
        if (auto stored = store(); !stored)
            return std::unexpected(std::move(stored).error());
        return std::move(report_);
    }

private:
    [[nodiscard]] std::unexpected<Error> in_table(const Error& error, std::int64_t line) const {
        return fail_in_file(error.fault, request_.file.string(), line, error.message);
    }
    void problem(std::int64_t line, std::string message) {
        report_.problems.push_back({Fault::Input, std::move(message), request_.file.string(), line});
    }

    Result<void> read_line(std::string_view text, std::int64_t line, std::optional<RuntimeTable>& table) {
        const std::string_view content = trimmed(text);
        if (content.empty())
            return {};
        if (table) {
            if (const auto read = table->read(content, line, rows_); !read)
                problem(line, read.error().message);
            return {};
        }
        auto first = RuntimeTable::with_columns(content, request_.op);
        if (!first)
            return in_table(first.error(), line);
        if (request_.machine.empty() && !first->names_machines())
            return in_table(
                {Fault::Input, "this table does not say whose runtimes it holds: name the machine", {}, 0},
                line);
        table = std::move(*first);
        return {};
    }

    Result<void> store() {
        auto stored = in_one_transaction(workspace_, [&]() -> Result<void> {
            for (const TableRuntime& row : rows_)
                if (auto done = store(row); !done)
                    return done;
            return {};
        });
        rows_.clear();
        return stored;
    }

    Result<void> store(const TableRuntime& row) {
        const auto matrix = matrix_of(row);
        if (!matrix)
            return std::unexpected(matrix.error());
        if (!*matrix)
            return {};
        const auto machine = machine_of(row);
        if (!machine)
            return std::unexpected(machine.error());
        if (!*machine)
            return {};
        const MeasurementSetting setting{**matrix, **machine, request_.dense, std::string(waco_protocol)};
        const auto [first, is_new] =
            first_lines_[{setting.matrix, setting.machine}].try_emplace(row.schedule, row.line);
        if (!is_new) {
            if (first->second != row.line)
                problem(row.line, fmt::format("this schedule of {} stands in line {} already, which is kept",
                                              row.matrix, first->second));
            return {};
        }
        return record(setting, row);
    }

    Result<void> record(const MeasurementSetting& setting, const TableRuntime& row) {
        const Measurement measurement = recorded_measurement(row.milliseconds);
        const MeasurementConditions conditions{setting.matrix,
                                               setting.machine,
                                               setting_of(row.schedule.op, setting.dense),
                                               setting.protocol,
                                               {}};
        const WrittenConfiguration configuration = written(row.schedule);
        const auto known = find_measurement(workspace_, conditions, configuration);
        if (!known)
            return std::unexpected(known.error());
        ++report_.measurements;
        report_.failed_runs += std::isinf(row.milliseconds) ? 1 : 0;
        report_.outliers += is_outlier(row.milliseconds) ? 1 : 0;
        if (*known && says_the_same(**known, measurement)) {
            ++report_.already_there;
            return {};
        }
        report_.replaced += *known ? 1 : 0;
        return record_measurement(workspace_, conditions, configuration, measurement);
    }

    /// None for a matrix that is another one than the table's.
    Result<std::optional<WorkloadId>> matrix_of(const TableRuntime& row) {
        if (const auto known = matrices_.find(row.matrix); known != matrices_.end())
            return known->second;
        const auto record = find_matrix(workspace_, row.matrix);
        if (!record)
            return std::unexpected(record.error());
        if (*record && (*record)->pattern != PayloadPlace::Unknown && row.rows > 0 &&
            ((*record)->rows != row.rows || (*record)->cols != row.cols)) {
            problem(row.line,
                    fmt::format(
                        "the matrix {} is {} × {} here and {} × {} in the workspace, so it is another one: "
                        "its runtimes are left out",
                        row.matrix, row.rows, row.cols, (*record)->rows, (*record)->cols));
            return matrices_[row.matrix] = std::nullopt;
        }
        const auto id = add_matrix_name(workspace_, row.matrix, request_.file.string());
        if (!id)
            return std::unexpected(id.error());
        report_.matrices.emplace(row.matrix, TableMatrix{row.rows, row.cols, row.line});
        return matrices_[row.matrix] = *id;
    }

    /// None where the line does not name one.
    Result<std::optional<MachineId>> machine_of(const TableRuntime& row) {
        const std::string& name = request_.machine.empty() ? row.machine : request_.machine;
        if (name.empty()) {
            problem(row.line, "the name of the machine is missing");
            return std::nullopt;
        }
        if (const auto known = machines_.find(name); known != machines_.end())
            return known->second;
        const auto id = recorded_machine(workspace_, name);
        if (!id)
            return std::unexpected(id.error());
        return machines_[name] = *id;
    }

    Workspace& workspace_;
    const TableImport& request_;
    const std::stop_token& stop_;
    const ProgressSink& progress_;
    std::vector<TableRuntime> rows_; ///< read, not stored yet
    std::unordered_map<std::string, std::optional<WorkloadId>> matrices_;
    std::unordered_map<std::string, MachineId> machines_;
    std::map<std::pair<WorkloadId, MachineId>, std::unordered_map<SuperSchedule, std::int64_t>> first_lines_;
    TableImportReport report_;
};

} // namespace

Result<TableImportReport> import_runtime_table(Workspace& workspace, const TableImport& request,
                                               const std::stop_token& stop, const ProgressSink& progress) {
    return TableImporter(workspace, request, stop, progress).run();
}

} // namespace sparsight

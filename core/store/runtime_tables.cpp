#include "store/runtime_tables.h"

#include "base/trimmed.h"
#include "matrix/archive_source.h"
#include "matrix/read_options.h"
#include "matrix/text_blocks.h"
#include "schedule/hash.h"
#include "store/machines.h"
#include "store/matrices.h"
#include "store/measurements.h"
#include "store/recorded_runtime.h"
#include "store/runtime_table.h"
#include "store/waco_folder.h"

#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <unordered_map>

namespace sparsight {

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
        auto file = open_unpacked(request_.file, ReadLimits{}.unpacked_bytes);
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
        const auto known = find_measurement(workspace_, setting, row.schedule);
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
        return record_measurement(workspace_, setting, row.schedule, measurement);
    }

    /// None for a matrix that is another one than the table's.
    Result<std::optional<MatrixId>> matrix_of(const TableRuntime& row) {
        if (const auto known = matrices_.find(row.matrix); known != matrices_.end())
            return known->second;
        const auto record = find_matrix(workspace_, row.matrix);
        if (!record)
            return std::unexpected(record.error());
        if (*record && (*record)->pattern != PatternPlace::Unknown && row.rows > 0 &&
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
    std::unordered_map<std::string, std::optional<MatrixId>> matrices_;
    std::unordered_map<std::string, MachineId> machines_;
    std::map<std::pair<MatrixId, MachineId>, std::unordered_map<SuperSchedule, std::int64_t>> first_lines_;
    TableImportReport report_;
};

} // namespace

Result<TableImportReport> import_runtime_table(Workspace& workspace, const TableImport& request,
                                               const std::stop_token& stop, const ProgressSink& progress) {
    return TableImporter(workspace, request, stop, progress).run();
}

} // namespace sparsight

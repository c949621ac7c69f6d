#include "domains/records/exchange/record_export.h"

#include "base/files.h"
#include "domains/records/exchange/record_import.h"
#include "domains/records/exchange/record_writers.h"
#include "domains/records/record_source.h"
#include "domains/records/record_space.h"

#include <fmt/format.h>
#include <functional>
#include <set>
#include <utility>

namespace sparsight {
namespace {

constexpr std::size_t written_at_once = std::size_t{1} << 20;

/// What must be known of all records before the first is written.
struct ExportedRecords {
    RecordExportReport report;
    std::set<std::string> decisions;
    bool has_runs = false;
};

class RecordExport {
public:
    RecordExport(Workspace& workspace, const RecordExportRequest& request, const ProgressSink& progress,
                 const std::stop_token& stop)
        : workspace_(workspace)
        , request_(request)
        , progress_(progress)
        , stop_(stop) {}

    Result<RecordExportReport> run() {
        if (auto counted = count(); !counted)
            return std::unexpected(std::move(counted).error());
        if (all_.report.measurements == 0)
            return fail(Fault::Input, fmt::format("the workspace has no such tuning record{}", asked()));
        auto written = request_.format == RecordFileFormat::Table ? write_table() : write_t4();
        if (!written)
            return std::unexpected(std::move(written).error());
        return all_.report;
    }

private:
    Result<void> visit(const std::function<Result<void>(const StoredTime&)>& take) {
        const ResultQuery query{.domain = std::string(records_domain),
                                .workload = request_.workload,
                                .machine = request_.machine,
                                .family = {},
                                .setting = request_.space,
                                .protocol = std::string(recorded_protocol),
                                .threads = {},
                                .condition = {}};
        return visit_times(workspace_, query, [&](const StoredTime& time) -> Result<void> {
            if (stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped");
            if (time.status != MeasurementStatus::Damaged)
                return take(time);
            ++damaged_;
            return {};
        });
    }

    Result<void> count() {
        std::set<std::string, std::less<>> workloads;
        std::set<std::string, std::less<>> machines;
        std::string last_configuration;
        auto done = visit([&](const StoredTime& time) -> Result<void> {
            ++all_.report.measurements;
            all_.report.failed_runs += time.status == MeasurementStatus::Measured ? 0 : 1;
            workloads.insert(time.workload);
            machines.insert(time.machine);
            all_.has_runs = all_.has_runs || !time.condition.empty();
            if (request_.format != RecordFileFormat::Table || time.configuration == last_configuration)
                return {};
            last_configuration = time.configuration;
            auto values = parse_decisions(time.configuration);
            if (!values)
                return std::unexpected(std::move(values).error());
            for (auto& [name, value] : *values)
                all_.decisions.insert(std::move(name));
            return {};
        });
        all_.report.damaged = damaged_;
        all_.report.workloads = std::ssize(workloads);
        all_.report.machines = std::ssize(machines);
        return done;
    }

    Result<void> write_table() {
        const auto table = RecordTableText::of(all_.decisions, all_.has_runs);
        if (!table)
            return std::unexpected(table.error());
        return write(table->first_line(), [&](const StoredTime& time) { return table->line(time); }, "");
    }

    Result<void> write_t4() {
        const char* separator = "\n";
        return write(
            R"({"schema_version": "1.0.0", "metadata": {"written_by": "Sparsight"}, "results": [)",
            [&](const StoredTime& time) { return std::exchange(separator, ",\n") + t4_result(time); },
            "\n]}\n");
    }

    Result<void> write(std::string text, const std::function<std::string(const StoredTime&)>& text_of,
                       std::string_view end) {
        auto file = AtomicFile::create(request_.file);
        if (!file)
            return std::unexpected(std::move(file).error());
        std::int64_t done = 0;
        auto written = visit([&](const StoredTime& time) -> Result<void> {
            text += text_of(time);
            ++done;
            if (text.size() < written_at_once)
                return {};
            if (progress_)
                progress_({"writing",
                           static_cast<std::uint64_t>(done),
                           static_cast<std::uint64_t>(all_.report.measurements),
                           {}});
            auto block = file->write(text);
            text.clear();
            return block;
        });
        if (!written)
            return written;
        if (auto rest = file->write(text.append(end)); !rest)
            return rest;
        return file->commit();
    }

    /// " of gemm on A100", as far as names were given.
    std::string asked() const {
        std::string text;
        for (const auto& [word, name] : {std::pair("of", &request_.workload),
                                         {"on", &request_.machine},
                                         {"in the space", &request_.space}})
            if (!name->empty())
                text += fmt::format(" {} {}", word, *name);
        return text;
    }

    Workspace& workspace_;
    const RecordExportRequest& request_;
    const ProgressSink& progress_;
    const std::stop_token& stop_;
    ExportedRecords all_;
    std::int64_t damaged_ = 0;
};

} // namespace

std::optional<RecordFileFormat> export_format_of(const std::filesystem::path& file) {
    if (file.extension() == ".csv")
        return RecordFileFormat::Table;
    if (file.extension() == ".json")
        return RecordFileFormat::T4;
    return std::nullopt;
}

Result<RecordExportReport> export_records(Workspace& workspace, const RecordExportRequest& request,
                                          const ProgressSink& progress, const std::stop_token& stop) {
    return RecordExport(workspace, request, progress, stop).run();
}

} // namespace sparsight

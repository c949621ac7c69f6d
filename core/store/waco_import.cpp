#include "matrix/reading.h"
#include "schedule/text.h"
#include "store/machines.h"
#include "store/matrices.h"
#include "store/measurements.h"
#include "store/recorded_runtime.h"
#include "store/splits.h"
#include "store/waco_folder.h"
#include "store/waco_listing.h"

#include <cmath>
#include <fmt/format.h>
#include <map>
#include <system_error>
#include <unordered_map>

namespace sparsight {

namespace {

class FolderImport {
public:
    FolderImport(Workspace& workspace, const WacoImport& request, MachineId machine, WacoImportReport& report)
        : workspace_(workspace)
        , request_(request)
        , matrix_folder_(request.matrix_folder.empty() ? request.folder : request.matrix_folder)
        , machine_(machine)
        , report_(report) {}

    /// Nothing when the matrix can't be taken at all; why is among the problems then.
    Result<std::optional<MatrixId>> import_matrix(const std::string& name) {
        std::error_code ignored;
        const auto pattern_file = matrix_folder_ / (name + ".csr");
        const auto runtimes_file = request_.folder / (name + ".txt");
        const bool has_runtimes = std::filesystem::exists(runtimes_file, ignored);
        const bool has_pattern = std::filesystem::exists(pattern_file, ignored);
        if (!has_runtimes && !has_pattern)
            problem(Fault::Input, request_.folder, 0,
                    fmt::format("the matrix {} is listed, but there is neither {}.txt nor {}.csr", name, name,
                                name));
        const auto matrix = add(name, has_pattern ? pattern_file : std::filesystem::path());
        if (!matrix || !*matrix)
            return matrix;
        ++report_.matrices;
        if (has_runtimes)
            if (auto done = import_runtimes(**matrix, runtimes_file); !done)
                return std::unexpected(std::move(done).error());
        return matrix;
    }

private:
    void problem(Fault fault, const std::filesystem::path& file, std::int64_t line, std::string message) {
        report_.problems.push_back({fault, std::move(message), file.string(), line});
    }

    Result<std::optional<MatrixId>> add(const std::string& name, const std::filesystem::path& pattern_file) {
        const auto by_name = [&]() -> Result<std::optional<MatrixId>> {
            const auto id = add_matrix_name(workspace_, name, request_.folder.string());
            if (!id)
                return std::unexpected(id.error());
            return std::optional(*id);
        };
        if (pattern_file.empty())
            return by_name();
        const auto loaded = read_matrix(pattern_file);
        if (!loaded) {
            report_.problems.push_back(loaded.error());
            return by_name();
        }
        const auto id = add_matrix(workspace_, {name, pattern_file.string(), pattern_file}, loaded->pattern);
        if (!id && id.error().file.empty()) {
            // Not the workspace's fault: another matrix has this name, so that these runtimes can't be its
            // own.
            problem(id.error().fault, pattern_file, 0, id.error().message);
            return std::nullopt;
        }
        if (!id)
            return std::unexpected(id.error());
        ++report_.patterns;
        return std::optional(*id);
    }

    Result<void> import_runtimes(MatrixId matrix, const std::filesystem::path& path) {
        const MeasurementSetting setting{matrix, machine_, request_.dense, std::string(waco_protocol)};
        std::unordered_map<std::string, std::int64_t> first_line;
        Result<void> stored;
        const bool whole = for_each_line(path, [&](std::string_view line, std::int64_t number) {
            if (!stored)
                return;
            const auto runtime = parse_schedule_runtime(request_.op, line);
            if (!runtime)
                return problem(runtime.error().fault, path, number, runtime.error().message);
            if (runtime->milliseconds == 0)
                return problem(Fault::Input, path, number, "the runtime is 0 ms, which no run takes");
            const auto [first, is_new] = first_line.try_emplace(to_text(runtime->schedule), number);
            if (!is_new)
                return problem(
                    Fault::Input, path, number,
                    fmt::format("this schedule stands in line {} already, which is kept", first->second));
            count(runtime->milliseconds);
            stored = record_measurement(workspace_, setting, runtime->schedule,
                                        recorded_measurement(runtime->milliseconds));
        });
        if (!whole)
            problem(Fault::Environment, path, 0, "this file can't be read to its end");
        return stored;
    }

    void count(double milliseconds) {
        ++report_.measurements;
        report_.failed_runs += std::isinf(milliseconds) ? 1 : 0;
        report_.outliers += is_outlier(milliseconds) ? 1 : 0;
    }

    Workspace& workspace_;
    const WacoImport& request_;
    std::filesystem::path matrix_folder_;
    MachineId machine_;
    WacoImportReport& report_;
};

std::string split_name(const WacoImport& request) {
    if (!request.split.empty())
        return request.split;
    std::error_code ignored;
    const auto folder = std::filesystem::weakly_canonical(request.folder, ignored);
    return folder.filename().empty() ? "waco" : folder.filename().string();
}

} // namespace

Result<WacoImportReport> import_waco_folder(Workspace& workspace, const WacoImport& request,
                                            const std::stop_token& stop, const ProgressSink& progress) {
    WacoImportReport report;
    const auto content = list_waco_folder(request.folder, report.problems);
    if (!content)
        return std::unexpected(content.error());
    const auto machine = recorded_machine(workspace, request.machine);
    if (!machine)
        return std::unexpected(machine.error());
    FolderImport importing(workspace, request, *machine, report);
    std::map<std::string, MatrixId, std::less<>> ids;
    for (std::uint64_t done = 0; const std::string& name : content->names) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, fmt::format("stopped after {} of {} matrices, which are imported",
                                                      done, content->names.size()));
        const auto imported = in_one_transaction(workspace, [&]() -> Result<void> {
            const auto id = importing.import_matrix(name);
            if (!id)
                return std::unexpected(id.error());
            if (*id)
                ids.emplace(name, **id);
            return {};
        });
        if (!imported)
            return std::unexpected(imported.error());
        if (progress)
            progress({"importing", ++done, content->names.size()});
    }
    if (!content->has_lists)
        return report;
    Split split{split_name(request), {}};
    for (const SplitPart part : all_split_parts)
        for (const std::string& name : content->parts[static_cast<std::size_t>(part)])
            if (const auto id = ids.find(name); id != ids.end())
                split[part].push_back(id->second);
    if (auto saved = save_split(workspace, split); !saved)
        return std::unexpected(std::move(saved).error());
    return report;
}

} // namespace sparsight

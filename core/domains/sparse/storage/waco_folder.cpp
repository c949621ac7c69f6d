#include "domains/sparse/storage/waco_folder.h"

#include "base/files.h"
#include "base/text.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/runtime_tables.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "store/machines.h"

#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <set>
#include <system_error>
#include <unordered_map>

namespace sparsight {

namespace {

class FolderReader {
public:
    FolderReader(const std::filesystem::path& folder, std::vector<Error>& problems)
        : folder_(folder)
        , problems_(problems) {}

    Result<WacoListing> read() {
        for (const SplitPart part : all_split_parts)
            read_list(part);
        std::error_code error;
        std::set<std::string> others;
        for (std::filesystem::directory_iterator entry(folder_, error), end; !error && entry != end;
             entry.increment(error))
            if (const auto& path = entry->path();
                path.extension() == ".txt" && is_waco_name(path.stem().string()))
                others.insert(path.stem().string());
        if (error)
            return fail_in_file(Fault::Environment, folder_.string(), 0,
                                fmt::format("this folder can't be read: {}", error.message()));
        for (const std::string& name : others)
            mention(name);
        if (content_.names.empty())
            return fail_in_file(
                Fault::Input, folder_.string(), 0,
                "there is no list of matrices (total.txt …) and no NAME.txt with runtimes here");
        return std::move(content_);
    }

private:
    void mention(const std::string& name) {
        if (mentioned_.insert(name).second)
            content_.names.push_back(name);
    }

    void read_list(SplitPart part) {
        const auto path = folder_ / fmt::format("{}.txt", name(part));
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored))
            return;
        content_.has_lists = true;
        const bool whole = for_each_line(path, [&](std::string_view line, std::int64_t number) {
            if (!is_waco_name(line)) {
                problems_.push_back({Fault::Input,
                                     fmt::format("\"{}\" can't be the name of a matrix", line.substr(0, 60)),
                                     path.string(), number});
                return;
            }
            mention(std::string(line));
            content_.parts[static_cast<std::size_t>(part)].emplace_back(line);
        });
        if (!whole)
            problems_.push_back({Fault::Environment, "this list can't be read", path.string(), 0});
    }

    const std::filesystem::path& folder_;
    std::vector<Error>& problems_;
    WacoListing content_;
    std::set<std::string> mentioned_;
};

} // namespace

Result<WacoListing> list_waco_folder(const std::filesystem::path& folder, std::vector<Error>& problems) {
    return FolderReader(folder, problems).read();
}

bool is_waco_name(std::string_view matrix) {
    for (const SplitPart part : all_split_parts)
        if (matrix == name(part))
            return false;
    return !matrix.empty() && matrix != "." && matrix != ".." && matrix.size() <= 200 &&
           matrix.find_first_of(std::string_view("/\\\0\n\r", 5)) == std::string_view::npos;
}

bool for_each_line(const std::filesystem::path& path,
                   const std::function<void(std::string_view line, std::int64_t number)>& take) {
    if (!require_regular_file(path))
        return false;
    std::ifstream file(path);
    std::string line;
    for (std::int64_t number = 1; std::getline(file, line); ++number)
        if (const std::string_view content = trimmed(line); !content.empty())
            take(content, number);
    return file.eof() && !file.bad();
}

namespace {

class FolderImport {
public:
    FolderImport(Workspace& workspace, const WacoImport& request, MachineId machine, WacoImportReport& report)
        : workspace_(workspace)
        , request_(request)
        , matrix_folder_(request.matrix_folder.empty() ? request.folder : request.matrix_folder)
        , machine_(machine)
        , report_(report) {}

    /// Nothing when the matrix can't be imported; the problems then say why.
    Result<std::optional<WorkloadId>> import_matrix(const std::string& name) {
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

    Result<std::optional<WorkloadId>> add(const std::string& name,
                                          const std::filesystem::path& pattern_file) {
        const auto by_name = [&]() -> Result<std::optional<WorkloadId>> {
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

    Result<void> import_runtimes(WorkloadId matrix, const std::filesystem::path& path) {
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
    std::map<std::string, WorkloadId, std::less<>> ids;
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

namespace {

Result<void> make_empty_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return fail_in_file(Fault::Environment, folder.string(), 0,
                            fmt::format("this folder can't be made: {}", error.message()));
    const bool empty = std::filesystem::is_empty(folder, error);
    if (error)
        return fail_in_file(Fault::Environment, folder.string(), 0,
                            fmt::format("this folder can't be read: {}", error.message()));
    if (!empty)
        return fail_in_file(Fault::Input, folder.string(), 0, "this folder is not empty; choose a new one");
    return {};
}

struct Lines {
    std::string text;
    std::int64_t count = 0;
};

Result<std::map<std::string, Lines>> lines_by_matrix(Workspace& workspace, const WacoExport& request,
                                                     const MachineRecord& machine) {
    const ResultFilter filter{.machine = machine.fingerprint,
                              .op = request.op,
                              .dense = dense_index(request.op) ? request.dense : 1,
                              .protocol = request.protocol};
    const auto results = list_results(workspace, filter);
    if (!results)
        return std::unexpected(results.error());
    std::map<std::string, Lines> lines;
    for (const ResultRow& result : *results) {
        Lines& of_matrix = lines[result.matrix];
        // The time of an abandoned schedule is only a lower bound.
        const bool is_known = result.status == MeasurementStatus::Measured && result.median_ms;
        const std::string runtime = is_known ? fmt::format("{}", *result.median_ms) : "inf";
        of_matrix.text += fmt::format("{} = {}\n", result.schedule, runtime);
        ++of_matrix.count;
    }
    return lines;
}

/// The lists to write, as names; empty ones are left out.
Result<std::map<SplitPart, std::string>> lists(Workspace& workspace, const WacoExport& request,
                                               const std::vector<MatrixRecord>& matrices,
                                               const std::map<std::string, Lines>& lines) {
    std::map<SplitPart, std::string> texts;
    if (request.split.empty()) {
        for (const MatrixRecord& matrix : matrices)
            if (lines.contains(matrix.name) && is_waco_name(matrix.name))
                texts[SplitPart::Total] += matrix.name + "\n";
        return texts;
    }
    const auto split = find_split(workspace, request.split);
    if (!split)
        return std::unexpected(split.error());
    if (!*split)
        return fail(Fault::Input, fmt::format("the workspace knows no split '{}'", request.split));
    std::map<WorkloadId, std::string> names;
    for (const MatrixRecord& matrix : matrices)
        names[matrix.id] = matrix.name;
    for (const SplitPart part : all_split_parts)
        for (const WorkloadId id : (**split)[part])
            texts[part] += names[id] + "\n";
    return texts;
}

Result<void> export_matrix(Workspace& workspace, const WacoExport& request, const MatrixRecord& matrix,
                           const Lines& lines, WacoExportReport& report) {
    if (!is_waco_name(matrix.name))
        return fail_in_file(Fault::Input, matrix.name, 0, "this matrix's name can't be the name of a file");
    if (auto done = write_whole_file(request.folder / (matrix.name + ".txt"), lines.text); !done)
        return done;
    ++report.matrices;
    report.measurements += lines.count;
    if (!request.patterns || matrix.pattern == PayloadPlace::Unknown)
        return {};
    const auto pattern = load_pattern(workspace, matrix.id);
    if (!pattern)
        return std::unexpected(pattern.error());
    if (auto done = write_waco_csr(request.folder / (matrix.name + ".csr"), *pattern); !done)
        return done;
    ++report.patterns;
    return {};
}

} // namespace

Result<WacoExportReport> export_waco_folder(Workspace& workspace, const WacoExport& request,
                                            const std::stop_token& stop, const ProgressSink& progress) {
    const auto machine = require_machine(workspace, request.machine);
    if (!machine)
        return std::unexpected(machine.error());
    const auto matrices = list_matrices(workspace);
    if (!matrices)
        return std::unexpected(matrices.error());
    const auto lines = lines_by_matrix(workspace, request, *machine);
    if (!lines)
        return std::unexpected(lines.error());
    const auto texts = lists(workspace, request, *matrices, *lines);
    if (!texts)
        return std::unexpected(texts.error());
    if (auto made = make_empty_folder(request.folder); !made)
        return std::unexpected(std::move(made).error());
    for (const auto& [part, text] : *texts)
        if (auto done = write_whole_file(request.folder / fmt::format("{}.txt", name(part)), text); !done)
            return std::unexpected(std::move(done).error());
    WacoExportReport report;
    for (std::uint64_t done = 0; const MatrixRecord& matrix : *matrices) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled,
                        fmt::format("stopped; {} is not complete", request.folder.string()));
        if (const auto found = lines->find(matrix.name); found != lines->end())
            if (auto exported = export_matrix(workspace, request, matrix, found->second, report); !exported)
                report.problems.push_back(std::move(exported).error());
        if (progress)
            progress({"exporting", ++done, matrices->size()});
    }
    return report;
}

} // namespace sparsight

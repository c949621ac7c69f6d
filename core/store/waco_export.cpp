#include "base/atomic_file.h"
#include "matrix/writing.h"
#include "store/machines.h"
#include "store/matrices.h"
#include "store/results.h"
#include "store/splits.h"
#include "store/stored_pattern.h"
#include "store/waco_folder.h"
#include "store/waco_listing.h"

#include <fmt/format.h>
#include <map>
#include <system_error>

namespace sparsight {

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
        // The time of a schedule that was given up is only a lower bound.
        const bool is_known = result.status == MeasurementStatus::Measured && result.median_ms;
        const std::string runtime = is_known ? fmt::format("{}", *result.median_ms) : "inf";
        of_matrix.text += fmt::format("{} = {}\n", result.schedule, runtime);
        ++of_matrix.count;
    }
    return lines;
}

/// The lists to write, as names; those that are empty are left out.
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
    std::map<MatrixId, std::string> names;
    for (const MatrixRecord& matrix : matrices)
        names[matrix.id] = matrix.name;
    for (const SplitPart part : all_split_parts)
        for (const MatrixId id : (**split)[part])
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
    if (!request.patterns || matrix.pattern == PatternPlace::Unknown)
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
    const auto machine = find_machine(workspace, request.machine);
    if (!machine)
        return std::unexpected(machine.error());
    if (!*machine)
        return fail(Fault::Input, fmt::format("the workspace knows no machine '{}'", request.machine));
    const auto matrices = list_matrices(workspace);
    if (!matrices)
        return std::unexpected(matrices.error());
    const auto lines = lines_by_matrix(workspace, request, **machine);
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

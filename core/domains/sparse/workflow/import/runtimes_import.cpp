#include "domains/sparse/workflow/import/runtimes_import.h"

#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/waco_folder.h"

#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

class RuntimesImport {
public:
    RuntimesImport(Workspace& workspace, const RuntimesImportRequest& request, const std::stop_token& stop,
                   Observer& observer, ImportedRuntimes& imported)
        : workspace_(workspace)
        , request_(request)
        , stop_(stop)
        , progress_(observer.sink())
        , imported_(imported) {}

    Result<void> run() {
        for (const std::string& file : request_.files) {
            std::error_code ignored;
            auto done = std::filesystem::is_directory(file, ignored) ? folder(file) : table(file);
            if (!done)
                return done;
        }
        return request_.matrices.empty() ? Result<void>() : patterns();
    }

private:
    /// What is wrong with one file or folder as a whole leaves the others to be imported.
    Result<void> problem(const Error& error) {
        if (error.fault == Fault::Cancelled || error.file == workspace_.path().string())
            return std::unexpected(error);
        imported_.problems.push_back(error);
        return {};
    }

    Result<void> table(const std::string& file) {
        const auto report = import_runtime_table(
            workspace_, {file, request_.machine, request_.op, request_.dense}, stop_, progress_);
        if (!report)
            return problem(report.error());
        imported_.named.insert(report->matrices.begin(), report->matrices.end());
        imported_.measurements += report->measurements;
        imported_.already_there += report->already_there;
        imported_.replaced += report->replaced;
        imported_.failed_runs += report->failed_runs;
        imported_.outliers += report->outliers;
        imported_.add(report->problems);
        return {};
    }

    Result<void> folder(const std::string& path) {
        const WacoImport waco{
            .folder = path, .op = request_.op, .machine = request_.machine, .dense = request_.dense};
        const auto report = import_waco_folder(workspace_, waco, stop_, progress_);
        if (!report)
            return problem(report.error());
        imported_.matrices_of_folders += report->matrices;
        imported_.patterns += report->patterns;
        imported_.measurements += report->measurements;
        imported_.failed_runs += report->failed_runs;
        imported_.outliers += report->outliers;
        imported_.add(report->problems);
        return {};
    }

    Result<void> patterns() {
        const auto report = add_patterns(workspace_, request_.matrices, imported_.named, stop_, progress_);
        if (!report)
            return problem(report.error());
        imported_.patterns += report->patterns;
        imported_.add(report->problems);
        return {};
    }

    Workspace& workspace_;
    const RuntimesImportRequest& request_;
    const std::stop_token& stop_;
    ProgressSink progress_;
    ImportedRuntimes& imported_;
};

} // namespace

Result<ImportedRuntimes> import_runtimes(Workspace& workspace, const RuntimesImportRequest& request,
                                         Observer& observer, const std::stop_token& stop) {
    observer.start({{"files", request.files.size()}});
    ImportedRuntimes imported;
    const auto done = RuntimesImport(workspace, request, stop, observer, imported).run();
    imported.is_stopped = !done && done.error().fault == Fault::Cancelled;
    if (!done && !imported.is_stopped)
        return std::unexpected(done.error());
    return imported;
}

} // namespace sparsight

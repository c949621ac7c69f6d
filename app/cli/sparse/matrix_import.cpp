// What `import` does with matrices, and with data that was collected in WACO's form.
#include "domains/sparse/workflow/import/matrix_import.h"
#include "base/parallel.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "cli/sparse/schedule_options.h"
#include "cli/sparse/sparse_commands.h"
#include "command/job.h"
#include "command/options.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/storage/waco_folder.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

Json to_json(const WacoImportReport& report) {
    return {{"matrices", report.matrices},         {"patterns", report.patterns},
            {"measurements", report.measurements}, {"failed_runs", report.failed_runs},
            {"outliers", report.outliers},         {"failed", failed_json(report.problems)}};
}

std::string to_text(const WacoImportReport& report) {
    return fmt::format("{}, {} of them with entries; {}, {} of them of failed runs and {}; {}\n",
                       counted(report.matrices, "matrix", "matrices"), report.patterns,
                       counted(report.measurements, "measurement", "measurements"), report.failed_runs,
                       counted(report.outliers, "outlier", "outliers"),
                       counted(report.problems.size(), "problem", "problems"));
}

ExitCode import_waco(const Job& job, const WacoImport& request) {
    job.observer.start({{"folder", request.folder.string()}});
    const auto report = import_waco_folder(job.workspace, request, job.stop(), job.observer.sink());
    job.observer.clear();
    if (!report && report.error().fault == Fault::Cancelled && job.observer.tells_events()) {
        job.observer.end(Json::object(), false, true);
        return ExitCode::Interrupted;
    }
    if (!report)
        return job.observer.refuse(report.error());
    for (const Error& problem : report->problems) {
        job.observer.event("failed", failure_json(problem));
        job.session.complain(problem);
    }
    job.observer.answer(to_json(*report), to_text(*report));
    return report->problems.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

std::string remarks(const ImportedMatrix& matrix) {
    std::vector<std::string> remarks;
    if (matrix.already_there)
        remarks.emplace_back("already there");
    if (matrix.report.duplicates_merged > 0)
        remarks.push_back(fmt::format("merged duplicates: {}", matrix.report.duplicates_merged));
    if (matrix.report.explicit_zeros > 0)
        remarks.push_back(fmt::format("explicit zeros: {}", matrix.report.explicit_zeros));
    if (matrix.report.not_finite > 0)
        remarks.push_back(fmt::format("values not finite: {}", matrix.report.not_finite));
    return fmt::format("{}", fmt::join(remarks, ", "));
}

ExitCode import_matrices(const Job& job, const ImportRequest& request) {
    const auto imported = import_files(job.workspace, request, job.observer, job.stop());
    if (!imported)
        return job.observer.refuse(imported.error(), ExitCode::Workspace);
    AddedWorkloads added{.verb = "imported",
                         .already_there = imported->known(),
                         .failed = imported->failed,
                         .is_complete = imported->size() == request.files.size(),
                         .table = matrices_table()};
    for (const ImportedMatrix& matrix : imported->imported) {
        added.added.push_back(imported_json(matrix));
        add_matrix(added.table, matrix, remarks(matrix));
    }
    return end_adding(job, added);
}

class MatrixImporter final : public DomainPart<ImportOrder> {
public:
    std::string_view domain() const override { return sparse_domain; }

    void add_options(CLI::App& command) override {
        auto* const name = command
                               .add_option("--name", matrices_.name,
                                           "name of the matrix, instead of its file's (one file only)")
                               ->type_name("NAME");
        add_threads_option(command, matrices_.threads, "threads that read a file (default: all)");
        auto* const folder =
            command.add_option("--waco", waco_.folder, "import collected data in WACO's folder form")
                ->type_name("FOLDER")
                ->excludes(command.get_option("files"), name);
        const auto only_with_waco = [folder](CLI::Option* option) { option->needs(folder); };
        only_with_waco(command
                           .add_option("--patterns", waco_.matrix_folder,
                                       "folder of the .csr files, if it is another one")
                           ->type_name("FOLDER"));
        only_with_waco(add_operator_option(command, waco_.op));
        only_with_waco(add_dense_option(command, waco_.dense));
        only_with_waco(
            command
                .add_option("--split", waco_.split, "name for the lists of matrices (default: the folder's)")
                ->type_name("NAME"));
    }

    bool has_own_source() const override { return !waco_.folder.empty(); }

    Result<void> check(const ImportOrder& order) const override {
        if (has_own_source() && order.machine.empty())
            return fail(Fault::Input, "--waco needs --machine: whose runtimes are they?");
        if (order.files.size() > 1 && !matrices_.name.empty())
            return fail(Fault::Input, "--name is for one file");
        return {};
    }

    Result<void> check_own(const ImportOrder& order) const override {
        if (!order.machine.empty() && !has_own_source())
            return fail(Fault::Input, "--machine is for --waco: a matrix has no runtimes");
        return {};
    }

    ExitCode run(Session&, ImportOrder& order) const override {
        if (has_own_source()) {
            WacoImport request = waco_;
            request.machine = order.machine;
            return import_waco(*order.job, request);
        }
        return import_matrices(*order.job, {order.files, matrices_.name, matrices_.threads});
    }

private:
    ImportRequest matrices_{.files = {}, .name = {}, .threads = available_threads()};
    WacoImport waco_;
};

} // namespace

std::shared_ptr<DomainPart<ImportOrder>> make_matrix_importer() {
    return std::make_shared<MatrixImporter>();
}

} // namespace sparsight

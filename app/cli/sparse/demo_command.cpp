#include "base/files.h"
#include "base/parallel.h"
#include "cli/sparse/schedule_options.h"
#include "cli/sparse/sparse_commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/sparse/workflow/experiment/demo.h"
#include "evaluation/reports/evaluation_report.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp demo_help{.description = R"(
Runs all steps in less than six minutes on two cores. It makes a workspace with three
generated matrices and those of the files, measures 100 SuperSchedules on each, and
says which of them beat fixed CSR. It then measures small matrices of many families.
A network is meta-trained on three simulated machines, and a gray box on 24 machines
that deviate from the simulator. Both are fine-tuned to this computer with ten of
those matrices. Each chooses the 20 best schedules of matrices that it has never seen:
the three, those of the files, and some more. These are measured, and the output has
the gain with its interval. --no-learning leaves the models out.

Everything is in one folder (--folder): demo.sparsight, report.csv, and report.html
with pictures, loss curves, speedups and tables. If you run it again with other files,
only new work is measured. A file that can't be read is listed, and the others are
used (exit code 1).)",
                                .examples = R"(
sparsight-cli demo
sparsight-cli demo cage8.mtx.gz web-Google.tar.gz --folder /tmp/demo
sparsight-cli demo --operator sddmm --schedules 50 --no-learning)",
                                .json = R"(
{"workspace", "csv", "html", "complete", "failed": [{"file", "line", "error"}],
 "matrices": [{"matrix", "fixed_csr_ms", "best_ms", "speedup", "best_schedule"}],
 "evaluation": {what `evaluate --json` prints} or null})"};

struct DemoOptions {
    DemoRequest request;
    std::string folder = "sparsight-demo";
};

Result<Workspace> open_demo(const Session& session, const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return fail_in_file(Fault::Environment, folder.string(), 0, "can't be made: " + error.message());
    const auto file = folder / "demo.sparsight";
    return std::filesystem::exists(file, error) ? Workspace::open(file)
                                                : Workspace::create(file, session.program_version());
}

Json to_json(const CollectionReport& report) {
    Json matrices = Json::array();
    for (const MatrixFinding& finding : report.matrices) {
        const auto speedup = finding.speedup();
        const auto fixed_csr_ms = finding.baseline_ms();
        matrices.push_back(
            {{"matrix", finding.matrix},
             {"fixed_csr_ms", fixed_csr_ms ? Json(*fixed_csr_ms) : Json()},
             {"best_ms", finding.best() != nullptr ? Json(finding.best()->median_ms.value_or(0)) : Json()},
             {"speedup", speedup ? Json(*speedup) : Json()},
             {"best_schedule", finding.best() != nullptr ? Json(finding.best()->schedule) : Json()}});
    }
    return matrices;
}

/// Prints the table and writes the two files.
Result<void> tell(const Session& session, const std::filesystem::path& folder, const DemoOutcome& outcome) {
    const auto csv = folder / "report.csv";
    const auto html = folder / "report.html";
    const ModelEvaluation* const evaluation = outcome.learned ? &outcome.learned->evaluation : nullptr;
    if (auto written = write_whole_file(csv, report_csv(outcome.report)); !written)
        return written;
    if (auto written = write_whole_file(html, report_html(outcome.report, evaluation)); !written)
        return written;
    if (!session.options.json) {
        session.print(report_table(outcome.report));
        if (evaluation != nullptr)
            session.print("\n" + evaluation_text(*evaluation));
        session.print(fmt::format("\nreport:    {}\ntable:     {}\nworkspace: {}\n", html.string(),
                                  csv.string(), (folder / "demo.sparsight").string()));
        return {};
    }
    session.print_json({{"workspace", (folder / "demo.sparsight").string()},
                        {"csv", csv.string()},
                        {"html", html.string()},
                        {"complete", outcome.complete},
                        {"failed", failed_json(outcome.failures)},
                        {"matrices", to_json(outcome.report)},
                        {"evaluation", evaluation != nullptr ? evaluation_json(*evaluation) : Json()}});
    return {};
}

ExitCode show_demo(Session& session, const MeasuringDomains& measuring, DemoOptions options) {
    const Interruption interruption;
    const std::filesystem::path folder = options.folder;
    if (session.names_workspace())
        session.remark("demo has a workspace of its own, in its folder; the one that was named is not used");
    session.options.workspace =
        (folder / "demo.sparsight").string(); // whose errors have an exit code of their own
    auto workspace = open_demo(session, folder);
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    options.request.seed = session.options.seed;
    options.request.created_by = session.program_version();
    JobObserver observer(session, "demo", ProgressForm::Display);
    const auto done =
        run_demo(*workspace, session.domains, measuring, options.request, observer, interruption.token());
    if (!done)
        return observer.refuse(done.error());
    observer.clear();
    if (!*done)
        return ExitCode::Interrupted;
    const DemoOutcome& outcome = **done;
    if (const auto told = tell(session, folder, outcome); !told)
        return session.refuse(told.error());
    if (interruption.requested() && !outcome.complete) {
        session.remark("stopped: run the same command again to go on");
        return ExitCode::Interrupted;
    }
    if (!outcome.complete && outcome.failures.empty())
        session.remark("out of budget: run the same command again to go on, or give it a longer --budget");
    return outcome.failures.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_demo_command(CLI::App& app, Session& session, const MeasuringDomains& measuring) {
    CLI::App& command =
        add_command(app, "demo", "Measure demo matrices and files, and write a report", demo_help);
    const auto options = std::make_shared<DemoOptions>();
    options->request.measuring.threads = available_threads();
    command
        .add_option("files", options->request.files,
                    "matrix files to measure in addition to the generated ones")
        ->type_name("FILE");
    command.add_option("--folder", options->folder, "folder for all files (default ./sparsight-demo)")
        ->type_name("FOLDER");
    command
        .add_option("--schedules", options->request.schedules,
                    "random schedules for each matrix (default 100)")
        ->type_name("N")
        ->check(CLI::Range(0, 1'000'000));
    add_operator_option(command, options->request.setting.op);
    add_dense_option(command, options->request.setting.dense);
    add_threads_option(command, options->request.measuring.threads,
                       "threads that kernels run on (default: all)");
    add_parsed_option(command, "--budget", options->request.budget, &parse_duration,
                      fmt::format("stop measuring and learning after this time: 90s, 10m,\n1h30m (default "
                                  "{:.0f}s, {:.0f}s without learning)",
                                  demo_budget.count(), demo_budget_without_learning.count()))
        ->type_name("TIME");
    command.add_flag("--no-learning", options->request.is_without_learning, "measure and report only");
    set_action(command, session,
               [&session, &measuring, options] { return show_demo(session, measuring, *options); });
}

} // namespace sparsight

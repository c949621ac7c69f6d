#include "base/atomic_file.h"
#include "base/freed_memory.h"
#include "base/parallel.h"
#include "cli/collect_events.h"
#include "cli/commands.h"
#include "cli/matrix_import.h"
#include "cli/this_machine.h"
#include "collection/collector.h"
#include "collection/demo_matrices.h"
#include "command/command.h"
#include "command/interruption.h"
#include "command/options.h"
#include "command/progress_display.h"
#include "command/session.h"
#include "evaluation/report_writers.h"
#include "machine/machine_json.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp help{.description = R"(
The whole way in one command: makes a workspace with three generated matrices
and those of the files, measures 100 SuperSchedules on each, prints which of
them beat fixed CSR and by how much, and writes the same as CSV and as one HTML
page with a picture of each matrix.

Everything is in one folder (--folder): demo.sparsight, report.csv, report.html.
Run it again with other files and only what is new is measured. A file that
can't be read is listed, and the rest goes on (exit code 1).)",
                           .examples = R"(
sparsight-cli demo
sparsight-cli demo cage8.mtx.gz web-Google.tar.gz --folder /tmp/demo
sparsight-cli demo --operator sddmm --schedules 50)",
                           .json = R"(
{"workspace", "csv", "html", "complete", "failed": [{"file", "line", "error"}],
 "matrices": [{"matrix", "fixed_csr_ms", "best_ms", "speedup", "best_schedule"}]})"};

struct DemoOptions {
    std::vector<std::string> files;
    std::string folder = "sparsight-demo";
    CollectionRequest request;
    SampledSchedules sampled;
};

struct DemoFailures {
    std::vector<Error> errors;

    void add(const Session& session, Error error) {
        session.complain(error);
        errors.push_back(std::move(error));
    }
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

void import_files(const Session& session, Workspace& workspace, const DemoOptions& options,
                  ProgressDisplay& display, DemoFailures& failures, const std::stop_token& stop) {
    for (const std::string& file : options.files) {
        const std::string what = fmt::format("reading {}", file);
        display.show({.what = what, .done = 0, .total = 0, .left = {}});
        auto imported = import_file(workspace, file, "", options.request.threads, stop);
        display.clear();
        if (!imported && imported.error().fault == Fault::Cancelled)
            return;
        if (!imported)
            failures.add(session, imported.error());
    }
}

Json to_json(const CollectionReport& report) {
    Json matrices = Json::array();
    for (const MatrixFinding& finding : report.matrices) {
        const auto speedup = finding.speedup();
        matrices.push_back(
            {{"matrix", finding.matrix},
             {"fixed_csr_ms", finding.fixed_csr ? Json(finding.fixed_csr->median_ms.value_or(0)) : Json()},
             {"best_ms", finding.best() != nullptr ? Json(finding.best()->median_ms.value_or(0)) : Json()},
             {"speedup", speedup ? Json(*speedup) : Json()},
             {"best_schedule", finding.best() != nullptr ? Json(finding.best()->schedule) : Json()}});
    }
    return matrices;
}

/// Prints the table and writes the two files.
Result<void> tell(const Session& session, const std::filesystem::path& folder, const CollectionReport& report,
                  bool complete, const DemoFailures& failures) {
    const auto csv = folder / "report.csv";
    const auto html = folder / "report.html";
    if (auto written = write_whole_file(csv, report_csv(report)); !written)
        return written;
    if (auto written = write_whole_file(html, report_html(report)); !written)
        return written;
    if (!session.options.json) {
        session.print(report_table(report));
        session.print(fmt::format("\nreport:    {}\ntable:     {}\nworkspace: {}\n", html.string(),
                                  csv.string(), (folder / "demo.sparsight").string()));
        return {};
    }
    Json failed = Json::array();
    for (const Error& error : failures.errors)
        failed.push_back(failure_json(error));
    session.print_json({{"workspace", (folder / "demo.sparsight").string()},
                        {"csv", csv.string()},
                        {"html", html.string()},
                        {"complete", complete},
                        {"failed", failed},
                        {"matrices", to_json(report)}});
    return {};
}

ExitCode run_demo(Session& session, const DemoOptions& options) {
    const Interruption interruption;
    const std::filesystem::path folder = options.folder;
    if (session.names_workspace())
        session.remark("demo has a workspace of its own, in its folder; the one that was named is not used");
    session.options.workspace =
        (folder / "demo.sparsight").string(); // whose errors have an exit code of their own
    auto workspace = open_demo(session, folder);
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    DemoFailures failures;
    ProgressDisplay display(ProgressDisplay::style_of_stderr(session.options.quiet));
    if (const auto added = add_demo_matrices(*workspace, session.options.seed); !added)
        return session.refuse(added.error());
    import_files(session, *workspace, options, display, failures, interruption.token());
    const auto machine = // measured in full the first time
        this_machine(*workspace,
                     [&] { return measure_this_machine(session, display.sink(), interruption.token()); });
    display.clear();
    if (!machine)
        return machine.error().fault == Fault::Cancelled ? ExitCode::Interrupted
                                                         : session.refuse(machine.error());

    keep_freed_memory();
    const auto turn = measuring_turn(session, interruption.token());
    if (!turn)
        return ExitCode::Interrupted;
    CollectionRequest request = options.request;
    SampledSchedules sampled = options.sampled;
    sampled.seed = session.options.seed;
    request.schedules = sampled;
    const auto summary =
        collect(*workspace, machine->id, request, display_observer(display), interruption.token());
    display.clear();
    if (!summary)
        return session.refuse(summary.error());
    for (const CollectionFailure& failure : summary->failures)
        failures.add(session, failure.described());

    const ReportScope scope{{},
                            machine->fingerprint,
                            request.op,
                            request.dense,
                            std::string(name(request.protocol)),
                            request.threads};
    const auto description = machine_from_text(machine->description);
    auto report = summarise_collection(*workspace, scope, description ? *description : MachineDescription{});
    if (!report)
        return session.refuse(report.error());
    report->created_by = session.program_version();
    for (const Error& error : report->left_out)
        failures.add(session, error);
    if (const auto told = tell(session, folder, *report, summary->complete, failures); !told)
        return session.refuse(told.error());
    if (interruption.requested() && !summary->complete) {
        session.remark("stopped: run the same command again to go on");
        return ExitCode::Interrupted;
    }
    if (!summary->complete && failures.errors.empty())
        session.remark("out of budget: run the same command again to go on, or give it a longer --budget");
    return failures.errors.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_demo_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, "demo", "Measure demo matrices and files, and write a report", help);
    const auto options = std::make_shared<DemoOptions>();
    options->request.threads = available_threads();
    options->request.budget = Seconds(150); // with the probe and the report: within three minutes
    command.add_option("files", options->files, "matrix files to measure besides the generated ones")
        ->type_name("FILE");
    command.add_option("--folder", options->folder, "where everything is written (default ./sparsight-demo)")
        ->type_name("FOLDER");
    command.add_option("--schedules", options->sampled.count, "how many to draw a matrix (default 100)")
        ->type_name("N")
        ->check(CLI::Range(0, 1'000'000));
    add_operator_option(command, options->request.op);
    add_dense_option(command, options->request.dense);
    add_threads_option(command, options->request.threads, "threads that kernels run on (default: all)");
    add_parsed_option(command, "--budget", options->request.budget, &parse_duration,
                      "stop measuring after this time: 90s, 10m, 1h30m\n(default 150s)")
        ->type_name("TIME");
    set_action(command, session, [&session, options] { return run_demo(session, *options); });
}

} // namespace sparsight

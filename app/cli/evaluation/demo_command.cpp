#include "base/files.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/evaluation/demo_learning.h"
#include "cli/named_inputs.h"
#include "cli/runtimes/collect_events.h"
#include "collection/collector.h"
#include "collection/demo_matrices.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "evaluation/reports/collection_report.h"
#include "evaluation/reports/evaluation_report.h"
#include "machine/machine_json.h"
#include "workflow/import/matrix_import.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp demo_help{.description = R"(
The whole way in one command, in less than six minutes on two cores:
makes a workspace with three generated matrices and those of the files, measures
100 SuperSchedules on each, and tells which of them beat fixed CSR. Then it
learns: small matrices of many families are measured, a model is meta-trained on
them over this computer and two machines sampled from a family and simulated
mechanistically, fine-tuned to this computer, and asked for the 20 best schedules of
matrices that it has never seen: the three, those of the files, and some more. They
are measured, and what was gained is told with its interval. --no-learning does
without.

Everything is in one folder (--folder): demo.sparsight, report.csv, and report.html
with pictures, loss curves, speedups and tables. Run it again with other files and
only what is new is measured. A file that can't be read is listed, and the rest
goes on (exit code 1).)",
                                .examples = R"(
sparsight-cli demo
sparsight-cli demo cage8.mtx.gz web-Google.tar.gz --folder /tmp/demo
sparsight-cli demo --operator sddmm --schedules 50 --no-learning)",
                                .json = R"(
{"workspace", "csv", "html", "complete", "failed": [{"file", "line", "error"}],
 "matrices": [{"matrix", "fixed_csr_ms", "best_ms", "speedup", "best_schedule"}],
 "evaluation": {what `evaluate --json` prints} or null})"};

struct DemoOptions {
    std::vector<std::string> files;
    std::string folder = "sparsight-demo";
    CollectionRequest request;
    SampledSchedules sampled;
    std::optional<Seconds> budget;
    bool no_learning = false;
};

constexpr Seconds default_budget{270}; ///< with the probe and the report: within five minutes
constexpr Seconds budget_without_learning{150};
constexpr double looking_share = 0.35; ///< of the budget, for what is looked at; the rest is for learning

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
                  const ModelEvaluation* evaluation, bool complete, const DemoFailures& failures) {
    const auto csv = folder / "report.csv";
    const auto html = folder / "report.html";
    if (auto written = write_whole_file(csv, report_csv(report)); !written)
        return written;
    if (auto written = write_whole_file(html, report_html(report, evaluation)); !written)
        return written;
    if (!session.options.json) {
        session.print(report_table(report));
        if (evaluation != nullptr)
            session.print("\n" + evaluation_text(*evaluation));
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
                        {"matrices", to_json(report)},
                        {"evaluation", evaluation != nullptr ? evaluation_json(*evaluation) : Json()}});
    return {};
}

Result<std::vector<std::string>> matrices_to_look_at(Workspace& workspace) {
    const auto records = list_matrices(workspace);
    if (!records)
        return std::unexpected(records.error());
    std::vector<std::string> names;
    for (const MatrixRecord& record : *records)
        if (!is_demo_training_matrix(record.name))
            names.push_back(record.name);
    return names;
}

CollectionRequest request_of(const Session& session, const DemoOptions& options,
                             const std::vector<std::string>& matrices) {
    CollectionRequest request = options.request;
    SampledSchedules sampled = options.sampled;
    sampled.seed = session.options.seed;
    request.schedules = sampled;
    request.matrices = matrices;
    request.budget = options.no_learning ? options.budget.value_or(budget_without_learning)
                                         : options.budget.value_or(default_budget) * looking_share;
    return request;
}

/// The turn ends with it: learning takes its own.
Result<CollectionSummary> measure(const Session& session, Workspace& workspace, const MachineRecord& machine,
                                  const CollectionRequest& request, ProgressDisplay& display,
                                  const std::stop_token& stop) {
    const auto turn = measuring_turn(session, stop);
    if (!turn)
        return std::unexpected(turn.error());
    auto summary = collect(workspace, machine.id, request, display_observer(display), stop);
    display.clear();
    return summary;
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
    const auto looked_at = matrices_to_look_at(*workspace);
    if (!looked_at)
        return session.refuse(looked_at.error());
    const auto request = request_of(session, options, *looked_at);
    const auto summary = measure(session, *workspace, *machine, request, display, interruption.token());
    if (!summary)
        return session.refuse(summary.error());
    for (const CollectionFailure& failure : summary->failures)
        failures.add(session, failure.described());
    std::optional<EvaluationOutcome> learned;
    if (!options.no_learning && !interruption.requested()) {
        const DemoLearning learning{.measuring = options.request,
                                    .schedules = options.sampled.count,
                                    .held_out = *looked_at,
                                    .budget = options.budget.value_or(default_budget) * (1 - looking_share)};
        auto outcome = learn_in_demo(session, *workspace, *machine, learning, display, interruption.token());
        if (outcome)
            learned = std::move(*outcome);
        else if (outcome.error().fault != Fault::Cancelled)
            failures.add(session, outcome.error());
    }

    const ReportScope scope{
        *looked_at,     machine->fingerprint, request.op, request.dense, std::string(name(request.protocol)),
        request.threads};
    const auto description = machine_from_text(machine->description);
    auto report = summarise_collection(*workspace, scope, description ? *description : MachineDescription{});
    if (!report)
        return session.refuse(report.error());
    report->created_by = session.program_version();
    for (const Error& error : report->left_out)
        failures.add(session, error);
    const bool is_complete = summary->complete && (options.no_learning || (learned && learned->complete));
    if (const auto told =
            tell(session, folder, *report, learned ? &learned->evaluation : nullptr, is_complete, failures);
        !told)
        return session.refuse(told.error());
    if (interruption.requested() && !is_complete) {
        session.remark("stopped: run the same command again to go on");
        return ExitCode::Interrupted;
    }
    if (!is_complete && failures.errors.empty())
        session.remark("out of budget: run the same command again to go on, or give it a longer --budget");
    return failures.errors.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_demo_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "demo", "Measure demo matrices and files, and write a report", demo_help);
    const auto options = std::make_shared<DemoOptions>();
    options->request.threads = available_threads();
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
    add_parsed_option(command, "--budget", options->budget, &parse_duration,
                      "stop measuring and learning after this time: 90s, 10m,\n1h30m (default 270s, 150s "
                      "without learning)")
        ->type_name("TIME");
    command.add_flag("--no-learning", options->no_learning, "measure and report only");
    set_action(command, session, [&session, options] { return run_demo(session, *options); });
}

} // namespace sparsight

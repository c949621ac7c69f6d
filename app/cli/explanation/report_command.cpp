#include "base/files.h"
#include "base/parallel.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/explanation/explain_output.h"
#include "cli/explanation/failures_command.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/setting_options.h"
#include "command/terminal_text.h"
#include "domains/sparse/workflow/explanation/report_study.h"
#include "evaluation/reports/evaluation_report.h"
#include "evaluation/reports/failure_summary.h"
#include "workflow/chosen_setting.h"
#include "workflow/process/worker_program.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp report_help{.description = R"(
Writes a page that says why a schedule takes longer than another one: the pattern,
both schedules as loop nests with the differences marked, which decision cost how
much, by what mechanism, why the model did not know (`reasons`), what would make it
win, and the command that gives the page again. With --matrix and --schedule it is
one page, of what `explain` finds, and with --model of what that one says; without
them it is the report of an evaluation (or of a table, --recorded): the stories of
its failures, as `failures` tells them, and a page for each of the greatest losses.

The file needs nothing from outside; its name ends in .html, or in .pdf: then the
window's program (`sparsight`) prints it.)",
                                  .examples = R"(
sparsight-cli report -o failures.html
sparsight-cli report --model first --pages 20 -o first.pdf
sparsight-cli report --matrix cage8 --schedule csr --against best --measured -o cage8.html
sparsight-cli report --recorded best_vs_csr.csv -o waco.html)",
                                  .json = R"(
{"file", "bytes", "stories", "cases", "pages"}; of one page stories is null and
cases 1.)"};

struct ReportOptions {
    ExplainRequest page;
    SparseFailuresRequest failures;
    std::string domain; ///< of an evaluation; empty: that of the workspace
    PageOptions pages;
    std::string file;
    bool simulated = false;
};

struct WrittenReport {
    std::string html;
    std::optional<std::size_t> stories;
    std::size_t cases = 1;
    std::size_t pages = 1;
    std::vector<std::string> remarks{}; ///< for the user, of a report
};

/// "sparsight-cli report" in place of "sparsight-cli explain".
std::string page_command(const Session& session, const ExplainRequest& request, const ExplainAnswer& answer,
                         const std::string& model) {
    constexpr std::string_view explain = "sparsight-cli explain";
    std::string command =
        "sparsight-cli report" + explain_command(session, request, answer).substr(explain.size());
    if (!model.empty())
        command += " --model " + shell_word(model);
    return command + " -o page.html";
}

/// Options that are not as they are by default: the pages say something else then.
std::string changed_options(const PageOptions& options) {
    const PageOptions usual;
    std::string text;
    if (options.pages != usual.pages)
        text += fmt::format(" --pages {}", options.pages);
    if (options.reasons != usual.reasons)
        text += fmt::format(" --reasons {:.0f}ms", Milliseconds(options.reasons).count());
    return text;
}

/// Of an evaluation in a domain whose failures are told by known times; nothing for matrices.
Result<std::optional<WrittenReport>> report_of_domain(const Session& session, const ReportOptions& options,
                                                      Observer& observer, const std::stop_token& stop) {
    if (!options.failures.recorded.empty())
        return std::nullopt;
    auto workspace = session.workspace_location().open(WorkspaceAccess::Read);
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    const auto domain = choose_domain(*workspace, session.domains, options.domain);
    if (!domain)
        return std::unexpected(domain.error());
    if ((*domain)->name() == sparse_domain)
        return std::nullopt;
    auto answer = answer_failures(*workspace, **domain, options.failures, observer, stop);
    if (!answer)
        return std::unexpected(std::move(answer).error());
    WrittenReport report{.html = {},
                         .stories = answer->stories.size(),
                         .cases = answer->cases.size(),
                         .pages = 0,
                         .remarks = answer->remarks};
    report.html = failure_summary_html(
        {.title = fmt::format("Where choices of {} lose, and why", answer->words.configuration.many),
         .setting = answer->sentence,
         .words = answer->words,
         .compared = answer->compared,
         .cases = answer->cases,
         .stories = answer->stories,
         .remarks = answer->remarks,
         .sections = evaluation_sections(answer->evaluation, "The whole evaluation") +
                     evaluation_explanation(answer->words),
         .machine = answer->machine,
         .seed = options.failures.seed,
         .date = answer->date,
         .created_by = session.program_version(),
         .command = fmt::format("sparsight-cli report {} -o report.html",
                                failures_options(session, options.failures, *answer))});
    return report;
}

Result<WrittenReport> make_html(const Session& session, const ReportOptions& options, Observer& observer,
                                const std::stop_token& stop) {
    const WorkspaceLocation location = session.workspace_location();
    if (!options.page.matrix.empty()) {
        const auto page = make_page(location, options.page, options.pages, observer, stop);
        if (!page)
            return std::unexpected(page.error());
        return WrittenReport{.html = failure_html(*page), .stories = std::nullopt};
    }
    const auto own = report_of_domain(session, options, observer, stop);
    if (!own)
        return std::unexpected(own.error());
    if (*own)
        return **own;
    const auto report = make_report(location, options.failures, options.pages, observer, stop);
    if (!report)
        return std::unexpected(report.error());
    return WrittenReport{failures_html(*report), report->stories.size(), report->cases.size(),
                         report->pages.size(), report->remarks};
}

Result<void> write_report(const std::string& file, const std::string& html, const std::stop_token& stop) {
    return names_pdf(file) ? print_pdf(html, file, stop) : write_whole_file(file, html);
}

ExitCode report_failures(Session& session, ReportOptions options) {
    options.page.seed = session.options.seed;
    options.failures.seed = session.options.seed;
    options.failures.setting = {options.page.op, options.page.dense};
    options.pages.model = options.failures.model;
    if (options.page.matrix.empty() && options.failures.simulated_on.empty())
        options.failures.simulated_on = options.page.machine;
    options.pages.created_by = session.program_version();
    options.pages.page_command = [&](const auto& request, const auto& answer, const std::string& model) {
        return page_command(session, request, answer, model);
    };
    options.pages.report_command = [&](const auto& request, const auto& answer) {
        return fmt::format("sparsight-cli report {}{} -o report.html",
                           failures_options(session, request, answer), changed_options(options.pages));
    };
    const auto make = [&](Observer& observer, const std::stop_token& stop) {
        auto report = make_html(session, options, observer, stop);
        if (report)
            if (auto written = write_report(options.file, report->html, stop); !written)
                report = std::unexpected(std::move(written).error());
        return report;
    };
    const auto made = answer_with_progress(session, "report", make);
    if (!made)
        return refuse_answer(session, made.error());
    for (const std::string& remark : made->remarks)
        session.remark(remark);
    if (session.options.json)
        session.print_json({{"file", options.file},
                            {"bytes", made->html.size()},
                            {"stories", made->stories ? Json(*made->stories) : Json()},
                            {"cases", made->cases},
                            {"pages", made->pages}});
    else
        session.remark(fmt::format("wrote {}{} to {}",
                                   made->stories ? counted(*made->stories, "story", "stories") + " and " : "",
                                   counted(made->pages, "page", "pages"), options.file));
    return ExitCode::Done;
}

void add_page_options(CLI::App& command, ReportOptions& options) {
    ExplainRequest& page = options.page;
    page.threads = available_threads();
    page.budget = Seconds(15);
    auto* matrix =
        command.add_option("--matrix", page.matrix, "one page: of this file, or matrix of the workspace")
            ->type_name("MATRIX");
    auto* schedule =
        command.add_option("--schedule", page.schedule, "what to explain: csr, best, or a line, quoted")
            ->type_name("SCHEDULE")
            ->needs(matrix);
    matrix->needs(schedule);
    command.add_option("--against", page.against, "what to hold it against, likewise (default csr)")
        ->type_name("SCHEDULE")
        ->needs(matrix);
    add_operator_option(command, page.op);
    add_dense_option(command, page.dense);
    auto* machine = command
                        .add_option("--machine", page.machine,
                                    "simulate this one: of the workspace, a preset, or a file\n(default: "
                                    "this computer; of an evaluation its own)")
                        ->type_name("MACHINE");
    auto* measured = command.add_flag("--measured", page.measured, "measure on this computer")->needs(matrix);
    command.add_flag("--simulated", options.simulated, "simulate (default)")->excludes(measured);
    measured->excludes(machine);
    add_threads_option(command, page.threads, "threads that measured kernels run on\n(default: all)")
        ->needs(measured);
    add_parsed_option(command, "--budget", page.budget, &parse_duration, "measure for so long (default 15s)")
        ->type_name("TIME")
        ->needs(measured);
}

/// What a page or a report would pass over is refused: whoever gave it expects something of it.
void refuse_what_is_ignored(const CLI::App& command) {
    const auto is_given = [&](const char* option) { return command.get_option(option)->count() > 0; };
    const auto refuse = [&](const char* option, const std::string& why) {
        if (is_given(option))
            throw CLI::ValidationError(option, why);
    };
    if (is_given("--matrix")) {
        for (const char* const option :
             {"--evaluation", "--recorded", "--noise", "--simulated-on", "--pages"})
            refuse(option, "is of reports of many failures: expected without --matrix");
        if (!is_given("--model"))
            refuse("--reasons", "expected with the --model that is asked");
    } else if (!is_given("--recorded")) {
        for (const char* const option : {"--operator", "--dense"})
            refuse(option, "an evaluation has its own: expected with --matrix or --recorded");
    }
    if (is_given("--machine"))
        refuse("--simulated-on", "--machine says the same: expected one of both");
}

} // namespace

void add_report_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "report", "Write why schedules lose as a page (HTML, PDF)", report_help);
    const auto options = std::make_shared<ReportOptions>();
    add_failures_options(command, options->failures);
    add_domain_option(command, session.domains, options->domain);
    command.add_option("--pages", options->pages.pages, "cases that get a page of their own (default 10)")
        ->type_name("N");
    add_parsed_option(command, "--reasons", options->pages.reasons, &parse_duration,
                      "ask the model of each page why for so long (default 5s,\n0: not at all)")
        ->type_name("TIME");
    add_page_options(command, *options);
    add_parsed_option(command, "-o,--output", options->file, &read_report_name,
                      "the file to write: .html or .pdf")
        ->type_name("FILE")
        ->required();
    set_action(command, session, [&session, &command, options] {
        refuse_what_is_ignored(command);
        return report_failures(session, *options);
    });
}

} // namespace sparsight

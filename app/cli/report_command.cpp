#include "base/files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/failures_command.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "workflow/process/learn_process.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp report_help{.description = R"(
Writes the report of an evaluation: the groups of its failures (see `failures`), the
cost of each decision, and the command that repeats the report.

Reports on sparse matrices (or a table, --recorded) have a page for each of the
greatest losses. It shows the pattern, both schedules as loop nests with the
differences marked, the mechanism by which a decision costs time, why the model did
not know (`reasons`), and what would make it win. --matrix and --schedule write one
such page with the result of `explain`; --model adds the model's reasons.

The file needs nothing from outside; its name ends in .html, or in .pdf: then the
window's program (`sparsight`) prints it.)",
                                  .examples = R"(
sparsight-cli report -o failures.html
sparsight-cli report --model first --pages 20 -o first.pdf
sparsight-cli report --matrix cage8 --schedule csr --against best --measured -o cage8.html
sparsight-cli report --recorded best_vs_csr.csv -o waco.html)",
                                  .json = R"(
{"file", "bytes", "stories", "cases", "pages"}; stories are the groups; of one page
stories is null and cases 1.)"};

struct ReportOptions {
    FailureQuestion question;
    std::string file;
};

/// Cases of a group whose models are asked for their reasons.
constexpr std::size_t reasons_of_group = 5;

/// Of an evaluation in a domain whose failures are diagnosed by known times.
Result<WrittenReport> report_by_known_times(const Session& session, const FailureQuestion& question,
                                            Observer& observer, const std::stop_token& stop) {
    const auto answer = failures_by_known_times(session, question, reasons_of_group, observer, stop);
    if (!answer)
        return std::unexpected(answer.error());
    const std::string command =
        fmt::format("sparsight-cli report {} -o report.html", question.words(session, *answer));
    return WrittenReport{.html = failures_page(*answer, {.seed = question.request.seed,
                                                         .created_by = session.program_version(),
                                                         .command = command}),
                         .groups = answer->groups.size(),
                         .cases = answer->cases.size(),
                         .pages = 0,
                         .remarks = answer->remarks};
}

Result<WrittenReport> make_report(const Session& session, const FailureQuestion& question, Observer& observer,
                                  const std::stop_token& stop) {
    const auto own = question.diagnosis(session);
    if (!own)
        return std::unexpected(own.error());
    return *own != nullptr ? (*own)->report(session, question, observer, stop)
                           : report_by_known_times(session, question, observer, stop);
}

Result<void> write_report(const std::string& file, const std::string& html, const std::stop_token& stop) {
    return names_pdf(file) ? print_pdf(html, file, stop) : write_whole_file(file, html);
}

ExitCode report_failures(Session& session, ReportOptions& options) {
    options.question.request.seed = session.options.seed;
    const auto make = [&](Observer& observer, const std::stop_token& stop) {
        auto report = make_report(session, options.question, observer, stop);
        if (report)
            if (auto written = write_report(options.file, report->html, stop); !written)
                report = std::unexpected(std::move(written).error());
        return report;
    };
    const auto made = answer_with_progress(session, "report", make);
    if (!made)
        return session.refuse(made.error());
    for (const std::string& remark : made->remarks)
        session.remark(remark);
    if (session.options.json)
        session.print_json({{"file", options.file},
                            {"bytes", made->html.size()},
                            {"stories", made->groups ? Json(*made->groups) : Json()},
                            {"cases", made->cases},
                            {"pages", made->pages}});
    else {
        std::string what = made->groups ? counted(*made->groups, "group", "groups") : "";
        if (made->pages > 0)
            what += (what.empty() ? "" : " and ") + counted(made->pages, "page", "pages");
        session.remark(fmt::format("wrote {} to {}", what, options.file));
    }
    return ExitCode::Done;
}

} // namespace

void add_report_command(CLI::App& app, Session& session, const DiagnosingDomains& diagnosing) {
    CLI::App& command = add_command(app, "report", "Write a report on bad choices (HTML, PDF)", report_help);
    const auto options = std::make_shared<ReportOptions>(FailureQuestion(diagnosing));
    options->question.add_options(command, session.domains);
    add_parsed_option(
        command, "--reasons", options->question.reasons, &parse_duration,
        "ask the model of each page for its reasons, for this\ntime (default 5s; 0: do not ask); known "
        "times: the\nmodels of the first cases of each group (default: do not\nask)")
        ->type_name("TIME");
    for (const FailureQuestion::Own& own : options->question.own())
        own.diagnosis->add_report_options(command);
    add_parsed_option(command, "-o,--output", options->file, &read_report_name,
                      "the file to write: .html or .pdf")
        ->type_name("FILE")
        ->required();
    set_action(command, session, [&session, &command, options] {
        for (const FailureQuestion::Own& own : options->question.own())
            own.diagnosis->check_report_options(command);
        return report_failures(session, *options);
    });
}

} // namespace sparsight

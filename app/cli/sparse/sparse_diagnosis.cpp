#include "cli/sparse/sparse_commands.h"

#include "base/parallel.h"
#include "base/terminal_text.h"
#include "cli/failures_command.h"
#include "cli/sparse/schedule_options.h"
#include "command/options.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/workflow/explanation/report_study.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

/// An option that is not as it is by default: the pages say something else then.
std::string changed_options(const PageOptions& options) {
    return options.pages != PageOptions().pages ? fmt::format(" --pages {}", options.pages) : std::string();
}

class SparseDiagnosis final : public DomainDiagnosis {
public:
    void add_common_options(CLI::App& command) override {
        auto* recorded =
            command
                .add_option(
                    "--recorded", failures_.recorded,
                    "a table of choices and fixed CSR that was measured\nelsewhere, instead of an evaluation")
                ->type_name("FILE")
                ->excludes(command.get_option("--evaluation"))
                ->excludes(command.get_option("--model"));
        command
            .add_option("--noise", failures_.recorded_noise,
                        "noise of a recorded time, as a share of it (default 0.025)")
            ->type_name("SHARE")
            ->check(CLI::Range(0.0, 1.0))
            ->needs(recorded);
        command
            .add_option("--simulated-on", failures_.simulated_on,
                        "machine to simulate for the diagnosis: one of the\nworkspace, a preset, or a file "
                        "(default: that of the\nevaluation)")
            ->type_name("MACHINE");
    }

    void add_failures_options(CLI::App& command) override {
        auto* recorded = command.get_option("--recorded"); // an evaluation has its own setting
        command.get_option("--machine")->excludes(recorded);
        add_operator_option(command, page_.op)->needs(recorded);
        add_dense_option(command, page_.dense)->needs(recorded);
    }

    void add_report_options(CLI::App& command) override {
        command.add_option("--pages", pages_.pages, "cases that get a page of their own (default 10)")
            ->type_name("N");
        page_.threads = available_threads();
        page_.budget = Seconds(15);
        auto* matrix = command
                           .add_option("--matrix", page_.matrix,
                                       "one page, on this matrix: a file, or one of the workspace")
                           ->type_name("MATRIX");
        auto* schedule = command
                             .add_option("--schedule", page_.schedule,
                                         "schedule to explain: csr, best, or a line in quotes")
                             ->type_name("SCHEDULE")
                             ->needs(matrix);
        matrix->needs(schedule);
        command.add_option("--against", page_.against, "what to compare it with, likewise (default csr)")
            ->type_name("SCHEDULE")
            ->needs(matrix);
        add_operator_option(command, page_.op);
        add_dense_option(command, page_.dense);
        auto* machine = command
                            .add_option("--machine", page_.machine,
                                        "simulate this one: of the workspace, a preset, or a file\n(default: "
                                        "this computer; of an evaluation its own)")
                            ->type_name("MACHINE");
        auto* measured =
            command.add_flag("--measured", page_.measured, "measure on this computer")->needs(matrix);
        command.add_flag("--simulated", is_simulated_, "simulate (default)")->excludes(measured);
        measured->excludes(machine);
        add_threads_option(command, page_.threads, "threads that measured kernels run on\n(default: all)")
            ->needs(measured);
        add_parsed_option(command, "--budget", page_.budget, &parse_duration,
                          "measure for this time (default 15s)")
            ->type_name("TIME")
            ->needs(measured);
    }

    /// What a page or a report would pass over is refused: whoever gave it expects something of it.
    void check_report_options(const CLI::App& command) const override {
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

    [[nodiscard]] bool has_own_source() const override {
        return !failures_.recorded.empty() || !page_.matrix.empty();
    }
    [[nodiscard]] std::string_view own_option() const override {
        return failures_.simulated_on.empty() ? "" : "--simulated-on";
    }

    [[nodiscard]] std::string source_words() const override {
        if (failures_.recorded.empty())
            return {};
        std::string text = fmt::format(" --recorded {} --operator {} --dense {}",
                                       shell_word(failures_.recorded), name(page_.op), page_.dense);
        if (failures_.recorded_noise != SparseFailuresRequest{}.recorded_noise)
            text += fmt::format(" --noise {}", failures_.recorded_noise);
        return text;
    }
    [[nodiscard]] std::string other_words() const override {
        return simulated_on().empty() ? "" : " --simulated-on " + shell_word(simulated_on());
    }

    [[nodiscard]] Result<FailuresAnswer> failures(const Session& session, const FailuresRequest& request,
                                                  Observer& observer,
                                                  const std::stop_token& stop) const override {
        return answer_sparse_failures(session.workspace_location(), as_asked(request), observer, stop);
    }

    [[nodiscard]] Result<WrittenReport> report(const Session& session, const FailureQuestion& question,
                                               Observer& observer,
                                               const std::stop_token& stop) const override {
        const PageOptions pages = page_options(session, question);
        const WorkspaceLocation location = session.workspace_location();
        if (!page_.matrix.empty()) {
            ExplainRequest request = page_;
            request.seed = question.request.seed;
            const auto page = make_page(location, request, pages, observer, stop);
            if (!page)
                return std::unexpected(page.error());
            return WrittenReport{.html = failure_html(*page), .groups = std::nullopt};
        }
        const auto report = make_report(location, as_asked(question.request), pages, observer, stop);
        if (!report)
            return std::unexpected(report.error());
        return WrittenReport{failures_html(*report), report->groups.size(), report->cases.size(),
                             report->pages.size(), report->remarks};
    }

private:
    /// --machine of a report is the machine to simulate, too.
    [[nodiscard]] const std::string& simulated_on() const {
        return failures_.simulated_on.empty() && page_.matrix.empty() ? page_.machine
                                                                      : failures_.simulated_on;
    }
    [[nodiscard]] SparseFailuresRequest as_asked(const FailuresRequest& request) const {
        SparseFailuresRequest asked = failures_;
        static_cast<FailuresRequest&>(asked) = request;
        asked.setting = {page_.op, page_.dense};
        asked.simulated_on = simulated_on();
        return asked;
    }
    [[nodiscard]] PageOptions page_options(const Session& session, const FailureQuestion& question) const {
        PageOptions pages = pages_;
        pages.model = question.request.model;
        pages.created_by = session.program_version();
        pages.reasons = question.reasons.value_or(pages.reasons);
        pages.report_command = [&session, &question, this](const FailuresAnswer& answer) {
            return fmt::format("sparsight-cli report {}{} -o report.html", question.words(session, answer),
                               changed_options(pages_));
        };
        return pages;
    }

    SparseFailuresRequest failures_; ///< but for what every domain is asked
    ExplainRequest page_;            ///< a single page, and the setting of a recorded table
    PageOptions pages_;
    bool is_simulated_ = false;
};

class SparseDiagnosing final : public DiagnosingDomain {
public:
    [[nodiscard]] std::string_view name() const override { return sparse_domain; }
    [[nodiscard]] std::unique_ptr<DomainDiagnosis> diagnosis() const override {
        return std::make_unique<SparseDiagnosis>();
    }
};

} // namespace

std::unique_ptr<const DiagnosingDomain> make_sparse_diagnosis() {
    return std::make_unique<SparseDiagnosing>();
}

} // namespace sparsight

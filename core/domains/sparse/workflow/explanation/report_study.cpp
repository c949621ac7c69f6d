#include "domains/sparse/workflow/explanation/report_study.h"

#include "base/parallel.h"
#include "base/text.h"
#include "domains/sparse/explanation/reasons/model_reasons_json.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/tensor/statistics.h"
#include "domains/sparse/workflow/explanation/explain_text.h"
#include "domains/sparse/workflow/import/named_matrices.h"
#include "workflow/process/learn_process.h"

#include <algorithm>
#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

Result<std::vector<ReportSection>> model_sections(const WorkspaceLocation& location, const std::string& model,
                                                  const ExplainRequest& request, Seconds budget,
                                                  std::span<const std::byte> picture,
                                                  const std::stop_token& stop) {
    std::vector<std::string> arguments{"reasons",
                                       "--model",
                                       model,
                                       "--matrix",
                                       request.matrix,
                                       "--schedule",
                                       request.schedule,
                                       "--against",
                                       request.against,
                                       "--budget",
                                       fmt::format("{:.0f}ms", Milliseconds(budget).count())};
    if (dense_index(request.op))
        arguments.insert(arguments.end(), {"--dense", fmt::format("{}", request.dense)});
    if (!request.machine.empty())
        arguments.insert(arguments.end(), {"--machine", request.machine});
    const auto answer = follow_learner(
        {.workspace = location.path, .seed = request.seed}, std::move(arguments), [](const Json&) {}, stop);
    if (!answer)
        return std::unexpected(answer.error());
    const auto reasons = parse_model_reasons(*answer);
    if (!reasons)
        return std::unexpected(reasons.error());
    return reason_sections(*reasons, picture);
}

namespace {

std::string now_utc() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                       std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
}

std::string facts_of(const MachineDescription& machine) {
    std::vector<std::string> facts;
    if (machine.cpu_model && *machine.cpu_model != machine.name)
        facts.push_back(*machine.cpu_model);
    if (machine.cores)
        facts.push_back(counted(*machine.cores, "core", "cores"));
    if (machine.threads)
        facts.push_back(counted(*machine.threads, "thread", "threads"));
    if (const auto cache = machine.last_cache_bytes())
        facts.push_back(fmt::format("last cache {}", format_bytes(*cache)));
    return fmt::format("{}", fmt::join(facts, ", "));
}

/// A line may mean fixed CSR, too.
std::string title_of(const std::string& against, const SuperSchedule& schedule) {
    if (is_fixed_csr(schedule))
        return "fixed CSR";
    return against == "best" ? "the best known" : "the other schedule";
}

class PageMaker {
public:
    PageMaker(const WorkspaceLocation& location, const PageOptions& options, Observer& observer,
              const std::stop_token& stop)
        : location_(location)
        , options_(options)
        , observer_(observer)
        , stop_(stop) {}

    /// Without a model nobody is asked for reasons. One that can't be asked says so on the page.
    Result<FailurePage> make(const ExplainRequest& request, const std::string& model) const {
        auto answer = answer_explain(location_, request, observer_, stop_);
        if (!answer)
            return std::unexpected(std::move(answer).error());
        const auto matrix = load_named_matrix(location_, request.matrix);
        if (!matrix)
            return std::unexpected(matrix.error());
        auto picture = report_picture(matrix->pattern, available_threads());
        if (!picture)
            return std::unexpected(std::move(picture).error());
        ReportOrigin origin{.machine = answer->machine.name,
                            .machine_facts = facts_of(answer->machine),
                            .seed = request.seed,
                            .date = now_utc(),
                            .created_by = options_.created_by,
                            .command = page_command(location_, request, *answer, model)};
        std::vector<ReportSection> sections;
        if (!model.empty() && options_.reasons > Seconds(0)) {
            observer_.progress({.stage = fmt::format("asking {} why", model)});
            auto found = model_sections(location_, model, request, options_.reasons, *picture, stop_);
            if (!found && found.error().fault == Fault::Cancelled)
                return std::unexpected(std::move(found).error());
            if (found)
                sections = std::move(*found);
            else
                answer->remarks.push_back(
                    fmt::format("{} can't be asked why: {}", model, found.error().text()));
        }
        origin.model = model;
        if (!answer->far_off.empty())
            answer->remarks.push_back(std::move(answer->far_off));
        return FailurePage{.matrix = answer->matrix,
                           .statistics = compute_statistics(matrix->pattern, available_threads()),
                           .picture = std::move(*picture),
                           .dense = request.dense,
                           .against_name = title_of(request.against, answer->explanation.from.schedule),
                           .basis = request.measured ? DiagnosisBasis::Measured : DiagnosisBasis::Simulated,
                           .explanation = std::move(answer->explanation),
                           .model_reasons = std::move(sections),
                           .remarks = std::move(answer->remarks),
                           .origin = std::move(origin)};
    }

private:
    const WorkspaceLocation& location_;
    const PageOptions& options_;
    Observer& observer_;
    const std::stop_token& stop_;
};

std::optional<double> in_turns(const TimedConfiguration& timed) {
    return timed.turn_ratios.empty() ? std::nullopt : std::optional(timed.milliseconds);
}

/// The case as `explain` is asked for it, simulated as the diagnosis was.
ExplainRequest request_of(const FailureCase& failure, const SparseFailuresRequest& request,
                          const FailuresAnswer& answer, std::uint64_t seed) {
    return {.matrix = failure.workload,
            .schedule = failure.main().chosen.configuration,
            .against = failure.main().against.configuration,
            .op = sparse_setting(answer.setting).op,
            .dense = sparse_setting(answer.setting).dense,
            .machine = request.simulated_on.empty() && answer.run && !answer.stands_in ? answer.machine
                                                                                       : request.simulated_on,
            .budget = std::nullopt,
            .seed = seed,
            .schedule_in_turns_ms = in_turns(failure.main().chosen),
            .against_in_turns_ms = in_turns(failure.main().against)};
}

Result<void> add_pages(FailureReport& report, const PageMaker& maker, const SparseFailuresRequest& request,
                       const FailuresAnswer& answer, std::size_t pages) {
    for (const FailureCase& failure : answer.cases) {
        if (report.pages.size() >= pages)
            break;
        // What can't be simulated has nothing to tell beyond its row.
        if (!failure.diagnosis || failure.diagnosis->basis == DiagnosisBasis::Statistics)
            continue;
        auto page = maker.make(request_of(failure, request, answer, report.origin.seed),
                               answer.run ? failure.model_name : std::string());
        if (!page && page.error().fault == Fault::Cancelled)
            return std::unexpected(std::move(page).error());
        if (!page) {
            report.remarks.push_back(
                fmt::format("{} has no page: {}", failure.workload, page.error().text()));
            continue;
        }
        page->against_name = title(failure.main().held_against, sparse_words());
        page->failure = failure;
        page->origin.model = failure.model_name;
        if (answer.stands_in)
            page->origin.machine += fmt::format(" in place of {}", answer.machine);
        report.pages.push_back(std::move(*page));
    }
    return {};
}

} // namespace

Result<FailurePage> make_page(const WorkspaceLocation& location, const ExplainRequest& request,
                              const PageOptions& options, Observer& observer, const std::stop_token& stop) {
    return PageMaker(location, options, observer, stop).make(request, options.model);
}

Result<FailureReport> make_report(const WorkspaceLocation& location, const SparseFailuresRequest& request,
                                  const PageOptions& options, Observer& observer,
                                  const std::stop_token& stop) {
    auto answer = answer_sparse_failures(location, request, observer, stop);
    if (!answer)
        return std::unexpected(std::move(answer).error());
    FailureReport report{.title = "Where chosen schedules are slow, and why",
                         .setting = answer->sentence,
                         .op = sparse_setting(answer->setting).op,
                         .compared = answer->compared,
                         .cases = answer->cases,
                         .groups = answer->groups,
                         .remarks = answer->remarks,
                         .origin = {.machine = answer->machine,
                                    .seed = request.seed,
                                    .date = answer->date,
                                    .created_by = options.created_by,
                                    .command = options.report_command(*answer)}};
    if (auto added =
            add_pages(report, PageMaker(location, options, observer, stop), request, *answer, options.pages);
        !added)
        return std::unexpected(std::move(added).error());
    if (report.pages.empty() && options.pages > 0 && !request.recorded.empty() && !answer->cases.empty() &&
        std::ranges::none_of(answer->cases, [](const FailureCase& each) { return each.is_workload_known; }))
        report.remarks.push_back(
            fmt::format("no pages: of {} none has a pattern here (import them for pages)",
                        counted(answer->cases.size(), "matrix that loses", "matrices that lose")));
    return report;
}

} // namespace sparsight

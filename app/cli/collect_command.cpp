#include "base/memory.h"
#include "base/parallel.h"
#include "cli/commands.h"
#include "collection/collector.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "workflow/machines/collection_job.h"
#include "workflow/machines/named_machines.h"
#include "workflow/process/learn_process.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

constexpr CommandHelp collect_help{.description = R"(
Measures configurations of the workspace's workloads on this computer. The baseline of
each workload is measured first, if the domain has one. The configurations follow:
drawn by a sampler (--configurations, --sampler, --seed), read from a file with one a
line (--from), or found by a search with measured times (--search). The search tries
neighbours and mixtures of the fastest ones, until N configurations of the workload
are measured, older ones included.

Each measurement is stored at once, and none is repeated (use --again after a noisy
hour or with other limits). The same command resumes a stopped collection. Ctrl-C
finishes the current measurement and stops (exit code 130); a second Ctrl-C drops it,
too. --budget also ends between two measurements, without an error; "complete" says
whether all is measured. The workloads share the budget, so a huge one leaves time for
the others. If time is left at the end, incomplete workloads continue.

--domain chooses the domain, which has options of its own. Domains that can't be
measured are refused. Each result is checked before its time is stored. Configurations
that exceed the limits or fail are stored with that status. If the repetition of a
time fails or is abandoned, the earlier time stands.

The configurations of sparse matrices are SuperSchedules, which are compiled to
kernels, and the baseline is fixed CSR. --from reads a file in WACO's form, with or
without runtimes. The limits apply to the storage of a matrix.

Protocols:
  adaptive  as many runs as the noise asks for, fewer for what can't win (default)
  waco      WACO's: 5 warm-ups and 30 runs, 10 and 50 for fixed CSR)",
                                   .examples = R"(
sparsight-cli collect --operator spmm --dense 256 --schedules 100
sparsight-cli collect --matrices cage8,bcsstk17 --from collected/cage8.txt --budget 10m
sparsight-cli collect --matrices cage8 --search 1000
sparsight-cli collect --operator spmv --sampler uniform --threads 2 --progress json)",
                                   .json = R"(
{"measured", "given_up", "failed", "too_large", "kept", "skipped", "seconds",
 "schedules_per_second", "complete", "failures": [{"matrix", "schedule", "error"}]}
Keys have the domain's words for "matrix" and "schedule". failed counts the
configurations that got no time: too large, wrong, not compiled; too_large counts the
first of these. Those abandoned count as measured, and apart in given_up. kept counts
those whose earlier time stands, as --again got no new one. failures (exit code 1) are
workloads that could not be measured at all (schedule is null), configurations that
gave a wrong result or could not be compiled, and those for which this computer had no
memory left, which are tried again next time.)",
                                   .events = R"(
{"event": "start", "job", "operator", "dense", "machine", "threads", "protocol"}
{"event": "matrix", "matrix", "number", "count"}      again at another turn
{"event": "step", "matrix", "schedule", "status", "median_ms", "spread_ms",
 "bytes", "reason", "done", "total", "seconds", "seconds_left"}  once it is stored)"};

struct CollectOptions {
    CollectionRequest request;
    SettingChoice setting;
    NamedWorkloads workloads{.listed = {"all"}};
    SampledConfigurations sampled;
    std::string from;
    std::optional<int> searched;
    std::string model; ///< whose advice is taken
    int advised = 5;
    ProgressForm progress = ProgressForm::Display;
};

/// What the options ask for, the configurations of --from read.
Result<CollectionRequest> make_request(const Session& session, const CollectOptions& options,
                                       const MeasuringDomain& domain, const Setting& setting) {
    CollectionRequest request = options.request;
    request.setting = setting;
    if (options.workloads.names() != std::vector<std::string>{"all"})
        request.workloads = options.workloads.names();
    if (options.searched) {
        request.wanted = SearchedConfigurations{*options.searched, session.options.seed};
        return request;
    }
    if (options.from.empty()) {
        SampledConfigurations sampled = options.sampled;
        sampled.seed = session.options.seed;
        request.wanted = sampled;
        return request;
    }
    auto listed = domain.read_list(setting, options.from);
    if (!listed)
        return std::unexpected(std::move(listed).error());
    request.wanted = ListedConfigurations{*std::move(listed)};
    return request;
}

/// The workloads that sparsight-learn advises to measure for a model on this machine.
Result<std::vector<std::string>> advised_workloads(const Job& job, const CollectOptions& options,
                                                   const Setting& setting, const DomainWords& words,
                                                   const MachineRecord& machine) {
    const auto end = follow_learner(
        {.workspace = job.session.workspace_path(), .seed = job.session.options.seed},
        {"advise", "--model", options.model, "--machine", machine.fingerprint, "--count",
         fmt::to_string(options.advised)},
        [&](const Json& event) {
            if (event.value("event", "") == "progress") {
                const std::string stage = event.value("stage", "");
                job.observer.show({.stage = stage,
                                   .done = event.value("done", std::uint64_t{0}),
                                   .total = event.value("total", std::uint64_t{0})});
            }
        },
        job.stop());
    job.observer.clear();
    if (!end)
        return std::unexpected(end.error());
    if (const std::string wanted = end->value("setting", ""); wanted != setting.text)
        return fail(Fault::Input,
                    fmt::format("{} learns from {}, and {} is to be measured: expected --setting '{}'",
                                options.model, wanted, setting.text, wanted));
    std::vector<std::string> names;
    for (const Json& each : end->value(words.workload.many, Json::array()))
        names.push_back(each.value(words.workload.one, ""));
    if (names.empty())
        return fail(Fault::Input,
                    fmt::format("no {} is left to measure for {}", words.workload.one, options.model));
    job.observer.note(fmt::format("measured for {}: {}", options.model, fmt::join(names, ", ")));
    return names;
}

ExitCode collect_measurements(const Job& job, const MeasuringDomains& measuring,
                              const CollectOptions& options) {
    keep_freed_memory();
    JobObserver& observer = job.observer;
    const auto wanted = choose_domain(job.workspace, job.session.domains, options.setting.domain);
    if (!wanted)
        return observer.refuse(wanted.error());
    const auto domain = measuring.require((*wanted)->name());
    if (!domain)
        return observer.refuse(domain.error());
    const auto chosen = choose_setting(job.workspace, job.session.domains, options.setting);
    if (!chosen)
        return observer.refuse(chosen.error());
    const DomainWords& words = (*domain)->domain().words();
    auto request = make_request(job.session, options, **domain, chosen->setting);
    if (!request)
        return observer.refuse(request.error());
    const auto machine = this_machine(job.workspace);
    if (!machine)
        return observer.refuse(machine.error(), ExitCode::Workspace);
    if (!options.model.empty()) {
        auto advised = advised_workloads(job, options, chosen->setting, words, *machine);
        if (!advised)
            return observer.refuse(advised.error());
        request->workloads = *std::move(advised);
    }

    const auto collected =
        collect_on_this_computer(job.workspace, **domain, *machine, *request, observer, job.stop());
    if (!collected)
        return observer.refuse(collected.error());
    observer.clear();
    const CollectionSummary& summary = *collected;
    for (const CollectionFailure& failure : summary.failures)
        job.session.complain(failure.described());
    const bool is_interrupted = job.interruption.requested();
    if (observer.tells_events())
        observer.end(summary_json(summary, words), summary.complete, is_interrupted && !summary.complete);
    else
        job.session.answer(summary_json(summary, words), summary_text(summary, words));
    if (observer.tells_people() && !summary.complete && summary.failures.empty())
        job.session.remark(is_interrupted ? "stopped: run the same command again to go on"
                                          : "out of budget: run the same command again to go on");
    if (is_interrupted && !summary.complete)
        return ExitCode::Interrupted;
    return summary.failures.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

/// Of any domain: which one the collection is of is not known before the workspace is open.
CLI::Option* add_sampler_option(CLI::App& command, const MeasuringDomains& measuring, std::string& sampler) {
    std::vector<std::string_view> known;
    for (const MeasuringDomain* const domain : measuring.all())
        for (const std::string_view each : domain->samplers())
            if (std::ranges::find(known, each) == known.end())
                known.push_back(each);
    std::string help;
    for (const std::string_view each : known)
        help += fmt::format("{}{}", help.empty() ? "" : " or ", each);
    if (!known.empty())
        help.insert(known.front().size(), " (default)");
    return command.add_option("--sampler", sampler, help)
        ->type_name("SAMPLER")
        ->check([known](const std::string& word) {
            return std::ranges::find(known, word) != known.end()
                       ? std::string()
                       : fmt::format("'{}' is no sampler: expected {}", word, fmt::join(known, " or "));
        });
}

void add_configuration_options(CLI::App& command, const MeasuringDomains& measuring,
                               CollectOptions& options) {
    auto* from = command.add_option("--from", options.from, "measure the configurations of this file")
                     ->type_name("FILE");
    auto* count = command
                      .add_option("--schedules,--configurations", options.sampled.count,
                                  "number of random configurations for a workload (default 100)")
                      ->type_name("N")
                      ->check(whole_numbers(0, 1'000'000));
    auto* sampler = add_sampler_option(command, measuring, options.sampled.sampler);
    from->excludes(count, sampler);
    command
        .add_option("--search", options.searched,
                    "search by measured times until N are measured for a\nworkload")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000))
        ->excludes(from, count, sampler, command.get_option("--again"));
}

} // namespace

void add_collect_command(CLI::App& app, Session& session, const MeasuringDomains& measuring) {
    CLI::App& command = add_command(app, "collect", "Measure configurations on this computer", collect_help);
    const auto options = std::make_shared<CollectOptions>();
    options->request.threads = available_threads();
    add_workloads_options(command, options->workloads, "names, separated by commas, or all (default)");
    auto* const model = command
                            .add_option("--for", options->model,
                                        "measure the workloads that this gray box learns most\nfrom, see "
                                        "advise")
                            ->type_name("MODEL");
    command.add_option("--most", options->advised, "with --for, at most N workloads (default 5)")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000))
        ->needs(model);
    add_setting_options(command, session.domains, options->setting);
    command.add_flag("--again", options->request.again,
                     "measure stored configurations again, and replace their times");
    add_configuration_options(command, measuring, *options);
    add_threads_option(command, options->request.threads,
                       "threads to run on; overrides the configurations\n(default: all)");
    add_protocol_option(command, options->request.protocol);
    add_parsed_option(command, "--budget", options->request.budget, &parse_duration,
                      "stop after this time: 90s, 10m, 1h30m")
        ->type_name("TIME");
    add_parsed_option(command, "--max-bytes", options->request.most_bytes, &parse_bytes,
                      "refuse configurations that need more memory (default 2G)")
        ->type_name("SIZE");
    add_progress_option(command, options->progress);
    set_job(command, session, "collect", options->progress, WorkspaceUse::Write,
            [&measuring, options](const Job& job) { return collect_measurements(job, measuring, *options); });
}

} // namespace sparsight

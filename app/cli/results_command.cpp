#include "cli/results_command.h"

#include "base/files.h"
#include "base/optional_json.h"
#include "base/quantity.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "cli/commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "study/measurement.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>
#include <variant>

namespace sparsight {

namespace {

std::string number_text(const std::optional<double>& value, int decimals) {
    return value ? fmt::format("{:.{}f}", *value, decimals) : "";
}

/// Of a run that was abandoned no more is known than that it takes longer.
std::string median_text(const ResultRecord& result) {
    return (result.status == MeasurementStatus::GaveUp ? "> " : "") + number_text(result.median_ms, 4);
}

/// The same in a sentence of two times: "abandoned after 12.0000", then "3.1000".
std::string time_text(const ResultRecord& result) {
    return (result.status == MeasurementStatus::GaveUp ? "abandoned after " : "") +
           number_text(result.median_ms, 4);
}

std::string_view change_mark(const ChangedTime& change) {
    if (change.is_at_least())
        return "> ";
    if (change.is_at_most())
        return "< ";
    return change.significance == Significance::WithinNoise ? "~" : "";
}

std::string noise_word(Significance significance) {
    switch (significance) {
    case Significance::BeyondNoise:
        return "beyond";
    case Significance::WithinNoise:
        return "within";
    case Significance::NoiseUnknown:
        return "unknown";
    }
    return "";
}

/// "~1.02", "1.24 ± 0.10" where it is uncertain, "1.24*" of another one than the listed one
std::string turns_text(const FastestInTurns& fastest, const ResultRecord& listed) {
    return fmt::format("{}{:.2f}{}{}", fastest.verdict() == Verdict::WithinNoise ? "~" : "", fastest.speedup,
                       fastest.is_uncertain() ? fmt::format(" ± {:.2f}", *fastest.margin) : "",
                       fastest.configuration == listed.configuration ? "" : "*");
}

/// Empty where the listed one wins.
std::string turns_sentence(const FastestInTurns& fastest, const ResultRecord& listed,
                           const DomainWords& words) {
    if (fastest.verdict() != Verdict::Faster)
        return fmt::format(
            "In turns, there is no clear winner on {}: no {} beats {} beyond noise. First comes "
            "`{}`.\n",
            listed.workload, words.configuration.one, words.baseline->one, fastest.configuration);
    return fastest.configuration == listed.configuration
               ? std::string()
               : fmt::format("In turns, another {} is the fastest on {}: `{}`.\n", words.configuration.one,
                             listed.workload, fastest.configuration);
}

template <typename Member>
bool varies(const std::vector<ResultRecord>& results, Member member) {
    return std::ranges::any_of(
        results, [&](const ResultRecord& result) { return result.*member != results.front().*member; });
}

} // namespace

std::string results_text(const Domain& domain, const std::vector<ResultRecord>& results,
                         const std::vector<std::optional<FastestInTurns>>& in_turns) {
    const DomainWords& words = domain.words();
    const bool has_turns =
        words.baseline && std::ranges::any_of(in_turns, [](const auto& each) { return each.has_value(); });
    const bool several_machines = varies(results, &ResultRecord::machine);
    const bool several_protocols = varies(results, &ResultRecord::protocol);
    const bool several_conditions = varies(results, &ResultRecord::condition);
    const bool several_threads = varies(results, &ResultRecord::threads);
    std::vector<Table::Column> columns{{words.workload.one}};
    for (const SettingMember& member : domain.members(results.front().setting)) {
        const bool is_number = !std::holds_alternative<std::string>(member.value);
        columns.push_back({member.key, is_number ? Align::Right : Align::Left});
    }
    if (several_machines)
        columns.push_back({"machine"});
    if (several_protocols)
        columns.push_back({"protocol"});
    if (several_conditions)
        columns.push_back({"condition"});
    const bool has_references = words.baseline && varies(results, &ResultRecord::reference_ms);
    if (several_threads)
        columns.push_back({"threads", Align::Right});
    columns.push_back({"median ms", Align::Right});
    columns.push_back({"± ms", Align::Right});
    if (has_references) // the speedup is over this
        columns.push_back({words.baseline->one + " then", Align::Right});
    if (words.baseline)
        columns.push_back({"speedup", Align::Right});
    if (has_turns)
        columns.push_back({"in turns", Align::Right});
    columns.push_back({"size", Align::Right});
    columns.push_back({"status"});
    const std::vector<std::string> names = nicknames_of(domain, results);
    columns.push_back({words.configuration.one});
    if (!names.empty())
        columns.push_back({"code"});
    Table table(std::move(columns));
    for (std::size_t each = 0; each < results.size(); ++each) {
        const ResultRecord& result = results[each];
        std::vector<std::string> cells{result.workload};
        for (const SettingMember& member : domain.members(result.setting))
            cells.push_back(member_text(member));
        if (several_machines)
            cells.push_back(result.machine);
        if (several_protocols)
            cells.push_back(result.protocol);
        if (several_conditions)
            cells.push_back(result.condition);
        if (several_threads)
            cells.push_back(fmt::to_string(result.threads));
        cells.push_back(median_text(result));
        cells.push_back(number_text(result.spread_ms, 4));
        if (has_references)
            cells.push_back(number_text(result.reference_ms, 4));
        if (words.baseline)
            cells.push_back((is_speedup_in_noise(result) ? "~" : "") + number_text(result.speedup, 2));
        if (has_turns)
            cells.push_back(in_turns[each] ? turns_text(*in_turns[each], result) : "");
        cells.push_back(result.bytes == 0 ? "?" : format_bytes(result.bytes));
        cells.emplace_back(shown_status(result));
        if (!names.empty())
            cells.push_back(names[each]);
        cells.push_back(result.configuration);
        table.add_row(std::move(cells));
    }
    if (!has_turns)
        return table.text();
    std::string text =
        table.text() +
        fmt::format("\"speedup\" is of times collected one after the other. \"in turns\" is of "
                    "the fastest {} when an evaluation measured the best again in turns, as "
                    "`evaluate` prints. *: it is another one, named below.\n",
                    words.configuration.one);
    for (std::size_t each = 0; each < results.size(); ++each)
        if (in_turns[each])
            text += turns_sentence(*in_turns[each], results[each], words);
    return text;
}

std::string changes_text(const Domain& domain, const TimeChanges& changes) {
    std::string text = changes_sentence(domain, changes) + "\n";
    if (changes.times.empty())
        return text;
    const DomainWords& words = domain.words();
    std::vector<Table::Column> columns{{words.workload.one}};
    for (const SettingMember& member : domain.members(changes.times.front().later.setting)) {
        const bool is_number = !std::holds_alternative<std::string>(member.value);
        columns.push_back({member.key, is_number ? Align::Right : Align::Left});
    }
    columns.insert(columns.end(), {{"machine"},
                                   {"earlier ms", Align::Right},
                                   {"later ms", Align::Right},
                                   {"change", Align::Right},
                                   {"noise"},
                                   {words.configuration.one}});
    std::vector<ResultRecord> later;
    for (const ChangedTime& change : changes.times)
        later.push_back(change.later);
    const std::vector<std::string> names = nicknames_of(domain, later);
    if (!names.empty())
        columns.push_back({"code"});
    Table table(std::move(columns));
    for (std::size_t each = 0; each < changes.times.size(); ++each) {
        const ChangedTime& change = changes.times[each];
        std::vector<std::string> cells{change.later.workload};
        for (const SettingMember& member : domain.members(change.later.setting))
            cells.push_back(member_text(member));
        cells.insert(cells.end(),
                     {change.later.machine, time_text(change.earlier), time_text(change.later),
                      fmt::format("{}{:+.1f} %", change_mark(change), 100 * (change.ratio() - 1)),
                      noise_word(change.significance)});
        if (!names.empty())
            cells.push_back(names[each]);
        cells.push_back(change.later.configuration);
        table.add_row(std::move(cells));
    }
    return text + table.text();
}

namespace {

/// Why no domain that has this part of a setting takes the value; empty where one does.
std::string value_error(const DomainRegistry& domains, const std::string& part, const std::string& value) {
    std::string error;
    for (const Domain* const domain : domains.all()) {
        if (std::ranges::find(domain->setting_options(), part, &SettingOption::name) ==
            domain->setting_options().end())
            continue;
        const auto setting = domain->setting_of({{part, value}});
        if (setting)
            return {};
        error = setting.error().message;
    }
    return error;
}

} // namespace

void add_filter_options(CLI::App& command, const DomainRegistry& domains, ResultsOptions& options) {
    std::map<std::string, std::string> parts; // of any domain's settings, with their help
    for (const Domain* const domain : domains.all())
        for (const SettingOption& option : domain->setting_options())
            parts.try_emplace(option.name, option.help);
    add_domain_option(command, domains, options.domain);
    command.add_option("--workload,--matrix", options.filter.workload, "only this workload")
        ->type_name("NAME");
    command
        .add_option("--machine", options.filter.machine,
                    "only this machine: its name, a unique beginning of it,\nor its fingerprint")
        ->type_name("NAME");
    for (const auto& [part, help] : parts)
        command.add_option("--" + part, options.filter.members[part], "show only this: " + help)
            ->type_name("VALUE")
            ->check([&domains, part = part](const std::string& value) {
                return value_error(domains, part, value);
            });
    command
        .add_option("--protocol", options.filter.protocol,
                    "only this protocol: adaptive, waco, simulated or recorded")
        ->type_name("PROTOCOL");
}

namespace {

/// The domain that is meant, and the filter in its words.
Result<std::pair<const Domain*, ResultsFilter>>
chosen_results(Workspace& workspace, const DomainRegistry& domains, const ResultsOptions& options) {
    const auto domain = choose_domain(workspace, domains, options.domain);
    if (!domain)
        return std::unexpected(domain.error());
    ResultsFilter filter = options.filter;
    std::erase_if(filter.members, [](const auto& member) { return member.second.empty(); });
    if (!filter.members.empty()) {
        if (auto checked = check_options(**domain, filter.members); !checked)
            return std::unexpected(std::move(checked).error());
        // The domain says what it makes of them: "SPMM" is spmm, and SpMV has no other extent than 1.
        const auto setting = (*domain)->setting_of(filter.members);
        if (!setting)
            return std::unexpected(setting.error());
        for (const SettingMember& member : (*domain)->members(*setting))
            if (const auto wanted = filter.members.find(member.key); wanted != filter.members.end())
                wanted->second = member_text(member);
    }
    return std::pair(*domain, std::move(filter));
}

} // namespace

Result<SelectedResults> select_results(Workspace& workspace, const DomainRegistry& domains,
                                       const ResultsOptions& options) {
    const auto chosen = chosen_results(workspace, domains, options);
    if (!chosen)
        return std::unexpected(chosen.error());
    auto results = find_results(workspace, *chosen->first, chosen->second);
    if (!results)
        return std::unexpected(std::move(results).error());
    return SelectedResults{chosen->first, *std::move(results)};
}

namespace {

constexpr CommandHelp listed_results_help{.description = R"(
Lists measurements, sorted by workload, the fastest first. The speedup is over the
baseline (fixed CSR for matrices) at that moment, on the same workload, machine,
setting, protocol and number of threads. It decides which one is the fastest, because
a drift of the computer between two moments cancels in it; without speedups the median
decides. ~ marks a speedup that may be noise: the times of both differ by no more than
their spreads. Medians of different protocols are not comparable: --protocol picks one.
With --best, "in turns" is the speedup of the fastest when an evaluation measured the
best again in turns. It may be another configuration than the one that is listed. ~
marks one that differs from the baseline by no more than the noise of its turns. ± is
half of its 95 % interval where it is uncertain by more than 6 %.

Status: measured; recorded (imported with its time); simulated (see
`simulate-runtimes`); gave up (abandoned after three first runs that were far slower
than the best; the median is a lower bound, shown as "> 12"); too large (its predicted
storage exceeds the limits); mismatch (the result was wrong); failed.

--changes compares times that were measured again with the times that they replaced. A
change is beyond noise if the times differ by more than both spreads. The noise is
unknown if a time has no spread. A run that was abandoned takes at least as long as
shown, so its change is a bound: > at least, < at most. Bounds are listed only where
there are no two times. The overall change has a 95 % interval over families of
workloads (forms of one are a family). It needs three families, whose times are of one
machine and one setting.)",
                                          .examples = R"(
sparsight-cli results --best
sparsight-cli results --matrix cage8 --operator spmm --dense 256
sparsight-cli results --csv results.csv
sparsight-cli results --changes --matrix cage8
sparsight-cli results --since 2026-11-24T13:00Z
sparsight-cli results --domain records --best
sparsight-cli results --json | jq -r '.[] | [.matrix, .median_ms, .schedule] | @tsv')",
                                          .json = R"(
[{"matrix", "machine", "operator", "dense", "schedule", "nickname", "status",
  "median_ms", "spread_ms", "speedup_over_fixed_csr", "bytes"}]
Other domains have their own words: of records "workload", "space", "configuration",
and "condition" where a run is named.
With --best also "in_turns": {"schedule", "speedup", "margin"}, as the text says.
Times are null where there is none, the speedup unless both were measured, bytes
where only the runtime is known (imported). Of those abandoned median_ms is a lower bound.
With --changes: {"compared", "beyond_noise", "noise_unknown", "given_up",
  "given_up_before", "failed", "overall_ratio", "overall_interval", "changes": [{…,
  "machine_fingerprint", "earlier", "earlier_ms", "earlier_spread_ms",
  "earlier_status", "later", "later_ms", "later_spread_ms", "ratio", "status",
  "beyond_noise", "significance"}]}
significance: beyond_noise, within_noise, noise_unknown. failed counts those without a
time any more. given_up counts those timed before and abandoned now, given_up_before
the reverse; their ratios are bounds. overall_ratio leaves these out. It is the mean
over workloads, and overall_interval its 95 % interval. Both are null below three
families and where the times are of several machines or settings.)"};

Result<void> write_results(const Session& session, const Domain& domain,
                           const std::vector<ResultRecord>& results, const std::string& file) {
    auto written = write_whole_file(file, results_csv(domain, results));
    if (written && !session.options.json)
        session.remark(fmt::format("wrote {} to {}", counted(results.size(), "result", "results"), file));
    return written;
}

/// Of what has no time any more, which is listed without one and is never the best; and of times that can't
/// be compared.
void tell_doubts(const Session& session, const std::vector<ResultRecord>& results) {
    for (const std::string& sentence : {damaged_sentence(results), mixed_engines_sentence(results)})
        if (!sentence.empty())
            session.remark(sentence);
}

struct ShowOptions {
    ResultsOptions asked;
    bool best = false;
    std::string csv;
    bool changes = false;
    std::string since;
};

ExitCode show_changes(Session& session, Workspace& workspace, const ShowOptions& options) {
    const auto chosen = chosen_results(workspace, session.domains, options.asked);
    if (!chosen)
        return session.refuse(chosen.error());
    const auto& [domain, filter] = *chosen;
    const auto changes = find_changed_times(workspace, *domain, filter, options.since);
    if (!changes)
        return session.refuse(changes.error());
    session.answer(changes_json(*domain, *changes), changes_text(*domain, *changes));
    return ExitCode::Done;
}

Json with_turns(Json results, const std::vector<std::optional<FastestInTurns>>& in_turns,
                const DomainWords& words) {
    for (std::size_t each = 0; each < in_turns.size(); ++each)
        if (const auto& fastest = in_turns[each])
            results[each]["in_turns"] = {{words.configuration.one, fastest->configuration},
                                         {"speedup", fastest->speedup},
                                         {"margin", json_or_null(fastest->margin)}};
    return results;
}

ExitCode show(Session& session, Workspace& workspace, const ShowOptions& options) {
    if (options.changes || !options.since.empty())
        return show_changes(session, workspace, options);
    auto asked = select_results(workspace, session.domains, options.asked);
    if (!asked)
        return session.refuse(asked.error());
    const Domain& domain = *asked->domain;
    tell_doubts(session, asked->results);
    if (options.best)
        asked->results = best_results(asked->results);
    const std::vector<ResultRecord>& results = asked->results;
    if (!options.csv.empty())
        if (const auto written = write_results(session, domain, results, options.csv); !written)
            return session.refuse(written.error());
    std::vector<std::optional<FastestInTurns>> in_turns;
    if (options.best) {
        auto found = fastest_in_turns(workspace, domain, results);
        if (!found)
            return session.refuse(found.error());
        in_turns = *std::move(found);
    }
    if (session.options.json)
        session.print_json(with_turns(results_json(domain, results), in_turns, domain.words()));
    else if (results.empty())
        session.remark("there are no such results");
    else if (options.csv.empty())
        session.print(results_text(domain, results, in_turns));
    return ExitCode::Done;
}

} // namespace

void add_results_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, "results", "Show measurements", listed_results_help);
    const auto options = std::make_shared<ShowOptions>();
    add_filter_options(command, session.domains, options->asked);
    command.add_flag("--best", options->best, "only the fastest configuration of each workload and setting");
    auto* const csv =
        command.add_option("--csv", options->csv, "write the results as CSV, with protocol, reason and date")
            ->type_name("FILE");
    command
        .add_flag("--changes", options->changes,
                  "compare times that were measured again with the times\nthat they replaced")
        ->excludes(csv);
    command
        .add_option("--since", options->since,
                    "compare times since this date (UTC) with the newest\nearlier times")
        ->type_name("DATE")
        ->excludes(csv);
    set_action(command, session, WorkspaceUse::Read,
               [&session, options](Workspace& workspace) { return show(session, workspace, *options); });
}

namespace {

constexpr CommandHelp export_help{.description = R"(
Writes what is in the workspace into files that other programs read. A file is
replaced as a whole, or stays as it was if anything fails.)",
                                  .examples = R"(
sparsight-cli export matrix cage8 cage8.mtx
sparsight-cli export waco exported --machine 'Xeon E5-2680 v3' --operator spmm
sparsight-cli export results results.csv --operator spmm)",
                                  .json = {}};

constexpr CommandHelp exported_results_help{
    .description = R"(
Writes measurements as CSV with a header line. The columns for matrices are: matrix,
machine, operator, dense, protocol, schedule, status, median_ms, spread_ms,
speedup_over_fixed_csr, bytes, reason, measured (when, UTC), nickname. Other domains
have their own words.)",
    .examples = R"(sparsight-cli export results results.csv --matrix cage8 --protocol adaptive)",
    .json = R"({"file", "results": NUMBER})"};

struct ResultsExport {
    std::string file;
    ResultsOptions asked;
};

ExitCode export_results(Session& session, Workspace& workspace, const ResultsExport& request) {
    const auto asked = select_results(workspace, session.domains, request.asked);
    if (!asked)
        return session.refuse(asked.error());
    tell_doubts(session, asked->results);
    if (const auto written = write_results(session, *asked->domain, asked->results, request.file); !written)
        return session.refuse(written.error());
    if (session.options.json)
        session.print_json({{"file", request.file}, {"results", asked->results.size()}});
    return ExitCode::Done;
}

void add_export_results(CLI::App& parent, Session& session) {
    CLI::App& command = add_command(parent, "results", "Write measurements as CSV", exported_results_help);
    const auto request = std::make_shared<ResultsExport>();
    command.add_option("file", request->file, "the CSV file")->type_name("FILE")->required();
    add_filter_options(command, session.domains, request->asked);
    set_action(command, session, WorkspaceUse::Read, [&session, request](Workspace& workspace) {
        return export_results(session, workspace, *request);
    });
}

} // namespace

void add_export_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, "export", "Write results and matrices into files", export_help);
    command.require_subcommand(1);
    add_export_results(command, session);
}

} // namespace sparsight

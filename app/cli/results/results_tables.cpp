#include "cli/results/results_tables.h"

#include "base/milliseconds.h"
#include "base/quantity.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "study/measurement.h"
#include "workflow/chosen_setting.h"

#include <algorithm>
#include <fmt/format.h>
#include <variant>

namespace sparsight {

namespace {

std::string milliseconds_text(const std::optional<double>& value) {
    return value ? format_milliseconds(*value) : "";
}

std::string spread_text(const ResultRecord& result) {
    return result.spread_ms ? format_spread(*result.spread_ms, result.median_ms.value_or(0)) : "";
}

/// Of a run that was abandoned no more is known than that it takes longer.
std::string median_text(const ResultRecord& result) {
    return (result.status == MeasurementStatus::GaveUp ? "> " : "") + milliseconds_text(result.median_ms);
}

/// The same in a sentence of two times: "abandoned after 12.00", then "3.100".
std::string time_text(const ResultRecord& result) {
    return (result.status == MeasurementStatus::GaveUp ? "abandoned after " : "") +
           milliseconds_text(result.median_ms);
}

std::string_view change_mark(const ChangedTime& change) {
    if (change.is_at_least())
        return "> ";
    if (change.is_at_most())
        return "< ";
    return change.significance == Significance::WithinNoise ? "~" : "";
}

std::string noise_word(const ChangedTime& change) {
    if (change.is_of_two_engines())
        return "other version";
    switch (change.significance) {
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
        return fmt::format("In turns, there is no clear winner on {}: no {} is known to beat {}. First comes "
                           "`{}`.\n",
                           listed.workload, words.configuration.one, words.baseline->one,
                           fastest.configuration);
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
        cells.push_back(spread_text(result));
        if (has_references)
            cells.push_back(milliseconds_text(result.reference_ms));
        if (words.baseline)
            cells.push_back((is_speedup_in_noise(result) ? "~" : "") +
                            (result.speedup ? fmt::format("{:.2f}", *result.speedup) : ""));
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
                      noise_word(change)});
        if (!names.empty())
            cells.push_back(names[each]);
        cells.push_back(change.later.configuration);
        table.add_row(std::move(cells));
    }
    return text + table.text();
}

} // namespace sparsight

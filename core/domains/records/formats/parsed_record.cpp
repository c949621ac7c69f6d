#include "domains/records/formats/parsed_record.h"

#include "base/reading/csv_table.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <utility>

namespace sparsight {
namespace {

bool has_control_characters(std::string_view text) {
    return std::ranges::any_of(text,
                               [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
}

/// What no reader may hand on; empty where all is well.
std::string flaw_of(const ParsedRecord& record) {
    for (const std::string* const name :
         {&record.space, &record.variant, &record.workload, &record.machine, &record.run})
        if (has_control_characters(*name))
            return fmt::format("the name {} has control characters", quoted_excerpt(*name));
    if (record.workload.empty())
        return "the workload has no name";
    if (record.machine.empty())
        return "the machine has no name";
    if (record.decisions.empty())
        return "the configuration has no decision";
    std::vector<std::string_view> names;
    for (const auto& [name, value] : record.decisions) {
        if (!is_decision_name(name) || has_control_characters(name))
            return fmt::format("{} cannot be the name of a decision: it is empty, or has white space, '=' or "
                               "'\"' in it",
                               quoted_excerpt(name));
        if (value.empty())
            return fmt::format("the decision {} has no value", name);
        if (has_control_characters(value))
            return fmt::format("the decision {} has control characters in its value", name);
        names.push_back(name);
    }
    std::ranges::sort(names);
    if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
        return fmt::format("the decision {} occurs twice", *twice);
    if (record.status == MeasurementStatus::Measured &&
        (!(record.median_ms > 0) || !std::isfinite(record.median_ms)))
        return fmt::format("found a time of {} ms, expected one above 0", record.median_ms);
    return {};
}

} // namespace

void ParsedRecord::set_times(std::vector<double> times_ms) {
    status = MeasurementStatus::Measured;
    reason.clear();
    spread_ms = 0;
    repeats = static_cast<int>(
        std::min<std::size_t>(times_ms.size(), static_cast<std::size_t>(std::numeric_limits<int>::max())));
    const auto count = static_cast<double>(times_ms.size());
    const double mean = std::accumulate(times_ms.begin(), times_ms.end(), 0.0) / count;
    double squares = 0;
    for (const double time : times_ms)
        squares += (time - mean) * (time - mean);
    if (times_ms.size() > 1)
        spread_ms = std::sqrt(squares / (count - 1));
    std::vector<Milliseconds> times;
    times.reserve(times_ms.size());
    for (const double time : times_ms)
        times.emplace_back(time);
    median_ms = times.empty() ? 0 : median_of(std::move(times)).count();
}

void ParsedRecord::set_failure(std::string_view why) {
    status = MeasurementStatus::Failed;
    reason = why;
    std::ranges::replace_if(
        reason, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
    reason = std::string(trimmed(reason));
    median_ms = spread_ms = 0;
}

void ParsedSource::add_problem(std::int64_t line, std::string message) {
    problems_.add({Fault::Input, std::move(message), file_, line});
}

Result<bool> ParsedSource::next(RecordRow& row) {
    for (;;) {
        const auto has_record = read(record_);
        if (!has_record || !*has_record)
            return has_record;
        for (std::string* const name : {&record_.workload, &record_.machine, &record_.run})
            *name = std::string(trimmed(*name));
        std::string flaw = flaw_of(record_);
        if (flaw.empty())
            break;
        add_problem(record_.line, std::move(flaw));
    }
    names_.clear();
    values_.clear();
    for (const auto& [name, value] : record_.decisions) {
        names_.push_back(name);
        values_.push_back(value);
    }
    row = {.space = record_.space,
           .variant = record_.variant,
           .workload = record_.workload,
           .machine = record_.machine,
           .run = record_.run,
           .decisions = names_,
           .values = values_,
           .status = record_.status,
           .reason = record_.reason,
           .median = Milliseconds(record_.median_ms),
           .spread = Milliseconds(record_.spread_ms),
           .repeats = record_.repeats,
           .line = record_.line};
    return true;
}

Result<bool> JsonRecords::read(ParsedRecord& record) {
    for (;;) {
        const auto has_more = find_next(stream_);
        if (!has_more || !*has_more)
            return has_more;
        const auto text = stream_.take();
        if (!text && may_be_cut_off() && stream_.has_ended()) {
            add_problem(text.error().line, text.error().message);
            return false;
        }
        if (!text)
            return std::unexpected(text.error());
        const auto value = parse_json(*text);
        if (!value) {
            add_problem(value.error().line, value.error().message);
            continue;
        }
        record = {};
        record.line = text->line;
        std::string flaw = fill(record, *value);
        if (flaw.empty())
            return true;
        add_problem(text->line, std::move(flaw));
    }
}

} // namespace sparsight

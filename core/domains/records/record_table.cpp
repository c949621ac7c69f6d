#include "domains/records/record_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace sparsight {
namespace {

constexpr std::string_view time_column = "time_ms";
constexpr std::array<std::string_view, 3> workload_columns{"workload", "wid", "task_id"};
/// What stands before the times and is no decision.
constexpr std::array<std::string_view, 8> other_columns{
    "mean_ms", "machine", "run", "template", "config_index", "backend", "args_json", "heldout_because"};
constexpr char separator = '\x1f';

/// "gemm4096" of "tables/gemm4096.csv.xz".
std::string stem_of(const std::string& file) {
    const std::string name = std::filesystem::path(file).filename().string();
    return name.substr(0, name.find('.'));
}

/// Absent for what is no number.
template <typename Number>
std::optional<Number> parsed(std::string_view text) {
    Number value{};
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::unexpected<Error> in_table(const CsvTable& table, std::string message) {
    return fail_in_file(Fault::Input, table.file(), 1, std::move(message));
}

} // namespace

Measurement measurement_of(const RecordRow& row) {
    Measurement measurement;
    measurement.status = row.status;
    measurement.median = row.median;
    measurement.spread = row.spread;
    // As of all imported times whose spread is not known.
    measurement.repeats = row.spread.count() > 0 ? row.repeats : 0;
    measurement.reason = row.reason;
    return measurement;
}

Setting record_setting(std::string_view space, std::string_view variant) {
    return {std::string(records_domain),
            variant.empty() ? std::string(space) : fmt::format("{}/{}", space, variant)};
}

void RecordProblems::add(Error error) {
    ++count;
    if (first.size() < most_kept)
        first.push_back(std::move(error));
}

Result<RecordReader> RecordReader::open(const std::filesystem::path& path,
                                        const RecordTableOptions& options) {
    auto table = CsvTable::open(path);
    if (!table)
        return std::unexpected(std::move(table).error());
    return of_table(*std::move(table), options);
}

Result<RecordReader> RecordReader::of_text(const std::string& name, std::string_view text,
                                           const RecordTableOptions& options) {
    auto table = CsvTable::of_text(name, text);
    if (!table)
        return std::unexpected(std::move(table).error());
    return of_table(*std::move(table), options);
}

Result<RecordReader> RecordReader::of_table(CsvTable table, const RecordTableOptions& options) {
    RecordReader reader(std::move(table));
    reader.space_ = options.space.empty() ? stem_of(reader.table_.file()) : options.space;
    if (reader.space_.empty())
        return in_table(reader.table_,
                        "the space has no name: the file's name gives none, and none was given");
    reader.machine_ = options.machine;
    if (auto found = reader.find_columns(options); !found)
        return std::unexpected(std::move(found).error());
    return reader;
}

Result<void> RecordReader::find_columns(const RecordTableOptions& options) {
    const auto time = table_.column(time_column);
    if (!time)
        return in_table(table_, "there is no column time_ms, expected the time of each line in milliseconds");
    columns_.time = *time;
    const auto* const named = std::ranges::find_if(
        workload_columns, [&](std::string_view name) { return table_.column(name).has_value(); });
    if (named == workload_columns.end())
        return in_table(table_, "no column names the workload, expected one of: workload, wid, task_id");
    columns_.workload = *table_.column(*named);
    columns_.is_id = named != workload_columns.begin();
    columns_.machine = table_.column("machine");
    if (!columns_.machine && machine_.empty())
        return in_table(table_,
                        "there is no column machine, and no name of a machine was given for the table");
    columns_.run = table_.column("run");
    columns_.variant = table_.column("template");
    columns_.spread = table_.column("std_ms");
    columns_.repeats = table_.column("n_rep");
    columns_.status = table_.column("status");

    decisions_ = options.decisions;
    if (decisions_.empty())
        for (std::size_t i = 0; i < columns_.time; ++i)
            if (const std::string& name = table_.columns()[i];
                i != columns_.workload && i != columns_.status && i != columns_.spread &&
                i != columns_.repeats &&
                std::ranges::find(workload_columns, name) == workload_columns.end() &&
                std::ranges::find(other_columns, name) == other_columns.end())
                decisions_.push_back(name);
    if (decisions_.empty())
        return in_table(table_, "no column before time_ms holds a decision; name the columns that do");
    for (const std::string& name : decisions_) {
        const auto column = table_.column(name);
        if (!column)
            return in_table(table_, fmt::format("there is no column {}, which is needed for a decision",
                                                quoted_excerpt(name)));
        if (column == columns_.time || column == columns_.workload || column == columns_.machine ||
            column == columns_.run || column == columns_.variant || column == columns_.spread ||
            column == columns_.repeats || column == columns_.status)
            return in_table(table_, fmt::format("the column {} cannot be a decision: it says what was run, "
                                                "where, or how long it took",
                                                quoted_excerpt(name)));
        if (!is_decision_name(name))
            return in_table(table_, fmt::format("the column {} cannot be a decision: its name has white "
                                                "space, '=' or '\"' in it",
                                                quoted_excerpt(name)));
        if (std::ranges::find(columns_.decisions, *column) != columns_.decisions.end())
            return in_table(table_, fmt::format("the decision {} is named twice", name));
        columns_.decisions.push_back(*column);
    }
    values_.resize(decisions_.size());
    return {};
}

Result<bool> RecordReader::next(RecordRow& row) {
    for (;;) {
        const auto has_line = table_.next();
        if (!has_line || !*has_line)
            return has_line;
        if (table_.defect()) {
            problems_.add(*table_.defect());
            continue;
        }
        auto filled = fill(row);
        if (filled)
            return true;
        problems_.add(std::move(filled).error());
    }
}

Result<void> RecordReader::fill(RecordRow& row) {
    const auto refuse = [&](std::size_t column, std::string_view expected) {
        return std::unexpected(table_.unexpected_field(column, expected));
    };
    const auto field_of = [&](const std::optional<std::size_t>& column) {
        return column ? table_.field(*column) : std::string_view();
    };
    row.line = table_.line();
    row.workload = table_.field(columns_.workload);
    if (row.workload.empty())
        return refuse(columns_.workload, "the name of a workload");
    if (columns_.is_id) {
        workload_.assign(space_).append(1, ':').append(row.workload);
        row.workload = workload_;
    }
    row.machine = columns_.machine ? table_.field(*columns_.machine) : std::string_view(machine_);
    if (row.machine.empty())
        return refuse(*columns_.machine, "the name of a machine");
    row.run = field_of(columns_.run);
    row.variant = field_of(columns_.variant);

    bool has_value = false;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        values_[i] = table_.field(columns_.decisions[i]);
        has_value = has_value || !values_[i].empty();
    }
    if (!has_value)
        return refuse(columns_.decisions.front(), "a value, because all decisions of the line are empty");
    row.values = values_;

    row.median = row.spread = Milliseconds(0);
    row.repeats = 1;
    row.reason = field_of(columns_.status);
    const bool is_ok = std::ranges::equal(row.reason, std::string_view("ok"), {},
                                          [](char c) { return c == 'O' || c == 'K' ? c - 'A' + 'a' : c; }) ||
                       row.reason.empty();
    row.status = is_ok ? MeasurementStatus::Measured : MeasurementStatus::Failed;
    if (row.status == MeasurementStatus::Failed)
        return {};
    row.reason = {};
    const auto median = parsed<double>(table_.field(columns_.time));
    if (median && std::isinf(*median) && *median > 0) {
        row.status = MeasurementStatus::Failed;
        row.reason = "recorded as a run that failed (inf)";
        return {};
    }
    if (!median || !(*median > 0) || !std::isfinite(*median))
        return refuse(columns_.time, "milliseconds above 0, or another status than ok");
    row.median = Milliseconds(*median);
    if (const std::string_view text = field_of(columns_.spread); !text.empty()) {
        const auto spread = parsed<double>(text);
        if (!spread || !(*spread >= 0) || !std::isfinite(*spread))
            return refuse(*columns_.spread, "milliseconds of 0 or more, or nothing");
        row.spread = Milliseconds(*spread);
    }
    if (const std::string_view text = field_of(columns_.repeats); !text.empty()) {
        const auto repeats = parsed<int>(text);
        if (!repeats || *repeats < 0)
            return refuse(*columns_.repeats, "a whole number of repeats, or nothing");
        row.repeats = *repeats;
    }
    return {};
}

Result<FactSheet> FactSheet::read(CsvTable table, std::span<const std::string_view> keys) {
    const auto named =
        std::ranges::find_if(keys, [&](std::string_view name) { return table.column(name).has_value(); });
    if (named == keys.end())
        return in_table(table, fmt::format("no column names what the lines describe, expected {}{}",
                                           keys.size() > 1 ? "one of: " : "", fmt::join(keys, ", ")));
    const std::size_t key = *table.column(*named);
    FactSheet sheet;
    sheet.names_.assign(table.columns().begin(), table.columns().end());
    sheet.names_.erase(sheet.names_.begin() + static_cast<std::ptrdiff_t>(key));
    for (;;) {
        const auto has_line = table.next();
        if (!has_line)
            return std::unexpected(has_line.error());
        if (!*has_line)
            return sheet;
        if (table.defect()) {
            sheet.problems_.add(*table.defect());
            continue;
        }
        const std::string_view name = table.field(key);
        if (name.empty() || sheet.lines_.contains(std::string(name))) {
            sheet.problems_.add(table.unexpected_field(
                key, name.empty() ? "a name" : "a name that no earlier line of the sheet has"));
            continue;
        }
        std::string facts;
        for (std::size_t i = 0; i < table.columns().size(); ++i)
            if (i != key)
                facts.append(table.field(i)).append(1, separator);
        sheet.lines_.emplace(name, std::move(facts));
    }
}

std::optional<std::vector<FactSheet::Fact>> FactSheet::find(std::string_view name) const {
    auto found = lines_.find(std::string(name));
    if (const std::size_t colon = name.find(':'); found == lines_.end() && colon != std::string_view::npos)
        found = lines_.find(std::string(name.substr(colon + 1)));
    if (found == lines_.end())
        return std::nullopt;
    std::vector<Fact> facts;
    std::string_view rest = found->second;
    for (const std::string& fact : names_) {
        const std::string_view text = rest.substr(0, rest.find(separator));
        rest.remove_prefix(text.size() + 1);
        if (!text.empty())
            facts.push_back({fact, std::string(text)});
    }
    return facts;
}

} // namespace sparsight

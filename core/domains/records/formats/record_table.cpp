#include "domains/records/formats/record_table.h"

#include "domains/records/record_space.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

constexpr std::string_view time_column = "time_ms";
constexpr std::array<std::string_view, 3> workload_columns{"workload", "wid", "task_id"};
/// What stands before the times and is no decision.
constexpr std::array<std::string_view, 9> other_columns{"mean_ms",      "machine",   "run",
                                                        "space",        "template",  "backend",
                                                        "config_index", "args_json", "heldout_because"};
constexpr std::array<std::string_view, 3> columns_of_time{"std_ms", "n_rep", "status"};

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

bool is_known_column(std::string_view name) {
    return name == time_column || std::ranges::find(workload_columns, name) != workload_columns.end() ||
           std::ranges::find(other_columns, name) != other_columns.end() ||
           std::ranges::find(columns_of_time, name) != columns_of_time.end();
}

std::string space_of_file(const std::string& file) {
    const std::string name = std::filesystem::path(file).filename().string();
    return name.substr(0, name.find('.'));
}

Result<RecordReader> RecordReader::open(const std::filesystem::path& path, const RecordOptions& options) {
    auto table = CsvTable::open(path);
    if (!table)
        return std::unexpected(std::move(table).error());
    return of_table(*std::move(table), options);
}

Result<RecordReader> RecordReader::of_text(const std::string& name, std::string_view text,
                                           const RecordOptions& options) {
    auto table = CsvTable::of_text(name, text);
    if (!table)
        return std::unexpected(std::move(table).error());
    return of_table(*std::move(table), options);
}

Result<RecordReader> RecordReader::of_table(CsvTable table, const RecordOptions& options) {
    RecordReader reader(std::move(table));
    reader.space_ = options.space.empty() ? space_of_file(reader.table_.file()) : options.space;
    if (reader.space_.empty())
        return in_table(reader.table_,
                        "the space has no name: the file's name gives none, and none was given");
    reader.machine_ = options.machine;
    if (auto found = reader.find_columns(options); !found)
        return std::unexpected(std::move(found).error());
    return reader;
}

Result<void> RecordReader::find_columns(const RecordOptions& options) {
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
    columns_.space = table_.column("space");
    columns_.variant = table_.column("template");
    columns_.spread = table_.column("std_ms");
    columns_.repeats = table_.column("n_rep");
    columns_.status = table_.column("status");

    return find_decisions(options);
}

bool RecordReader::Columns::has_meaning(std::size_t column) const {
    const auto is = [&](const std::optional<std::size_t>& known) { return known == column; };
    return column == workload || column == time || is(machine) || is(run) || is(space) || is(variant) ||
           is(spread) || is(repeats) || is(status);
}

Result<void> RecordReader::find_decisions(const RecordOptions& options) {
    decisions_ = options.decisions;
    if (decisions_.empty())
        for (std::size_t i = 0; i < columns_.time; ++i)
            if (const std::string& name = table_.columns()[i]; !is_known_column(name))
                decisions_.push_back(name);
    if (decisions_.empty())
        return in_table(table_, "no column before time_ms holds a decision; name the columns that do");
    for (const std::string& name : decisions_) {
        const auto column = table_.column(name);
        if (!column)
            return in_table(table_, fmt::format("there is no column {}, which is needed for a decision",
                                                quoted_excerpt(name)));
        if (columns_.has_meaning(*column))
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
    row.line = table_.line();
    row.workload = table_.field(columns_.workload);
    if (row.workload.empty())
        return refuse(columns_.workload, "the name of a workload");
    row.space = columns_.space ? table_.field(*columns_.space) : std::string_view(space_);
    if (row.space.empty())
        return refuse(*columns_.space, "the name of a space of configurations");
    if (columns_.is_id) {
        workload_.assign(row.space).append(1, ':').append(row.workload);
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
    row.decisions = decisions_;
    row.values = values_;
    return fill_time(row);
}

Result<void> RecordReader::fill_time(RecordRow& row) {
    const auto refuse = [&](std::size_t column, std::string_view expected) {
        return std::unexpected(table_.unexpected_field(column, expected));
    };
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

} // namespace sparsight

#include "domains/sparse/explanation/failures/recorded_failures.h"

#include "base/reading/csv_table.h"
#include "base/text.h"
#include "domains/sparse/explanation/failures/decision_effects.h"
#include "domains/sparse/schedule/nickname.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/runtime_tables.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "store/workspace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <unordered_map>

namespace sparsight {

namespace {

constexpr std::array<std::string_view, 4> size_columns{"matrix", "rows", "cols", "nnz"};
using ColumnPlaces = std::array<std::size_t, size_columns.size()>;

std::optional<ColumnPlaces> places_of_columns(const std::string& line) {
    std::vector<std::string> fields;
    if (!split_csv_line(trimmed(line), fields))
        return std::nullopt;
    ColumnPlaces places{};
    for (std::size_t column = 0; column < size_columns.size(); ++column) {
        const auto found = std::ranges::find(fields, size_columns[column],
                                             [](const std::string& field) { return trimmed(field); });
        if (found == fields.end())
            return std::nullopt;
        places[column] = static_cast<std::size_t>(found - fields.begin());
    }
    return places;
}

/// 0 or above, or nothing.
std::optional<std::int64_t> size_in(const std::string& field) {
    const std::string_view text = trimmed(field);
    std::int64_t size = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), size);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() && size >= 0 ? std::optional(size)
                                                                                        : std::nullopt;
}

} // namespace

Result<SizesByMatrix> read_sizes_beside(const std::filesystem::path& table) {
    const std::filesystem::path file = table.parent_path() / "matrices.csv";
    std::ifstream input(file);
    std::string line;
    SizesByMatrix sizes;
    if (!input || !std::getline(input, line))
        return sizes;
    const auto places = places_of_columns(line);
    if (!places)
        return sizes;
    std::vector<std::string> fields;
    for (std::int64_t number = 2; std::getline(input, line); ++number) {
        if (trimmed(line).empty())
            continue;
        const auto size = [&](std::size_t column) {
            return (*places)[column] < fields.size() ? size_in(fields[(*places)[column]]) : std::nullopt;
        };
        const bool is_whole = split_csv_line(trimmed(line), fields) && (*places)[0] < fields.size();
        const auto rows = is_whole ? size(1) : std::nullopt;
        const auto cols = is_whole ? size(2) : std::nullopt;
        const auto nnz = is_whole ? size(3) : std::nullopt;
        if (!rows || !cols || !nnz)
            return fail_in_file(
                Fault::Input, file.string(), number,
                fmt::format(
                    "'{}' has no name with rows, cols and nnz: expected three numbers that are not below 0",
                    trimmed(line)));
        sizes.emplace(trimmed(fields[(*places)[0]]), MatrixSizes{*rows, *cols, *nnz});
    }
    return sizes;
}

namespace {

constexpr std::array<std::string_view, 4> needed_columns{"matrix", "waco_schedule", "waco_ms", "fixedcsr_ms"};

class ChoiceReader {
public:
    ChoiceReader(const std::filesystem::path& file, Operator op)
        : file_(file)
        , op_(op) {}

    Result<RecordedChoices> read() {
        auto file = open_unpacked(file_, ReadLimits{}.unpacked_bytes, table_files);
        if (!file)
            return in_file(0, file.error());
        constexpr std::size_t block_bytes = std::size_t{1} << 18;
        TextBlocks blocks(*file->bytes, block_bytes);
        TextBlock block;
        for (std::int64_t line = 0;;) {
            const auto has_more = blocks.next(block);
            if (!has_more)
                return in_file(has_more.error().line == 0 ? 0 : line + 1, has_more.error());
            if (!*has_more)
                break;
            while (!block.text().empty()) {
                const std::string_view text = trimmed(block.take_line());
                ++line;
                if (const auto read = text.empty() ? Result<void>() : read_line(text, line); !read)
                    return in_file(line, read.error());
            }
        }
        if (!table_)
            return in_file(0, {Fault::Input, fmt::format("this file is empty: {}", expected()), {}, 0});
        return std::move(recorded_);
    }

private:
    static std::string expected() {
        return fmt::format("expected a first line {}", fmt::join(needed_columns, ","));
    }
    [[nodiscard]] std::unexpected<Error> in_file(std::int64_t line, const Error& error) const {
        return fail_in_file(error.fault, file_.string(), line, error.message);
    }

    Result<void> read_line(std::string_view text, std::int64_t line) {
        return table_ ? read_choice(text, line) : read_columns(text);
    }

    Result<void> read_columns(std::string_view text) {
        std::vector<std::string> fields;
        const bool is_whole = split_csv_line(text, fields);
        for (const std::string_view column : needed_columns)
            if (!is_whole || std::ranges::find(fields, column, [](const std::string& field) {
                                 return trimmed(field);
                             }) == fields.end())
                return fail(Fault::Input, fmt::format("there is no column {}: {}", column, expected()));
        auto table = RuntimeTable::with_columns(text, op_);
        if (!table)
            return std::unexpected(std::move(table).error());
        table_ = std::move(*table);
        return {};
    }

    /// A line holds the runtime of the choice and behind it that of fixed CSR, unless that was the choice.
    Result<void> read_choice(std::string_view text, std::int64_t line) {
        runtimes_.clear();
        if (auto read = table_->read(text, line, runtimes_); !read)
            return read;
        const TableRuntime& chosen = runtimes_.front();
        const TableRuntime& csr = runtimes_.back();
        if (const auto [first, is_new] = lines_.try_emplace(chosen.matrix, line); !is_new)
            return fail(Fault::Input, fmt::format("{} stands in line {} already: expected each matrix once",
                                                  chosen.matrix, first->second));
        if (!is_credible(chosen.milliseconds) || !is_credible(csr.milliseconds)) {
            ++recorded_.left_out;
            return {};
        }
        recorded_.choices.push_back({chosen.matrix, chosen.schedule, chosen.milliseconds, csr.milliseconds,
                                     chosen.rows, chosen.cols, 0, line});
        return {};
    }

    static bool is_credible(double milliseconds) {
        return std::isfinite(milliseconds) && milliseconds >= least_credible_ms;
    }

    static constexpr double least_credible_ms = 1e-3;
    const std::filesystem::path& file_;
    Operator op_;
    std::optional<RuntimeTable> table_;
    std::vector<TableRuntime> runtimes_; ///< of a line
    std::unordered_map<std::string, std::int64_t> lines_;
    RecordedChoices recorded_;
};

/// Rows and columns of a matrix of unknown size: no split divides them and no chunk reaches their end, so
/// schedules that are one program here are one on any matrix.
constexpr std::int64_t unknown_side = 1'000'003;

/// Nobody says what code others generate; which loops it has depends on sizes alone, so any processor will
/// do.
ProgramIdentity programs_of(const RecordedChoice& choice, const PatternStatistics* pattern,
                            std::int64_t dense) {
    const std::int64_t rows = pattern != nullptr ? pattern->rows : choice.rows;
    const std::int64_t cols = pattern != nullptr ? pattern->cols : choice.cols;
    const bool is_known = rows > 0 && cols > 0;
    return {
        extents(choice.schedule.op, is_known ? rows : unknown_side, is_known ? cols : unknown_side, dense),
        KernelTarget{}};
}

} // namespace

Result<RecordedChoices> read_recorded_choices(const std::filesystem::path& file, Operator op) {
    return ChoiceReader(file, op).read();
}

RecordedFailures find_failures(const RecordedChoices& recorded, const std::string& chooser,
                               const std::map<std::string, PatternStatistics>& statistics,
                               const FailureOptions& options, std::int64_t dense) {
    RecordedFailures found;
    for (const RecordedChoice& choice : recorded.choices) {
        FailureSign sign{.kind = FailureKind::SlowerThanBaseline,
                         .held_against = FailureAgainst::Baseline,
                         .chosen = {to_text(choice.schedule), choice.chosen_ms},
                         .against = {to_text(fixed_csr(choice.schedule.op, choice.schedule.threads)),
                                     choice.fixed_csr_ms}};
        const std::vector<std::string> names =
            nicknames(std::array{choice.schedule, fixed_csr(choice.schedule.op, choice.schedule.threads)});
        sign.chosen.nickname = names[0];
        sign.against.nickname = names[1];
        sign.significance = significance_of(sign.chosen, sign.against, options.assumed_noise);
        if (sign.lost_ms() <= 0 || sign.lost_share() < options.slower_than_baseline ||
            sign.significance == Significance::WithinNoise)
            continue;
        const auto known = statistics.find(choice.matrix);
        const PatternStatistics* const pattern = known == statistics.end() ? nullptr : &known->second;
        if (programs_of(choice, pattern, dense)
                .are_one(choice.schedule, fixed_csr(choice.schedule.op, choice.schedule.threads))) {
            ++found.one_program;
            continue;
        }
        FailureCase failure{.model_name = chooser,
                            .workload = choice.matrix,
                            .times = TimeSource::Recorded,
                            .signs = {std::move(sign)}};
        failure.line = choice.line;
        if (pattern != nullptr) {
            failure.is_workload_known = true;
            failure.family = workload_family(family_of(*pattern));
        } else {
            failure.family = workload_family(family_by_sizes({choice.rows, choice.cols, choice.nnz}));
        }
        found.cases.push_back(std::move(failure));
    }
    sort_by_loss(found.cases);
    return found;
}

namespace {

using Statistics = std::map<std::string, PatternStatistics>;

/// Of the matrices of the table whose pattern the workspace has, and can read.
Result<Statistics> known_statistics(Workspace& workspace, const RecordedChoices& recorded, int threads) {
    std::set<std::string_view> named;
    for (const RecordedChoice& choice : recorded.choices)
        named.insert(choice.matrix);
    const auto records = list_matrices(workspace);
    if (!records)
        return std::unexpected(records.error());
    Statistics statistics;
    for (const MatrixRecord& record : *records)
        if (record.pattern != PayloadPlace::Unknown && named.contains(record.name))
            if (const auto found = matrix_statistics(workspace, record, threads))
                statistics.emplace(record.name, *found);
    return statistics;
}

/// From the table beside the recorded one, otherwise from the workspace, which knows sizes of matrices whose
/// pattern it has not.
Result<void> add_sizes(Workspace* workspace, const std::filesystem::path& table, RecordedChoices& recorded) {
    auto sizes = read_sizes_beside(table);
    if (!sizes)
        return std::unexpected(std::move(sizes).error());
    if (workspace != nullptr) {
        const auto records = list_matrices(*workspace);
        if (!records)
            return std::unexpected(records.error());
        for (const MatrixRecord& record : *records)
            if (record.rows > 0)
                sizes->try_emplace(record.name, record.rows, record.cols, record.nnz);
    }
    for (RecordedChoice& choice : recorded.choices)
        if (const auto found = sizes->find(choice.matrix); found != sizes->end()) {
            choice.rows = found->second.rows;
            choice.cols = found->second.cols;
            choice.nnz = found->second.nnz;
        }
    return {};
}

Result<FailureMachine> machine_for(Workspace& workspace, const TableRequest& request) {
    if (request.machine)
        return FailureMachine{request.machine->name, *request.machine, false};
    return failure_machine(workspace, {});
}

Result<void> simulate_known(Workspace& workspace, const TableRequest& request, TableFailures& failures) {
    auto machine = machine_for(workspace, request);
    if (!machine)
        return std::unexpected(std::move(machine).error());
    failures.simulated = *std::move(machine);
    return diagnose(workspace, {request.op, request.dense}, failures.cases,
                    {.machine = failures.simulated->machine,
                     .threads = request.threads,
                     .seed = request.seed,
                     .stop = request.stop,
                     .progress = request.progress});
}

} // namespace

Result<TableFailures> read_table_failures(Workspace* workspace, const TableRequest& request) {
    auto recorded = read_recorded_choices(request.file, request.op);
    if (!recorded)
        return std::unexpected(std::move(recorded).error());
    TableFailures failures{
        .recorded = *std::move(recorded), .chooser = request.file.stem().string(), .cases = {}, .groups = {}};
    if (auto added = add_sizes(workspace, request.file, failures.recorded); !added)
        return std::unexpected(std::move(added).error());
    auto statistics = workspace != nullptr ? known_statistics(*workspace, failures.recorded, request.threads)
                                           : Result<Statistics>();
    if (!statistics)
        return std::unexpected(std::move(statistics).error());
    auto found = find_failures(failures.recorded, failures.chooser, *statistics,
                               {.assumed_noise = request.noise}, request.dense);
    failures.cases = std::move(found.cases);
    failures.one_program = found.one_program;
    if (!statistics->empty())
        if (auto simulated = simulate_known(*workspace, request, failures); !simulated)
            return std::unexpected(std::move(simulated).error());
    diagnose_by_table(failures.recorded, failures.cases);
    failures.explained = DecisionEffects::fit(failures.recorded.choices).explained();
    failures.groups = group_failures(failures.cases);
    return failures;
}

} // namespace sparsight

#include "evaluation/failures/recorded_failures.h"

#include "base/csv.h"
#include "base/trimmed.h"
#include "matrix/archive_source.h"
#include "matrix/read_options.h"
#include "matrix/text_blocks.h"
#include "schedule/text.h"
#include "store/recorded_runtime.h"
#include "store/runtime_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

namespace sparsight {

namespace {

constexpr std::array<std::string_view, 4> needed_columns{"matrix", "waco_schedule", "waco_ms", "fixedcsr_ms"};

class ChoiceReader {
public:
    ChoiceReader(const std::filesystem::path& file, Operator op)
        : file_(file)
        , op_(op) {}

    Result<RecordedChoices> read() {
        auto file = open_unpacked(file_, ReadLimits{}.unpacked_bytes);
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

/// Rows and columns where nobody says how many: no split divides them, no chunk reaches their end, so what is
/// one program there is one on any matrix.
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
        FailureSign sign{.kind = FailureKind::SlowerThanCsr,
                         .held_against = FailureAgainst::FixedCsr,
                         .chosen = {to_text(choice.schedule), choice.chosen_ms},
                         .against = {to_text(fixed_csr(choice.schedule.op, choice.schedule.threads)),
                                     choice.fixed_csr_ms}};
        sign.significance = significance_of(sign.chosen, sign.against, options.assumed_noise);
        if (sign.lost_ms() <= 0 || sign.lost_share() < options.slower_than_csr ||
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
                            .matrix = choice.matrix,
                            .times = TimeSource::Recorded,
                            .signs = {std::move(sign)}};
        failure.line = choice.line;
        if (pattern != nullptr) {
            failure.statistics = *pattern;
            failure.family = family_of(*pattern);
        } else {
            failure.family = family_by_sizes({choice.rows, choice.cols, choice.nnz});
        }
        found.cases.push_back(std::move(failure));
    }
    sort_by_loss(found.cases);
    return found;
}

} // namespace sparsight

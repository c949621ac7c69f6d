// Tables of measured tuning records: one line says how long a configuration of a workload took on a machine.
//
// Known columns, in any order; all of them but workload and time_ms may be missing:
//   workload, wid or task_id   its name; an id (wid, task_id) becomes "SPACE:ID"
//   machine                    unless RecordTableOptions names it
//   run                        which installation of the machine: a condition, no decision
//   template                   parts the configurations of a table into spaces of their own
//   time_ms, std_ms, n_rep     median (inf: a run that failed) and standard deviation in ms, repeats
//   status                     "ok" in any case of its letters (as where the column is missing), or why there
//                              is no time
// The decisions are the other columns that stand before time_ms, but mean_ms, config_index, backend,
// args_json and heldout_because, which say something else; or those that the options name. An empty value:
// this configuration has no such decision.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "base/reading/csv_table.h"
#include "domains/records/record_space.h"
#include "study/measurement.h"
#include "study/workload.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sparsight {

/// Of settings and configurations.
inline constexpr std::string_view records_domain = "records";

struct RecordTableOptions {
    std::vector<std::string> decisions{}; ///< columns; empty: as above
    std::string space{};                  ///< empty: the file's name up to its first dot
    std::string machine{};                ///< of a table without a column for it
};

/// One line. Views are valid until the next line is read.
struct RecordRow {
    std::string_view workload;
    std::string_view machine;
    std::string_view run;                     ///< empty where the table has no such column
    std::string_view variant;                 ///< the template; likewise
    std::span<const std::string_view> values; ///< one for each decision of the reader, as written
    /// Measured with a median; otherwise Failed, with the table's own status as the reason. The spread is
    /// the standard deviation.
    MeasurementStatus status = MeasurementStatus::Measured;
    std::string_view reason;
    Milliseconds median{};
    Milliseconds spread{}; ///< 0 where it is not known
    int repeats = 1;
    std::int64_t line = 0;
};
[[nodiscard]] Measurement measurement_of(const RecordRow& row);

/// "gemm4096"; "bert_autotvm/dense_pack.x86" where a template parts the space.
[[nodiscard]] Setting record_setting(std::string_view space, std::string_view variant);

/// Lines that could not be used, each with file, line, column and what was expected.
struct RecordProblems {
    static constexpr std::size_t most_kept = 1000;
    std::int64_t count = 0;
    std::vector<Error> first; ///< most_kept of them
    void add(Error error);
};

/// Reads a table line by line; memory does not depend on how long it is.
class RecordReader {
public:
    /// Errors, with the file: as of CsvTable, a needed column that is missing, a decision that is no column,
    /// a known one or one whose name cannot stand in a text, no decision at all, a space without a name.
    [[nodiscard]] static Result<RecordReader> open(const std::filesystem::path& path,
                                                   const RecordTableOptions& options = {});
    /// As CsvTable::of_text().
    [[nodiscard]] static Result<RecordReader> of_text(const std::string& name, std::string_view text,
                                                      const RecordTableOptions& options = {});

    [[nodiscard]] const std::string& space() const { return space_; }
    /// In the order of the columns, or of the options.
    [[nodiscard]] std::span<const std::string> decisions() const { return decisions_; }

    /// Moves on to the next line that can be used; false behind the last one. What cannot be used is added
    /// to problems(). Error: the rest of the file cannot be read.
    [[nodiscard]] Result<bool> next(RecordRow& row);
    [[nodiscard]] const RecordProblems& problems() const { return problems_; }
    [[nodiscard]] const CsvTable& table() const { return table_; }

private:
    struct Columns {
        std::size_t workload = 0;
        std::size_t time = 0;
        bool is_id = false;
        std::optional<std::size_t> machine, run, variant, spread, repeats, status;
        std::vector<std::size_t> decisions;
    };
    explicit RecordReader(CsvTable table)
        : table_(std::move(table)) {}
    [[nodiscard]] static Result<RecordReader> of_table(CsvTable table, const RecordTableOptions& options);
    [[nodiscard]] Result<void> find_columns(const RecordTableOptions& options);
    [[nodiscard]] Result<void> fill(RecordRow& row);

    CsvTable table_;
    Columns columns_;
    std::string space_;
    std::string machine_;
    std::vector<std::string> decisions_;
    std::vector<std::string_view> values_;
    std::string workload_; ///< "SPACE:ID" of the line
    RecordProblems problems_;
};

/// Facts of workloads or of machines by name: a table of which the first key column that it has names what
/// its lines describe. The facts are all other columns.
class FactSheet {
public:
    struct Fact {
        std::string name;
        std::string text; ///< not empty
        bool operator==(const Fact&) const = default;
    };

    /// The columns that may name what lines describe.
    static constexpr std::array<std::string_view, 3> workload_keys{"workload", "wid", "task_id"};
    static constexpr std::array<std::string_view, 1> machine_keys{"machine"};

    /// Errors as of CsvTable; none of the columns in `keys`. Of two lines with one name the second is a
    /// problem.
    [[nodiscard]] static Result<FactSheet> read(CsvTable table, std::span<const std::string_view> keys);

    [[nodiscard]] std::size_t size() const { return lines_.size(); }
    /// Those that are known. Absent where the sheet does not name it. "SPACE:ID" is found as ID, too.
    [[nodiscard]] std::optional<std::vector<Fact>> find(std::string_view name) const;
    [[nodiscard]] const RecordProblems& problems() const { return problems_; }

private:
    std::vector<std::string> names_;
    std::unordered_map<std::string, std::string> lines_; ///< facts with a separator between them
    RecordProblems problems_;
};

} // namespace sparsight

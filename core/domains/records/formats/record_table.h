// Tables of measured tuning records: one line says how long a configuration of a workload took on a machine.
//
// Known columns, in any order; all of them but workload and time_ms may be missing:
//   workload, wid or task_id   its name; an id (wid, task_id) becomes "SPACE:ID"
//   machine                    unless RecordOptions names it
//   run                        which installation of the machine: a condition, no decision
//   space                      of the configuration (otherwise the file's name up to its first dot)
//   template                   parts the configurations of a table into spaces of their own
//   time_ms, std_ms, n_rep     median (inf: a run that failed) and standard deviation in ms, repeats
//   status                     "ok" in any case of its letters (as where the column is missing), or why there
//                              is no time
// The decisions are the other columns that stand before time_ms, but mean_ms, config_index, backend,
// args_json and heldout_because, which say something else; or those that the options name. An empty value:
// this configuration has no such decision.
#pragma once

#include "base/error.h"
#include "base/reading/csv_table.h"
#include "domains/records/record_source.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Whether a table would not take a column of this name for a decision.
[[nodiscard]] bool is_known_column(std::string_view name);

/// "gemm4096" of "tables/gemm4096.csv.xz": the space of a table that does not say it.
[[nodiscard]] std::string space_of_file(const std::string& file);

/// Reads a table line by line; memory does not depend on how long it is.
class RecordReader final : public RecordSource {
public:
    /// Errors, with the file: as of CsvTable, a needed column that is missing, a decision that is no column,
    /// a known one or one whose name cannot stand in a text, no decision at all, a space without a name.
    [[nodiscard]] static Result<RecordReader> open(const std::filesystem::path& path,
                                                   const RecordOptions& options = {});
    /// As CsvTable::of_text().
    [[nodiscard]] static Result<RecordReader> of_text(const std::string& name, std::string_view text,
                                                      const RecordOptions& options = {});
    [[nodiscard]] static Result<RecordReader> of_table(CsvTable table, const RecordOptions& options);

    [[nodiscard]] const std::string& space() const { return space_; }
    /// In the order of the columns, or of the options.
    [[nodiscard]] std::span<const std::string> decisions() const { return decisions_; }

    [[nodiscard]] Result<bool> next(RecordRow& row) override;
    [[nodiscard]] const std::string& file() const override { return table_.file(); }
    [[nodiscard]] std::uint64_t consumed() const override { return table_.consumed(); }
    [[nodiscard]] std::uint64_t total() const override { return table_.total(); }

private:
    struct Columns {
        std::size_t workload = 0;
        std::size_t time = 0;
        bool is_id = false;
        std::optional<std::size_t> machine, run, space, variant, spread, repeats, status;
        std::vector<std::size_t> decisions;
        /// Says what was run, where, or how long it took.
        [[nodiscard]] bool has_meaning(std::size_t column) const;
    };
    explicit RecordReader(CsvTable table)
        : table_(std::move(table)) {}
    [[nodiscard]] Result<void> find_columns(const RecordOptions& options);
    [[nodiscard]] Result<void> find_decisions(const RecordOptions& options);
    [[nodiscard]] Result<void> fill(RecordRow& row);
    [[nodiscard]] Result<void> fill_time(RecordRow& row);
    [[nodiscard]] std::string_view field_of(const std::optional<std::size_t>& column) const {
        return column ? table_.field(*column) : std::string_view();
    }

    CsvTable table_;
    Columns columns_;
    std::string space_;
    std::string machine_;
    std::vector<std::string> decisions_;
    std::vector<std::string_view> values_;
    std::string workload_; ///< "SPACE:ID" of the line
};

} // namespace sparsight

// Tables of measured basic blocks (comma-separated values, plain or compressed): one block a line with its
// machine code and its cycles on several machines.
#pragma once

#include "base/error.h"
#include "base/reading/csv_table.h"
#include "domains/blocks/code/machine_code.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// The columns of a table:
///   hex           machine code; needed
///   block_id      the block's name; without it, its code
///   tp_MACHINE    cycles per 100 iterations, above 0; empty where there are none
///   may_alias     1: other addresses may have disturbed the measurement
///   group_id      blocks of one group differ in constants alone
///   group_in_other_split  1: a held-out set has blocks of the same group
///   applications  where the block is from
/// Other columns are passed over.
class BlockTable {
public:
    struct Row {
        std::string name;
        MachineCode code;
        std::vector<std::optional<double>> cycles; ///< one for each of machines()
        bool may_alias = false;
        std::string group; ///< empty where it is not known
        /// Of a group that a held-out set has, too; absent where the table does not say.
        std::optional<bool> is_apart{};
        std::string applications; ///< likewise
    };

    /// Errors (Input): those of CsvTable::open(); the column hex is missing.
    [[nodiscard]] static Result<BlockTable> open(const std::filesystem::path& path);

    /// "hsw", "skl": in the order of the columns; may be empty.
    [[nodiscard]] const std::vector<std::string>& machines() const { return machines_; }
    /// The next row; absent behind the last one. Errors (Input), with file and line, of this row alone: what
    /// stands there and what was expected. is_over() tells whether there is more.
    [[nodiscard]] Result<std::optional<Row>> next();
    /// After an error: the rest of the file can't be read.
    [[nodiscard]] bool is_over() const { return is_over_; }

    [[nodiscard]] const std::string& file() const { return table_.file(); }
    // Of the row that was read, also of one with an error.
    [[nodiscard]] std::int64_t line() const { return table_.line(); }
    [[nodiscard]] std::string name() const; ///< empty where the line has no fields
    [[nodiscard]] std::uint64_t consumed() const { return table_.consumed(); }
    [[nodiscard]] std::uint64_t total() const { return table_.total(); }

private:
    explicit BlockTable(CsvTable table);
    [[nodiscard]] Result<Row> row() const;

    CsvTable table_;
    std::size_t hex_ = 0;
    std::optional<std::size_t> name_;
    std::optional<std::size_t> may_alias_;
    std::optional<std::size_t> group_;
    std::optional<std::size_t> apart_;
    std::optional<std::size_t> applications_;
    std::vector<std::string> machines_;
    std::vector<std::size_t> machine_columns_;
    bool is_over_ = false;
};

} // namespace sparsight

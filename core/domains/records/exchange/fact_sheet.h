// Facts of workloads or of machines by name, as a sheet beside tuning records has them.
#pragma once

#include "base/error.h"
#include "base/reading/csv_table.h"
#include "domains/records/record_source.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sparsight {

/// A table of which the first key column that it has names what its lines describe. The facts are all other
/// columns.
class FactSheet {
public:
    using Fact = WorkloadFact;

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

/// Facts of a machine under the keys of data sheets (machine/data_sheet.h), where these state them, so that
/// an imported table and a data sheet mean the same fact. All others keep the names of their columns.
[[nodiscard]] std::vector<FactSheet::Fact> as_machine_facts(std::vector<FactSheet::Fact> facts);

} // namespace sparsight

// Data sheets of machines that no program of ours ran on, as of GPUs: facts by name, each with its unit. A
// fact that a sheet does not state is unknown: it is left out, and never taken for zero.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

enum class SheetQuantity : std::uint8_t {
    Text,
    Kind,   ///< "CPU", "GPU", "mobile", "FPGA" or "ASIC"
    Count,  ///< a whole number above 0
    Bytes,  ///< a whole number above 0; a file may write "48KiB"
    Number, ///< above 0
};

/// A fact that sheets can state. The key ends with the unit, where there is one.
struct DataSheetField {
    std::string_view key;     ///< in files and in JSON: "mem_bw_gbs"
    std::string_view title;   ///< "Memory bandwidth"
    std::string_view unit;    ///< "GB/s"; empty for texts and counts
    std::string_view meaning; ///< a sentence
    SheetQuantity quantity = SheetQuantity::Count;
    /// How tables of machines call the same number in the same unit.
    std::string_view other_names{}; ///< separated by blanks
    /// One of the eight of Verma et al. (Transfer learning across heterogeneous features for efficient tensor
    /// program generation, ExHET 2023).
    bool is_hardware_parameter = false;
};

/// In the order in which they are shown; the hardware parameters first.
[[nodiscard]] std::span<const DataSheetField> data_sheet_fields();
/// By its key; null for an unknown one.
[[nodiscard]] const DataSheetField* find_data_sheet_field(std::string_view key);

/// What is known of a machine, by the keys of fields.
struct DataSheet {
    std::string name; ///< of the machine; empty where the sheet has none
    std::string note; ///< whence the facts are, or what is uncertain; may be empty
    std::map<std::string, double, std::less<>> numbers;
    std::map<std::string, std::string, std::less<>> texts;

    bool operator==(const DataSheet&) const = default;
};

/// One sheet: lines `key = value`, of which quotation marks around the value are dropped. A # begins a
/// comment. "unknown" states nothing. `name` and `note` are keys, too. Errors (Input) with file and line: a
/// line without =, an unknown key, a key for the second time, a value that is none of its field (the text
/// names the unit), no fact at all.
[[nodiscard]] Result<DataSheet> parse_data_sheet(std::string_view text, const std::string& file);
/// Several sheets in one file, each behind a line [NAME]. Errors: as above; no or an empty name; a name
/// twice.
[[nodiscard]] Result<std::vector<DataSheet>> parse_data_sheets(std::string_view text,
                                                               const std::string& file);

/// Those that come with the program (resources/machines/data-sheets.toml), in the order of the file.
[[nodiscard]] std::vector<DataSheet> data_sheet_presets();
/// By name, in capitals or not.
[[nodiscard]] std::optional<DataSheet> find_data_sheet_preset(std::string_view name);

/// {KEY: VALUE} in the order of the fields, as facts of machines are stored (store/machines.h). The note is
/// the last of them.
[[nodiscard]] nlohmann::ordered_json facts_of(const DataSheet& sheet);

/// The fact of a table of machines by the key of the field that has other names as well; "" where there is
/// none, so that the column keeps its name. The width of a SIMD unit or warp is a warp size on GPUs alone.
[[nodiscard]] std::string_view field_of_column(std::string_view column, bool is_gpu);

} // namespace sparsight

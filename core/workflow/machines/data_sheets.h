// Machines by data sheet: of these no more than the facts of a sheet is known, and recorded times join them
// by their name.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "machine/data_sheet.h"
#include "store/machines.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

/// A file, or a preset by its name. Errors (Input): those of parse_data_sheet(); neither of both. The text
/// lists presets.
[[nodiscard]] Result<DataSheet> requested_data_sheet(const std::string& file_or_preset);

struct SheetMachine {
    MachineRecord record;
    Json facts;                    ///< {KEY: VALUE}
    bool is_new = true;            ///< false where the workspace knew the machine
    bool had_facts = false;        ///< these facts took the place of earlier ones
    std::int64_t measurements = 0; ///< recorded times that the machine has already
};

/// Adds the machine, or describes one with recorded times by the sheet. Without a name it is that of the
/// sheet. Errors (Input): no name; a computer that is measured or simulated has it.
[[nodiscard]] Result<SheetMachine> add_machine_by_sheet(Workspace& workspace, const std::string& name,
                                                        const DataSheet& sheet);

/// A fact as people read it: "48.0 KiB", "1695 MHz", "NVIDIA".
[[nodiscard]] std::string shown_fact(std::string_view key, const Json& value);
/// The fields that the facts do not state, in the order of data_sheet_fields().
[[nodiscard]] std::vector<std::string> unknown_facts(const Json& facts);

} // namespace sparsight

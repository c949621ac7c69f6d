// For the files of this folder: which rows of the measurements match their checksums.
#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>

namespace sparsight {

/// Whether the row m matches its checksum. The run is not among what is summed up, since it may be forgotten.
inline constexpr std::string_view is_intact =
    "(row_checksum(m.workload_id, m.machine_id, m.setting_id, m.configuration_id, m.protocol, m.condition, "
    "m.status, m.median_ms, m.spread_ms, m.repeats, m.pack_ms, m.compile_ms, m.bytes, m.reason, m.measured, "
    "m.engine, m.reference_ms, m.scatter_ms, m.error_ms, m.drift_ms, m.disturbance) = m.checksum)";

/// With the place of is_intact as {}.
[[nodiscard]] inline std::string checked(std::string_view sql) {
    return fmt::format(fmt::runtime(sql), is_intact);
}

inline constexpr const char* damaged_reason =
    "the workspace file is damaged here: this row does not match its checksum";

} // namespace sparsight

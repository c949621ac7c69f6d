// An index in a file, so that linking its schedules, which takes longest, is done once.
//
//   bytes  0 …  7   "SPSINDEX"
//   bytes  8 … 11   version of this format, 1
//   bytes 12 … 15   CRC-32 of everything behind it
//   the rest        the model's name, the schedules as lines of WACO's text form, the nodes, their embeddings
//                   (float32), the layers of the graph; each list with its length before it
//
// All numbers are little-endian.
#pragma once

#include "search/schedule_index.h"

#include <filesystem>

namespace sparsight {

/// The file is there as a whole or not at all.
[[nodiscard]] Result<void> write_schedule_index(const std::filesystem::path& path,
                                                const ScheduleIndex& index);

/// Exactly what was written. Foreign, damaged and truncated files and other versions are errors of
/// Fault::Input with the reason; so is an index that contradicts itself.
[[nodiscard]] Result<ScheduleIndex> read_schedule_index(const std::filesystem::path& path);

} // namespace sparsight

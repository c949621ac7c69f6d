// Schedules as text: WACO's forms, read and written byte for byte, and sentences for users. WACO's forms:
//   SpMM   isplit ksplit jsplit  o1 … o6  f(i1) f(i0) f(k1) f(k0)  parallel threads chunk
//   SpMV   isplit ksplit         o1 … o4  f(i1) f(i0) f(k1) f(k0)  parallel threads chunk
//   SDDMM  isplit jsplit ksplit  o1 … o6  f(i1) f(i0) f(j1) f(j0)  parallel threads chunk
// An operator on tensors has a format more for each part of each further index of A.
// A file of collected data holds one "schedule = milliseconds" on each line.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// The words with one space between them, as written: canonical() first where that is wanted.
[[nodiscard]] std::string to_text(const SuperSchedule& schedule);

/// Any white space separates words. The result is valid (super_schedule.h) and as written. Errors name the
/// word by its number and say what was found and what was expected.
[[nodiscard]] Result<SuperSchedule> parse_schedule(Operator op, std::string_view line);

/// A schedule and its runtime. Infinity is a run that failed, as published tables write it.
struct ScheduleRuntime {
    SuperSchedule schedule;
    double milliseconds = 0;
    bool operator==(const ScheduleRuntime&) const = default;
};

/// "schedule = milliseconds"; the number is the shortest text that reads back as the same value, which is
/// also how WACO's files have it.
[[nodiscard]] std::string to_text(const ScheduleRuntime& line);
[[nodiscard]] Result<ScheduleRuntime> parse_schedule_runtime(Operator op, std::string_view line);

/// A whole file of collected data; blank lines are skipped, the first defect is an error with its line.
[[nodiscard]] Result<std::vector<ScheduleRuntime>> read_schedule_runtimes(Operator op,
                                                                          const std::filesystem::path& path);

/// The schedules alone, of a file with or without runtimes.
[[nodiscard]] Result<std::vector<SuperSchedule>> read_schedules(Operator op,
                                                                const std::filesystem::path& path);

/// A SuperSchedule in plain words. The first sentence says how A is stored, by its common name where it has
/// one, the second which thread works on what:
///   "A is stored by row blocks of 4 (dense), then columns (compressed), then rows in a block (dense).
///    8 threads take 16 row blocks at a time; the columns of C run in strips of 64."
/// A split that the order of the loops undoes is said to change nothing.
[[nodiscard]] std::string describe(const SuperSchedule& schedule);

} // namespace sparsight

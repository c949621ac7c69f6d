// What people call a schedule: "2-row blocks, chunk 32". The code, which is exact, stands in text.h.
//
// A nickname says how A is stored, the one thing about the loops that is least usual, and the chunk:
//   CSR, CSC, DCSR, DCSC  as everywhere; "dense": every position is stored
//   4×8 blocks            stored whole, explicit zeros included; "2-row blocks", "8-column blocks"
//   4×8 tiles             only the entries of a block are stored; "half-tiles": of one of its two levels
//   by column             the columns of A run outside its rows
//   4-row groups          the rows are taken in fours, though A is stored as if they were not
//   64-wide strips        the dense index runs in strips of 64, with other loops inside
//   j outermost           a dense loop stands outside loops over A
//   j by 8                any split that none of these tells
// Most schedules have the same nickname in every list therefore. Where two of a list would still have the
// same one, the formats or the loops follow in which they differ: to tell all loops always would take twice
// as many letters.
#pragma once

#include "domains/sparse/schedule/super_schedule.h"

#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// Of a valid schedule, however it is written. Fixed CSR is "fixed CSR", and nothing else is. The threads are
/// left out, in lists as well: they are a condition of a run, and a list of several machines has several.
[[nodiscard]] std::string nickname(const SuperSchedule& schedule);

/// Of a list: as nickname(), followed by what tells them apart where several have the same one. Schedules of
/// one operator that decide differently have different nicknames.
[[nodiscard]] std::vector<std::string> nicknames(std::span<const SuperSchedule> schedules);

/// Of the codes of one list; a text that is no schedule stands for itself.
[[nodiscard]] std::vector<std::string> nicknames(Operator op, std::span<const std::string> codes);

/// Explains the code of a schedule (to_text()), a line for each group of its words:
///   "1 4: splits of i, k (1: not split)"
[[nodiscard]] std::string code_legend(const SuperSchedule& schedule);

} // namespace sparsight

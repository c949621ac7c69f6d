// The text of an explanation, for pages and terminals: changes of the schedule, the pattern and the machine,
// parts of a simulated time.
#pragma once

#include "domains/sparse/simulator/mechanistic_simulator.h"
#include "evaluation/diagnosis/counterfactuals/pattern_change.h"
#include "evaluation/diagnosis/counterfactuals/smallest_change.h"
#include "evaluation/diagnosis/hardware_counters.h"

#include <string>
#include <string_view>

namespace sparsight {

/// "split of i 8 → not split, chunk 4 → 32"; `before` is the schedule that is changed.
[[nodiscard]] std::string changed_decisions(const ScheduleChange& change, const SuperSchedule& before);

/// How a winning change compares with the other side: "it wins", or "in 5 turns it takes 0.93 times as
/// long (± 2 %): it wins".
[[nodiscard]] std::string verdict(const ScheduleChange& change);

/// A time beside another one: "7 % faster than fixed CSR, within the error of ± 8 %", "as fast as fixed CSR";
/// `ratio` is that of both times, `error` is as in MeasuredLead; 0: not shown.
[[nodiscard]] std::string compared_text(double ratio, double error, std::string_view other);

/// "fixed CSR", or "the other side".
[[nodiscard]] std::string_view title_of_other_side(const SuperSchedule& schedule);

/// "chunk 8192 → 32: as fast as fixed CSR, whose program it becomes"; `against` is the other side.
[[nodiscard]] std::string removal_text(const LossRemoval& removal, const SuperSchedule& before,
                                       const SuperSchedule& against);

/// Says that no smaller change wins than taking every decision back, how many changes were tried in turns,
/// and which came nearest; before that, the change that removes the loss, where one does.
[[nodiscard]] std::string no_change_text(const ScheduleChange& other_side, const SuperSchedule& before,
                                         bool is_measured);

/// "The smallest change of the pattern: …; simulated …": in a sentence or two, with its measurements. Where
/// none wins, which changes were tried and how near the best came.
[[nodiscard]] std::string pattern_change_text(const PatternSearch& search);

/// "instructions for entries", "traffic: last level cache".
[[nodiscard]] std::string_view title(TimeTerm term);

/// "cache misses of the last level".
[[nodiscard]] std::string_view title(HardwareEvent event);

/// "level 2 cache of a core 512 KiB → 1 MiB", "clock 2.8 → 3.4 GHz".
[[nodiscard]] std::string to_text(const MachineChange& change);

} // namespace sparsight

// Texts for pages and terminals: the change that would make a slow configuration win, or at least not lose.
#pragma once

#include "evaluation/diagnosis/smallest_change.h"

#include <string>
#include <string_view>

namespace sparsight {

/// A time ratio in words: "as long", "1.26 times as long".
[[nodiscard]] std::string as_long_text(double ratio);

/// "5 turns with it 0.93 ± 0.02 times as long: it wins".
[[nodiscard]] std::string turns_text(const MeasuredLead& lead);

/// "split of i 8 → not split, chunk 4 → 32".
[[nodiscard]] std::string changed_decisions(const ConfigurationChange& change);

/// How a winning change compares with the other side: "it wins", or "in 5 turns with it 0.93 ± 0.02
/// times as long: it wins".
[[nodiscard]] std::string verdict(const ConfigurationChange& change);

/// A time compared with another one: "7 % faster than fixed CSR, within the error of ± 8 %", "as fast as
/// fixed CSR". `ratio` is the time ratio; `error` is as in MeasuredLead, and 0 is not shown.
[[nodiscard]] std::string compared_text(double ratio, double error, std::string_view other);

/// "chunk 8192 → 32: as fast as fixed CSR, whose program it becomes"; `other` names the other side.
[[nodiscard]] std::string removal_text(const LossRemoval& removal, std::string_view other);

/// Says that no smaller change wins than taking every decision back, how many changes were tried in turns,
/// and which came nearest; before that, the change that removes the loss, where one does. `noun` is what the
/// domain calls a configuration (HybridSpace::noun()).
[[nodiscard]] std::string no_change_text(const ConfigurationChange& other_side, std::string_view other,
                                         std::string_view noun, bool is_measured);

} // namespace sparsight

// A comparison of machines as a sentence, tables, JSON and CSV.
#pragma once

#include "base/observer.h"
#include "workflow/evaluation/machine_comparison.h"

#include <optional>
#include <string>
#include <string_view>

namespace sparsight {

/// The figures of a pair that a picture or a table shows.
enum class MachineFigure { Slowdown, KendallTau, PairAccuracy };
/// "slowdown", "tau", "accuracy".
[[nodiscard]] std::string_view name(MachineFigure figure);
[[nodiscard]] std::optional<MachineFigure> parse_machine_figure(std::string_view text);
[[nodiscard]] std::optional<double> figure_of(const MachinePair& pair, MachineFigure figure);

/// What copying costs in the median, and at worst.
[[nodiscard]] std::string comparison_sentence(const Domain& domain, const MachineComparison& comparison);
/// The sentence, a table of the figure with a row for each machine that is copied to, and a table of the
/// machines.
[[nodiscard]] std::string comparison_text(const Domain& domain, const MachineComparison& comparison,
                                          MachineFigure figure);
/// {"workload", parts of the setting, "sentence", "notes", "machines", "pairs"}, in the domain's words.
[[nodiscard]] Json comparison_json(const Domain& domain, const MachineComparison& comparison);
/// A line for each pair of machines.
[[nodiscard]] std::string comparison_csv(const Domain& domain, const MachineComparison& comparison);

} // namespace sparsight

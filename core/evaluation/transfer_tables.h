// The tables of the experiment on tasks as words: what the writers for terminals, Markdown and HTML have in
// common.
#pragma once

#include "evaluation/evaluation_tables.h"
#include "evaluation/transfer_experiment.h"

#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

inline constexpr std::string_view interval_words = "95 % intervals, bootstrap over the seeds";

/// A row a target and source, a column a number of shots.
[[nodiscard]] TextTable curve_table(const TransferExperiment& experiment, const TransferMetric& metric);
/// A row a comparison, with what its interval says of it.
[[nodiscard]] TextTable comparison_table(const TransferExperiment& experiment);
/// What was compared: targets, budget, splits; then the experiment's notes.
[[nodiscard]] std::vector<std::string> transfer_sentences(const TransferExperiment& experiment);

} // namespace sparsight

// The experiment on tasks as text for a terminal, as CSV, Markdown, JSON, SVG and one HTML page.
#pragma once

#include "evaluation/reports/transfer_experiment.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sparsight {

/// The ordered pair accuracy by source and shots with its intervals, the comparisons, and what was compared.
[[nodiscard]] std::string transfer_text(const TransferExperiment& experiment);
/// The same for every metric.
[[nodiscard]] std::string transfer_markdown(const TransferExperiment& experiment);
/// One line a target, source, seed and number of shots (RFC 4180).
[[nodiscard]] std::string transfer_csv(const TransferExperiment& experiment);
/// Needs nothing from outside. Readable on paper and in dark mode.
[[nodiscard]] std::string transfer_html(const TransferExperiment& experiment);
/// {"targets", "sources", "estimates": [{"target", "source", "shots", METRIC: {"value", "low", "high"}}],
/// "comparisons": [{"target", "better", "than", "seeds", "value", "low", "high"}], "trainings", "points",
/// "notes"}; low and high are null with one seed.
[[nodiscard]] nlohmann::ordered_json transfer_json(const TransferExperiment& experiment);

/// A curve a source over the shots with its interval as a band, a panel a target, all in one scale; an SVG
/// element in the colours of the page's style (html.h). Empty where the metric was never measured.
[[nodiscard]] std::string transfer_figure(const TransferExperiment& experiment, const TransferMetric& metric);

} // namespace sparsight

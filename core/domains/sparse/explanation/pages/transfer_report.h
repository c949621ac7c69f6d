// The transfer experiment as text for a terminal, as CSV, Markdown, JSON, SVG and one self-contained HTML
// page.
#pragma once

#include "domains/sparse/explanation/pages/transfer_experiment.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sparsight {

/// The ordered pair accuracy by source and shots with its intervals, the comparisons, and their conditions.
[[nodiscard]] std::string transfer_text(const TransferExperiment& experiment);
/// The same for every metric.
[[nodiscard]] std::string transfer_markdown(const TransferExperiment& experiment);
/// One line for each target, source, seed and number of shots (RFC 4180).
[[nodiscard]] std::string transfer_csv(const TransferExperiment& experiment);
/// A self-contained page. Readable on paper and in dark mode.
[[nodiscard]] std::string transfer_html(const TransferExperiment& experiment);
/// {"targets", "sources", "estimates": [{"target", "source", "shots", METRIC: {"value", "low", "high"}}],
/// "comparisons": [{"target", "better", "than", "seeds", "value", "low", "high"}], "trainings", "points",
/// "notes"}; low and high are null with one seed.
[[nodiscard]] nlohmann::ordered_json transfer_json(const TransferExperiment& experiment);

/// One panel for each target, one curve for each source over the shots with its interval as a band, all in
/// one scale; an SVG element in the colours of the page's style (html.h). Empty where the metric was never
/// measured.
[[nodiscard]] std::string transfer_figure(const TransferExperiment& experiment, const TransferMetric& metric);

} // namespace sparsight

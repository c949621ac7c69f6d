// An evaluation as text for a terminal, as CSV, Markdown, JSON and one self-contained HTML page.
#pragma once

#include "evaluation/model_evaluation.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sparsight {

/// The summary figures in aligned columns, the comparisons, and their limitations.
[[nodiscard]] std::string evaluation_text(const ModelEvaluation& evaluation);

/// One line a model and workload (RFC 4180).
[[nodiscard]] std::string evaluation_csv(const ModelEvaluation& evaluation);

/// The same tables as evaluation_text, and the workloads one by one.
[[nodiscard]] std::string evaluation_markdown(const ModelEvaluation& evaluation);

/// A self-contained page. Readable on paper and in dark mode.
[[nodiscard]] std::string evaluation_html(const ModelEvaluation& evaluation);
/// The sections of evaluation_html() between its heading and its end, for a page that holds more: results,
/// figures, workloads. Headings are <h2>; `title` stands above the results.
[[nodiscard]] std::string evaluation_sections(const ModelEvaluation& evaluation, std::string_view title);
/// How to read those sections: shown once on a page.
[[nodiscard]] std::string evaluation_explanation(const DomainWords& words);

/// {"machine", "source", "operator", "dense", "protocol", "k", "confidence", "models": [{"model", figures …,
///  "matrices": [{"matrix", …, "candidates": […]}]}], "comparisons": […], "left_out": […]}. A figure with an
/// interval is {"value", "low", "high"}.
[[nodiscard]] nlohmann::ordered_json evaluation_json(const ModelEvaluation& evaluation);

/// Of the baseline's time: "fixed_csr_ms". The domain has a baseline.
[[nodiscard]] std::string baseline_key(const DomainWords& words);

/// The summary figures of one model.
[[nodiscard]] nlohmann::ordered_json summary_json(const EvaluatedModel& model, const DomainWords& words);

} // namespace sparsight

// An evaluation as text for a terminal, as CSV, Markdown and one self-contained HTML page.
#pragma once

#include "evaluation/model_evaluation.h"

#include <string>

namespace sparsight {

/// The summary figures in aligned columns, the comparisons, and what limits them.
[[nodiscard]] std::string evaluation_text(const ModelEvaluation& evaluation);

/// One line a model and matrix (RFC 4180).
[[nodiscard]] std::string evaluation_csv(const ModelEvaluation& evaluation);

/// The same tables as evaluation_text, and the matrices one by one.
[[nodiscard]] std::string evaluation_markdown(const ModelEvaluation& evaluation);

/// Needs nothing from outside. Readable on paper and in dark mode.
[[nodiscard]] std::string evaluation_html(const ModelEvaluation& evaluation);
/// What evaluation_html has between its heading and its end, for a page that holds more: results, figures,
/// matrices. Headings are <h2>; `title` stands above the results.
[[nodiscard]] std::string evaluation_sections(const ModelEvaluation& evaluation, std::string_view title);
/// How to read those sections: once a page.
[[nodiscard]] std::string evaluation_explanation();

} // namespace sparsight

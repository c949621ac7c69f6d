// Reports of failures as self-contained HTML: a page for each case, a summary of all, and the sections that
// say why a model preferred a schedule.
#pragma once

#include "domains/sparse/explanation/explanation.h"
#include "domains/sparse/explanation/reasons/model_reasons.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/tensor/statistics.h"
#include "evaluation/failures/failure_groups.h"
#include "evaluation/reports/evaluation_tables.h"
#include "evaluation/reports/figures.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// The pattern of a matrix as a PNG, the longer side 320 pixels at least; absent for a pattern without rows
/// or columns. Errors: those of density_png().
[[nodiscard]] Result<std::vector<std::byte>> report_picture(const CsrPattern& pattern, int threads);

/// A section of a page from another source, such as why the model did not know. Texts are plain; all but the
/// title may be empty.
struct ReportSection {
    std::string title;
    std::vector<std::string> paragraphs{};
    std::vector<TextTable> tables{};
    std::vector<std::string> figures{}; ///< SVG elements in the style of evaluation/reports/html.h
};

/// The facts that make a page reproducible.
struct ReportOrigin {
    std::string machine{};
    std::string machine_facts{}; ///< one line: processor, cores; may be empty
    std::string model{};         ///< empty where no model is concerned
    std::uint64_t seed = 1;
    std::string date{};       ///< UTC, ISO 8601; may be empty
    std::string created_by{}; ///< program and version
    std::string command{};    ///< that gives the same page again
};

/// One case in the order in which a reader asks: what happened, which decision, by what mechanism, why the
/// model did not know, what would change it.
struct FailurePage {
    std::string matrix;
    PatternStatistics statistics;
    std::vector<std::byte> picture; ///< PNG; may be empty
    std::int64_t dense = 256;
    std::string against_name{}; ///< "fixed CSR", "the best known"; empty: a schedule like others
    DiagnosisBasis basis = DiagnosisBasis::Simulated;
    Explanation explanation;
    std::optional<FailureCase> failure{}; ///< where the page is of an evaluation's case
    std::vector<ReportSection> model_reasons{};
    std::vector<std::string> remarks{};
    ReportOrigin origin;
};

/// The page of one case.
[[nodiscard]] std::string failure_html(const FailurePage& page);

struct FailureReport {
    std::string title;   ///< "Where first loses on this computer"
    std::string setting; ///< one sentence: models, matrices, operator, machine
    Operator op = Operator::SpMM;
    std::size_t compared = 0; ///< matrices, over all models, failures or not
    std::vector<FailureCase> cases;
    std::vector<FailureGroup> groups;
    std::vector<FailurePage> pages{}; ///< of some or all of the cases, each linked from its case
    std::vector<std::string> remarks{};
    ReportOrigin origin;
};

/// Summary, groups, cases and the pages behind them, in one file.
[[nodiscard]] std::string failures_html(const FailureReport& report);

/// A section for each part of the reasons; the last one names missing parts. `picture` is the PNG of the
/// whole pattern (report_picture()), on which the saliency is drawn; without it an empty square
/// is used.
[[nodiscard]] std::vector<ReportSection> reason_sections(const ModelReasons& reasons,
                                                         std::span<const std::byte> picture = {});

} // namespace sparsight

// The study of blocks as text, Markdown, CSV, JSON, a figure and a page.
#pragma once

#include "base/error.h"
#include "domains/blocks/study/study_figures.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

/// A figure that others report.
struct PublishedFigure {
    std::string source;
    std::string machine; ///< "HSW"
    std::string tool;
    std::string metric; ///< "MAPE_percent", "kendall_tau"
    std::string value;
    std::string status; ///< how it was come by
};
/// A table with the columns paper_or_source, uarch, tool, metric, value and status: those of these machines.
/// Errors (Input): it can't be read; a column is missing.
[[nodiscard]] Result<std::vector<PublishedFigure>>
read_published_figures(const std::filesystem::path& file, const std::vector<std::string>& machines);

/// All figures of a study, computed once.
struct BlockStudyReport {
    explicit BlockStudyReport(const BlockStudy& study, std::vector<PublishedFigure> published = {});

    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::string markdown() const;
    /// One line a figure.
    [[nodiscard]] std::string csv() const;
    [[nodiscard]] nlohmann::ordered_json json() const;
    /// The shot curve, an SVG element; empty without transfer.
    [[nodiscard]] std::string figure() const;
    [[nodiscard]] std::string html() const;

    std::vector<StudyFigure> figures;
    std::vector<PublishedFigure> published;
    std::vector<std::string> goals;     ///< sentences: which are met, which are missed and by how much
    std::vector<std::string> sentences; ///< what was compared and how
    std::vector<std::string> missing;   ///< cells that are not finished
    std::string created_by;
    std::string lead; ///< the result in one sentence
};

} // namespace sparsight

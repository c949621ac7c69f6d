// The tables of an evaluation as words: what the writers for terminals, Markdown and HTML have in common.
#pragma once

#include "evaluation/model_evaluation.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

struct TextTable {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows; ///< as many cells as the header; the first one is a name
};

/// Columns of one width each, for a terminal.
[[nodiscard]] std::string aligned_text(const TextTable& table);
[[nodiscard]] std::string markdown_text(const TextTable& table);
/// An element of html_page() that scrolls where it is wider than the page.
[[nodiscard]] std::string html_table(const TextTable& table);

/// The first letter as a capital: a noun at the beginning of a sentence.
[[nodiscard]] std::string capitalised(std::string text);

/// "+19.6 %".
[[nodiscard]] std::string percent_text(double share);
/// "+19.6 % [+12.1, +27.0]".
[[nodiscard]] std::string percent_text(const Estimate& estimate);
/// "1.24×".
[[nodiscard]] std::string speedup_text(double speedup);
/// "1.24× [1.18, 1.30]".
[[nodiscard]] std::string speedup_text(const Estimate& estimate);
/// "~1.02× ± 0.08": ~ where it is within noise, ± where it is uncertain (EvaluatedWorkload).
[[nodiscard]] std::string speedup_text(const EvaluatedWorkload& workload);
/// "+101.1 % ± 14.0 %", the mean of the gains; ± where it is uncertain.
[[nodiscard]] std::string mean_gain_text(const EvaluatedModel& model);

/// {"value", "low", "high"}; null where there is none, and bounds without an interval.
[[nodiscard]] nlohmann::ordered_json estimate_json(const std::optional<Estimate>& estimate);

/// A row a model.
[[nodiscard]] TextTable summary_table(const ModelEvaluation& evaluation);
/// A row a workload, by the speedup of the first model, the best first.
[[nodiscard]] TextTable workload_table(const ModelEvaluation& evaluation);

/// "100 matrices, spmm, dense extent 256, …": where the figures hold.
[[nodiscard]] std::string setting_sentence(const ModelEvaluation& evaluation);
/// What the brackets are: "In brackets: 95 % intervals over 12 families of matrices, by Student's t …"; of
/// one family that there are none. Empty without a summary.
[[nodiscard]] std::string interval_sentence(const ModelEvaluation& evaluation);
/// One for every comparison.
[[nodiscard]] std::vector<std::string> comparison_sentences(const ModelEvaluation& evaluation);
/// What limits the figures: times that are missing or simulated, speedups that are hardly true, one workload
/// that makes most of a mean, workloads that are left out.
[[nodiscard]] std::vector<std::string> remark_sentences(const ModelEvaluation& evaluation);

/// The places of the workloads in the order of workload_table().
[[nodiscard]] std::vector<std::size_t> by_speedup(const EvaluatedModel& model);

} // namespace sparsight

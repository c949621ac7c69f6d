#include "base/csv.h"
#include "evaluation/evaluation_tables.h"
#include "evaluation/evaluation_writers.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace sparsight {

namespace {

/// Columns on a screen: our texts have one code point a column.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char byte) { return (byte & '\xC0') != '\x80'; }));
}

std::string markdown_cell(std::string_view text) {
    std::string safe;
    for (const char letter : text) {
        if (letter == '|')
            safe += '\\';
        safe += letter == '\n' ? ' ' : letter;
    }
    return safe;
}

std::string optional_number(const std::optional<double>& value) {
    return value ? fmt::format("{:.6g}", *value) : "";
}

} // namespace

std::string aligned_text(const TextTable& table) {
    std::vector<std::size_t> widths;
    for (const std::string& title : table.header)
        widths.push_back(width_of(title));
    for (const auto& row : table.rows)
        for (std::size_t column = 0; column < row.size(); ++column)
            widths[column] = std::max(widths[column], width_of(row[column]));
    std::string text;
    const auto add = [&](const std::vector<std::string>& row) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            text += row[column];
            if (column + 1 < row.size())
                text.append(widths[column] - width_of(row[column]) + 2, ' ');
        }
        text += '\n';
    };
    add(table.header);
    std::ranges::for_each(table.rows, add);
    return text;
}

std::string markdown_text(const TextTable& table) {
    std::string text;
    const auto add = [&](const std::vector<std::string>& row) {
        for (const std::string& cell : row)
            text += "| " + markdown_cell(cell) + " ";
        text += "|\n";
    };
    add(table.header);
    for (std::size_t column = 0; column < table.header.size(); ++column)
        text += column == 0 ? "|---" : "|---:";
    text += "|\n";
    std::ranges::for_each(table.rows, add);
    return text;
}

std::string evaluation_text(const ModelEvaluation& evaluation) {
    std::string text = setting_sentence(evaluation) + "\n\n" + aligned_text(summary_table(evaluation));
    for (const auto& sentences : {comparison_sentences(evaluation), remark_sentences(evaluation)})
        for (const std::string& sentence : sentences)
            text += sentence + "\n";
    return text;
}

std::string evaluation_csv(const ModelEvaluation& evaluation) {
    std::string text =
        "model,matrix,fixed_csr_ms,fixed_csr_spread_ms,best_ms,speedup,speedup_error,"
        "best_schedule,best_known_ms,regret,best_known_schedule,kendall_tau,given_up,turns\r\n";
    for (const EvaluatedModel& model : evaluation.models)
        for (const EvaluatedMatrix& matrix : model.matrices)
            fmt::format_to(
                std::back_inserter(text), "{},{},{:.6f},{},{:.6f},{:.4f},{},{},{:.6f},{:.4f},{},{},{},{}\r\n",
                csv_field(model.name), csv_field(matrix.times.matrix), matrix.times.fixed_csr_ms,
                optional_number(matrix.fixed_csr_spread_ms), matrix.times.best_ms, matrix.times.speedup(),
                optional_number(matrix.speedup_error), csv_field(matrix.best_schedule),
                matrix.times.best_known_ms, matrix.times.regret(), csv_field(matrix.best_known_schedule),
                optional_number(matrix.kendall_tau), matrix.best_was_given_up ? 1 : 0, matrix.turns);
    return text;
}

std::string evaluation_markdown(const ModelEvaluation& evaluation) {
    std::string text =
        setting_sentence(evaluation) + "\n\n" + markdown_text(summary_table(evaluation)) + "\n";
    for (const auto& sentences : {comparison_sentences(evaluation), remark_sentences(evaluation)})
        for (const std::string& sentence : sentences)
            text += "- " + sentence + "\n";
    return text + "\n" + markdown_text(matrix_table(evaluation));
}

} // namespace sparsight

// The figures of the study of blocks as tables of text.
#pragma once

#include "domains/blocks/study/study_figures.h"
#include "evaluation/reports/evaluation_tables.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

using StudyFigures = std::vector<StudyFigure>;

[[nodiscard]] std::vector<const StudyFigure*> of_section(const StudyFigures& figures,
                                                         std::string_view section);
/// nullptr: there is none.
[[nodiscard]] const StudyFigure* find_figure(const std::vector<const StudyFigure*>& figures,
                                             const std::string& model, const std::string& of,
                                             std::string_view figure);
/// The values of a member in their order.
template <typename Value>
[[nodiscard]] std::vector<Value> each_once(const std::vector<const StudyFigure*>& figures,
                                           Value StudyFigure::* member) {
    std::vector<Value> values;
    for (const StudyFigure* const figure : figures)
        if (std::ranges::find(values, figure->*member) == values.end())
            values.push_back(figure->*member);
    return values;
}

/// "11.3 % [10.9, 11.8]"
[[nodiscard]] std::string estimate_text(const StudyFigure& figure);

/// A row for each model and machine.
[[nodiscard]] TextTable accuracy_table(const StudyFigures& figures);
/// A row for each part of the blocks, a column for each model.
[[nodiscard]] TextTable parts_table(const StudyFigures& figures, std::string_view section, const char* what);
[[nodiscard]] TextTable difference_table(const StudyFigures& figures, std::string_view section);
/// A column for each number of blocks.
[[nodiscard]] TextTable transfer_table(const StudyFigures& figures);
/// A row for each model and what it is of, a column for each figure.
[[nodiscard]] TextTable wide_table(const StudyFigures& figures, std::string_view section,
                                   const char* of_title);

} // namespace sparsight

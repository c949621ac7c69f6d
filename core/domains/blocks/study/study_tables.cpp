#include "domains/blocks/study/study_tables.h"

#include <fmt/format.h>
#include <iterator>

namespace sparsight {
namespace {

std::string number_text(double value, StudyUnit unit) {
    switch (unit) {
    case StudyUnit::Share:
        return fmt::format("{:.1f} %", 100 * value);
    case StudyUnit::Number:
        return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.3f}", value);
    case StudyUnit::Rate:
    case StudyUnit::Time:
        return value >= 10 ? fmt::format("{:.0f}", value) : fmt::format("{:.2g}", value);
    }
    return {};
}

/// "+0.4 points [+0.1, +0.7]"
std::string points_text(const StudyFigure& figure) {
    std::string text = fmt::format("{:+.2f} points", 100 * figure.estimate.value);
    if (const auto& interval = figure.estimate.interval)
        text += fmt::format(" [{:+.2f}, {:+.2f}]", 100 * interval->low, 100 * interval->high);
    return text;
}

} // namespace

std::vector<const StudyFigure*> of_section(const StudyFigures& figures, std::string_view section) {
    std::vector<const StudyFigure*> found;
    for (const StudyFigure& figure : figures)
        if (figure.section == section)
            found.push_back(&figure);
    return found;
}

const StudyFigure* find_figure(const std::vector<const StudyFigure*>& figures, const std::string& model,
                               const std::string& of, std::string_view figure) {
    const auto found = std::ranges::find_if(figures, [&](const StudyFigure* each) {
        return each->model == model && each->of == of && each->figure == figure;
    });
    return found == figures.end() ? nullptr : *found;
}

std::string estimate_text(const StudyFigure& figure) {
    std::string text = number_text(figure.estimate.value, figure.unit);
    if (!figure.estimate.interval)
        return text;
    const auto& [low, high] = *figure.estimate.interval;
    return text + (figure.unit == StudyUnit::Share ? fmt::format(" [{:.1f}, {:.1f}]", 100 * low, 100 * high)
                                                   : fmt::format(" [{:.3f}, {:.3f}]", low, high));
}

TextTable accuracy_table(const StudyFigures& figures) {
    const auto all = of_section(figures, "accuracy");
    TextTable table{{"model", "machine", "mean error (MAPE)", "median error", "Kendall's tau", "trainings",
                     "test blocks"},
                    {}};
    for (const std::string& model : each_once(all, &StudyFigure::model))
        for (const std::string& of : each_once(all, &StudyFigure::of)) {
            const StudyFigure* const error = find_figure(all, model, of, mean_error);
            if (error == nullptr)
                continue;
            std::vector<std::string> row{model, of};
            for (const std::string_view name : {mean_error, median_error, tau_figure}) {
                const StudyFigure* const figure = find_figure(all, model, of, name);
                row.push_back(figure == nullptr ? "" : estimate_text(*figure));
            }
            row.push_back(fmt::to_string(error->seeds));
            row.push_back(fmt::to_string(error->blocks));
            table.rows.push_back(std::move(row));
        }
    return table;
}

TextTable parts_table(const StudyFigures& figures, std::string_view section, const char* what) {
    const auto all = of_section(figures, section);
    const auto models = each_once(all, &StudyFigure::model);
    TextTable table{{what, "times of blocks"}, {}};
    table.header.insert(table.header.end(), models.begin(), models.end());
    for (const std::string& of : each_once(all, &StudyFigure::of)) {
        std::vector<std::string> row{of, ""};
        std::size_t blocks = 0;
        for (const std::string& model : models) {
            const StudyFigure* const figure = find_figure(all, model, of, mean_error);
            row.push_back(figure == nullptr ? "" : number_text(figure->estimate.value, figure->unit));
            blocks = std::max(blocks, figure == nullptr ? 0 : figure->blocks);
        }
        row[1] = fmt::to_string(blocks);
        table.rows.push_back(std::move(row));
    }
    return table;
}

TextTable difference_table(const StudyFigures& figures, std::string_view section) {
    TextTable table{
        {"model", "machine", "difference of the mean error", "verdict", "trainings of each", "test blocks"},
        {}};
    for (const StudyFigure* const figure : of_section(figures, section)) {
        const auto& interval = figure->estimate.interval;
        const char* const verdict = !interval            ? "not known"
                                    : interval->high < 0 ? "better beyond chance"
                                    : interval->low > 0  ? "worse beyond chance"
                                                         : "no difference beyond chance";
        table.rows.push_back({figure->model, figure->of, points_text(*figure), verdict,
                              fmt::to_string(figure->seeds), fmt::to_string(figure->blocks)});
    }
    return table;
}

TextTable transfer_table(const StudyFigures& figures) {
    const auto all = of_section(figures, "transfer");
    auto shots = each_once(all, &StudyFigure::shots);
    std::ranges::sort(shots);
    TextTable table{{"model", "new machine"}, {}};
    for (const std::size_t count : shots)
        table.header.push_back(fmt::format("{} blocks", count));
    table.header.emplace_back("draws");
    for (const std::string& model : each_once(all, &StudyFigure::model))
        for (const std::string& of : each_once(all, &StudyFigure::of)) {
            std::vector<std::string> row{model, of};
            std::size_t draws = 0;
            for (const std::size_t count : shots) {
                const auto found = std::ranges::find_if(all, [&](const StudyFigure* each) {
                    return each->model == model && each->of == of && each->shots == count;
                });
                row.push_back(found == all.end() ? "" : estimate_text(**found));
                draws = std::max(draws, found == all.end() ? 0 : (*found)->seeds);
            }
            row.push_back(fmt::to_string(draws));
            if (draws > 0)
                table.rows.push_back(std::move(row));
        }
    return table;
}

TextTable wide_table(const StudyFigures& figures, std::string_view section, const char* of_title) {
    const auto all = of_section(figures, section);
    const auto names = each_once(all, &StudyFigure::figure);
    TextTable table{{"model", of_title}, {}};
    table.header.insert(table.header.end(), names.begin(), names.end());
    for (const std::string& model : each_once(all, &StudyFigure::model))
        for (const std::string& of : each_once(all, &StudyFigure::of)) {
            std::vector<std::string> row{model, of};
            bool has_some = false;
            for (const std::string& name : names) {
                const StudyFigure* const figure = find_figure(all, model, of, name);
                row.push_back(figure == nullptr ? "" : estimate_text(*figure));
                has_some = has_some || figure != nullptr;
            }
            if (has_some)
                table.rows.push_back(std::move(row));
        }
    return table;
}

} // namespace sparsight

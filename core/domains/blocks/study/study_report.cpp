#include "domains/blocks/study/study_report.h"

#include "base/reading/csv_table.h"
#include "base/text.h"
#include "domains/blocks/study/analysed_cells.h"
#include "domains/blocks/study/study_tables.h"
#include "evaluation/reports/curve_figure.h"
#include "evaluation/reports/html.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace sparsight {
namespace {

constexpr std::string_view study_title = "Cost models of basic blocks";

TextTable published_table(const std::vector<PublishedFigure>& published) {
    TextTable table{{"tool", "machine", "figure", "value", "source", "how it is known"}, {}};
    for (const PublishedFigure& each : published)
        table.rows.push_back({each.tool, each.machine, each.metric, each.value, each.source, each.status});
    return table;
}

struct Section {
    std::string heading;
    std::string about;
    TextTable table;
};

std::vector<Section> sections(const BlockStudyReport& report) {
    const StudyFigures& figures = report.figures;
    std::vector<Section> all{
        {"Errors on each machine", "Blocks of groups that no model has learned from.",
         accuracy_table(figures)},
        {"One model for all machines, or one for each",
         "The mean error of the model of all machines less that of the model of one, paired by block. Below "
         "0 the joint model is better.",
         difference_table(figures, "multi-task")},
        {"GRANITE without parts of it",
         "The mean error of each variant less that of GRANITE, paired by block. Above 0 the part helps.",
         difference_table(figures, "ablations")},
        {"A new machine",
         "Mean error after learning from a few blocks of a machine. Fine-tuned and meta-learned models know "
         "the other machines.",
         transfer_table(figures)},
        {"Throughput",
         "Core seconds are the time of one core, whatever else the computer did. Inference includes encoding "
         "of decoded blocks.",
         wide_table(figures, "throughput", "machines")},
        {"Mean error by instruction class", "A block counts in every class of its instructions.",
         parts_table(figures, "classes", "class")},
        {"Mean error by application", "A block counts for each application that it is from.",
         parts_table(figures, "applications", "application")},
        {"Similarity of explanations",
         "Each model is asked why it says what it says. Similarity is the share of features that both "
         "explanations have.",
         wide_table(figures, "explanations", "blocks")},
        {"What others report", "From other training data or other blocks, unless the source says otherwise.",
         published_table(report.published)}};
    std::erase_if(all, [](const Section& section) { return section.table.rows.empty(); });
    return all;
}

/// Short, since all names stand above the curves in one line.
std::string curve_name(const std::string& model) {
    const std::string way = model.substr(std::min(model.rfind(", "), model.size() - 2) + 2);
    return model.starts_with("Gray box") ? "gray, " + way : way;
}

struct Goal {
    std::string_view model; ///< the beginning of its title
    std::string_view name;
    double error;
};
constexpr std::array study_goals{Goal{"Ithemal,", "Ithemal", 0.125}, Goal{"GRANITE,", "GRANITE", 0.10},
                                 Goal{"Gray box", "the gray box", 0.09}};
constexpr double tau_goal = 0.85;

/// On each machine the best of its trainings, of one machine or of all.
std::vector<std::string> goal_sentences(const StudyFigures& figures) {
    const auto all = of_section(figures, "accuracy");
    std::vector<std::string> sentences;
    for (const Goal& goal : study_goals)
        for (const std::string& of : each_once(all, &StudyFigure::of)) {
            const StudyFigure* best = nullptr;
            for (const StudyFigure* const each : all)
                if (each->model.starts_with(goal.model) && each->of == of && each->figure == mean_error &&
                    (best == nullptr || each->estimate.value < best->estimate.value))
                    best = each;
            if (best == nullptr)
                continue;
            const double missed = best->estimate.value - goal.error;
            sentences.push_back(
                fmt::format("{} on {}: mean error {} ({}); the goal of {:.1f} % is {}.", goal.name, of,
                            estimate_text(*best), best->model, 100 * goal.error,
                            missed <= 0 ? "reached" : fmt::format("missed by {:.1f} points", 100 * missed)));
            const StudyFigure* const tau = find_figure(all, best->model, of, tau_figure);
            if (tau != nullptr)
                sentences.push_back(fmt::format(
                    "{} on {}: tau {}; the goal of {} is {}.", goal.name, of, estimate_text(*tau), tau_goal,
                    tau->estimate.value >= tau_goal
                        ? "reached"
                        : fmt::format("missed by {:.3f}", tau_goal - tau->estimate.value)));
        }
    for (std::string& sentence : sentences)
        sentence = capitalised(std::move(sentence));
    return sentences;
}

std::vector<std::string> study_sentences(const BlockStudy& study) {
    const StudySizes& sizes = study.sizes;
    std::vector<std::string> titles;
    std::vector<std::string> counts;
    for (std::size_t machine = 0; machine < study.blocks.machines.size(); ++machine) {
        titles.push_back(machine_title(study.blocks.machines[machine]));
        counts.push_back(fmt::format("{} ({}, {} and {})", titles.back(),
                                     study.blocks.count(StudySide::Train, machine),
                                     study.blocks.count(StudySide::Validation, machine),
                                     study.blocks.count(StudySide::Test, machine)));
    }
    std::vector<std::string> all{
        fmt::format("Blocks for training, validation and test: {}.", fmt::join(counts, "; ")),
        "Blocks that differ in constants alone are a group, and a group is on one side.",
        fmt::format("{} of groups that have held-out blocks are left out.",
                    counted(study.blocks.apart, "block", "blocks")),
        "Times of Zen+ are not used, unless --machines names it: its blocks are variants of each other.",
        "Brackets are 95 % intervals by a bootstrap over groups. Several trainings are averaged by block.",
        fmt::format("Networks are {} wide. Ithemal learns for {} epochs, GRANITE for {}. The published sizes "
                    "are presets of `train`: ithemal2019 and granite2022.",
                    sizes.width, sizes.ithemal_epochs, sizes.granite_epochs),
        fmt::format("What trains in at most ten minutes is trained {} times, all else {} times. Trees draw "
                    "nothing at random, so they are trained once.",
                    sizes.seeds, sizes.long_seeds),
        fmt::format("Blocks of a new machine are drawn by group: one block of each of the first groups in a "
                    "random order, {} times.",
                    sizes.draws),
        "A new machine begins with the output layer of the first known one. Scratch means no other machine.",
        "Meta-learning is first-order MAML with three inner steps; each other machine is a task.",
        fmt::format(
            "Explanations are of test blocks of {} with {} to {} instructions. A cost within {} cycles "
            "is the same.",
            titles.empty() ? std::string() : titles.front(), fewest_explained_instructions,
            most_explained_instructions, explained_tolerance)};
    return all;
}

std::string lead_sentence(const StudyFigures& figures) {
    const StudyFigure* best = nullptr;
    for (const StudyFigure& figure : figures)
        if (figure.section == "accuracy" && figure.figure == mean_error &&
            (best == nullptr || figure.estimate.value < best->estimate.value))
            best = &figure;
    if (best == nullptr)
        return "No model has predicted the test blocks yet.";
    return fmt::format("The smallest mean error is {}: {} on {}.", estimate_text(*best), best->model,
                       best->of);
}

} // namespace

Result<std::vector<PublishedFigure>> read_published_figures(const std::filesystem::path& file,
                                                            const std::vector<std::string>& machines) {
    auto table = CsvTable::open(file);
    if (!table)
        return std::unexpected(std::move(table).error());
    constexpr std::array<std::string_view, 6> names{"paper_or_source", "uarch", "tool",
                                                    "metric",          "value", "status"};
    std::array<std::size_t, names.size()> columns{};
    for (std::size_t at = 0; at < names.size(); ++at) {
        const auto column = table->column(names[at]);
        if (!column)
            return fail_in_file(Fault::Input, table->file(), 1, fmt::format("has no column {}", names[at]));
        columns[at] = *column;
    }
    std::vector<PublishedFigure> figures;
    while (true) {
        const auto more = table->next();
        if (!more)
            return std::unexpected(more.error());
        if (!*more)
            return figures;
        if (table->defect())
            return std::unexpected(*table->defect());
        const auto text = [&](std::size_t column) { return std::string(table->field(columns[column])); };
        std::string machine = text(1);
        std::ranges::transform(machine, machine.begin(),
                               [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
        if (std::ranges::find(machines, machine) != machines.end() &&
            (text(3) == "MAPE_percent" || text(3) == "kendall_tau"))
            figures.push_back({text(0), machine_title(machine), text(2), text(3), text(4), text(5)});
    }
}

BlockStudyReport::BlockStudyReport(const BlockStudy& study, std::vector<PublishedFigure> of_others)
    : published(std::move(of_others))
    , created_by(study.created_by) {
    for (auto some : {accuracy_figures(study), difference_figures(study), transfer_figures(study),
                      throughput_figures(study), explanation_figures(study)})
        figures.insert(figures.end(), some.begin(), some.end());
    goals = goal_sentences(figures);
    sentences = study_sentences(study);
    for (const StudyCell& cell : study.missing)
        missing.push_back(describe(cell));
    lead = lead_sentence(figures);
}

std::string BlockStudyReport::text() const {
    std::string text = lead + "\n\n";
    for (const Section& section : sections(*this))
        if (section.table.rows.size() <= 60)
            text += fmt::format("{}\n{}\n", section.heading, aligned_text(section.table));
    for (const auto& list : {goals, sentences})
        for (const std::string& sentence : list)
            text += sentence + "\n";
    if (!missing.empty())
        text += fmt::format("{} not finished: the same command goes on with them.\n",
                            counted(missing.size(), "cell is", "cells are"));
    return text;
}

std::string BlockStudyReport::markdown() const {
    std::string text = fmt::format("# {}\n\n{}\n\n{}\n\n", study_title, created_by, lead);
    for (const Section& section : sections(*this))
        text +=
            fmt::format("## {}\n\n{}\n\n{}\n", section.heading, section.about, markdown_text(section.table));
    const auto add_list = [&](const char* heading, const std::vector<std::string>& list) {
        if (!list.empty())
            text += fmt::format("## {}\n\n", heading);
        for (const std::string& each : list)
            text += fmt::format("- {}\n", each);
        text += "\n";
    };
    add_list("Goals", goals);
    add_list("What was compared", sentences);
    add_list("Not finished", missing);
    return text;
}

std::string BlockStudyReport::csv() const {
    std::string text = "section,model,of,figure,shots,value,low,high,trainings,blocks\r\n";
    for (const StudyFigure& figure : figures) {
        const auto& interval = figure.estimate.interval;
        text +=
            fmt::format("{},{},{},{},{},{:.6g},{},{},{},{}\r\n", figure.section, csv_field(figure.model),
                        csv_field(figure.of), csv_field(figure.figure), figure.shots, figure.estimate.value,
                        interval ? fmt::format("{:.6g}", interval->low) : "",
                        interval ? fmt::format("{:.6g}", interval->high) : "", figure.seeds, figure.blocks);
    }
    return text;
}

nlohmann::ordered_json BlockStudyReport::json() const {
    auto estimates = nlohmann::ordered_json::array();
    for (const StudyFigure& figure : figures)
        estimates.push_back({{"section", figure.section},
                             {"model", figure.model},
                             {"of", figure.of},
                             {"figure", figure.figure},
                             {"shots", figure.shots},
                             {"estimate", estimate_json(figure.estimate)},
                             {"trainings", figure.seeds},
                             {"blocks", figure.blocks}});
    return {{"lead", lead},
            {"estimates", std::move(estimates)},
            {"goals", goals},
            {"notes", sentences},
            {"not_finished", missing}};
}

std::string BlockStudyReport::figure() const {
    const auto all = of_section(figures, "transfer");
    CurveFigure curves{.curves = {},
                       .about = "mean error by blocks of a new machine",
                       .across = "blocks of the new machine",
                       .upward = "mean error, mean over new machines",
                       .in_percent = true};
    std::set<double> ticks;
    for (const std::string& model : each_once(all, &StudyFigure::model)) {
        NamedCurve curve{curve_name(model), {}};
        std::map<std::size_t, std::pair<double, int>> sums;
        for (const StudyFigure* const each : all)
            if (each->model == model) {
                sums[each->shots].first += each->estimate.value;
                ++sums[each->shots].second;
            }
        for (const auto& [shots, sum] : sums) {
            curve.points.emplace_back(static_cast<double>(shots), sum.first / sum.second);
            ticks.insert(static_cast<double>(shots));
        }
        curves.curves.push_back(std::move(curve));
    }
    curves.ticks.assign(ticks.begin(), ticks.end());
    return curves.curves.empty() ? std::string() : figure_of(std::array{curve_panel(curves)});
}

std::string BlockStudyReport::html() const {
    std::string body = fmt::format("<h1>{}</h1>\n<p class=\"lead\">{}</p>\n<p>{}</p>\n", study_title,
                                   html_text(created_by), html_text(lead));
    const auto add_list = [&](const char* heading, const std::vector<std::string>& list) {
        if (list.empty())
            return;
        body += fmt::format("<h2>{}</h2>\n<ul>\n", heading);
        for (const std::string& each : list)
            body += fmt::format("<li>{}</li>\n", html_text(each));
        body += "</ul>\n";
    };
    add_list("Goals", goals);
    for (const Section& section : sections(*this)) {
        body += fmt::format("<h2>{}</h2>\n<p class=\"faint\">{}</p>\n", html_text(section.heading),
                            html_text(section.about));
        if (section.heading == "A new machine")
            body += fmt::format("<figure>{}</figure>\n", figure());
        body += html_table(section.table);
    }
    add_list("What was compared", sentences);
    add_list("Not finished yet: the same command goes on with these", missing);
    return html_page(fmt::format("Sparsight: {}", study_title), body);
}

} // namespace sparsight

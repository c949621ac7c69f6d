// Throughput and explanations: what of the study is no error on a machine.
#include "domains/blocks/study/analysed_cells.h"
#include "domains/blocks/study/study_figures.h"
#include "study/ranking_metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>

namespace sparsight {
namespace {

constexpr BootstrapOptions block_resamples{.resamples = 1000, .seed = 1};

std::optional<double> figure_of(const CellResult& result, std::string_view name) {
    const auto found = result.figures.find(std::string(name));
    return found == result.figures.end() ? std::nullopt : std::optional(found->second);
}

/// The mean of a ratio of two figures over seeds.
std::optional<double> mean_rate(std::span<const CellResult* const> results, std::string_view count,
                                std::string_view seconds) {
    double sum = 0;
    int seeds = 0;
    for (const CellResult* const result : results) {
        const auto done = figure_of(*result, count);
        const auto time = figure_of(*result, seconds);
        if (!done || !time || !(*time > 0))
            continue;
        sum += *done / *time;
        ++seeds;
    }
    return seeds == 0 ? std::nullopt : std::optional(sum / seeds);
}

/// Core seconds of training until the validation's error is at most `error`; absent: never.
std::optional<double> seconds_until(const CellResult& result, double error) {
    const auto wall = figure_of(result, wall_seconds);
    const auto core = figure_of(result, core_seconds);
    for (const auto& [seconds, of_epoch] : result.curve)
        if (of_epoch <= error && wall && core && *wall > 0)
            return seconds * *core / *wall;
    return std::nullopt;
}

std::optional<double> best_error(const CellResult& result) {
    const auto best = std::ranges::min_element(result.curve, {}, &std::pair<double, double>::second);
    return best == result.curve.end() ? std::nullopt : std::optional(best->second);
}

} // namespace

std::vector<StudyFigure> throughput_figures(const BlockStudy& study) {
    std::vector<StudyFigure> figures;
    for (const StudyCell& kind : study.kinds()) {
        if (!is_compared(kind))
            continue;
        const auto results = study.results(kind);
        std::vector<std::string> titles;
        for (const std::string& machine : kind.machines)
            titles.push_back(machine_title(machine));
        std::string of;
        for (const std::string& title : titles)
            of += (of.empty() ? "" : ", ") + title;
        const auto add = [&](const char* figure, std::optional<double> value, StudyUnit unit) {
            if (value)
                figures.push_back({"throughput", model_title(study, kind), of, figure,
                                   Estimate{*value, std::nullopt}, unit, results.size(), 0, 0});
        };
        add("training, blocks a core second", mean_rate(results, blocks_trained, core_seconds),
            StudyUnit::Rate);
        add("inference, blocks a core second", mean_rate(results, blocks_predicted, inference_seconds),
            StudyUnit::Rate);
        double seconds = 0;
        for (const CellResult* const result : results)
            seconds += figure_of(*result, core_seconds).value_or(0) / static_cast<double>(results.size());
        if (seconds > 0)
            add("training, core seconds", seconds, StudyUnit::Time);
        if (!results.empty())
            add("weights", figure_of(*results.front(), weights_count), StudyUnit::Number);
        // Ithemal and GRANITE at the error that both reach.
        if (kind.model != "ithemal" && kind.model != "granite")
            continue;
        StudyCell other = kind;
        other.model = kind.model == "ithemal" ? "granite" : "ithemal";
        other.epochs = kind.model == "ithemal" ? study.sizes.granite_epochs : study.sizes.ithemal_epochs;
        const auto rivals = study.results(other);
        if (rivals.empty() || results.empty())
            continue;
        const auto mine = best_error(*results.front());
        const auto theirs = best_error(*rivals.front());
        if (!mine || !theirs)
            continue;
        const double both = std::max(*mine, *theirs);
        add("validation error that both reach", both, StudyUnit::Share);
        add("core seconds until then", seconds_until(*results.front(), both), StudyUnit::Time);
    }
    return figures;
}

std::vector<StudyFigure> explanation_figures(const BlockStudy& study) {
    std::vector<StudyFigure> figures;
    for (const auto& [cell, result] : study.cells) {
        if (cell.model != explanations_cell || result.predicted.empty())
            continue;
        const auto& similarity = result.predicted.at(std::string(explained_similarity));
        const auto& learned = result.predicted.at(std::string(explained_learned));
        const auto& bound = result.predicted.at(std::string(explained_bound));
        std::map<std::string, std::vector<double>> differences; // of predictions, by kind of similarity
        std::vector<double> alike;
        std::vector<double> apart;
        for (const auto& [block, value] : similarity) {
            const double one = learned.at(block);
            const double other = bound.at(block);
            const double difference = std::abs(one - other) / std::max((one + other) / 2, 1e-9);
            alike.push_back(value);
            apart.push_back(-difference);
            differences[value >= 1  ? "the same features"
                        : value > 0 ? "some features in common"
                                    : "no feature in common"]
                .push_back(difference);
            differences["all"].push_back(difference);
        }
        const auto add = [&](const std::string& of, const char* figure, const Estimate& estimate,
                             StudyUnit unit, std::size_t blocks) {
            figures.push_back(
                {"explanations", "Ithemal beside the bound", of, figure, estimate, unit, 1, blocks, 0});
        };
        for (const auto& [of, values] : differences)
            add(of, "difference of the predictions", bootstrap(values, &mean, block_resamples),
                StudyUnit::Share, values.size());
        add("all", "similarity of the explanations", bootstrap(alike, &mean, block_resamples),
            StudyUnit::Number, alike.size());
        std::vector<double> places(alike.size());
        std::iota(places.begin(), places.end(), 0.0);
        const auto tau = [&](std::span<const double> drawn) {
            std::vector<double> one;
            std::vector<double> other;
            for (const double place : drawn) {
                one.push_back(alike[static_cast<std::size_t>(place)]);
                other.push_back(apart[static_cast<std::size_t>(place)]);
            }
            return kendall_tau_b(count_pairs(one, other)).value_or(0);
        };
        if (alike.size() > 1)
            add("all", "tau of both similarities", bootstrap(places, tau, block_resamples), StudyUnit::Number,
                alike.size());
    }
    return figures;
}

} // namespace sparsight

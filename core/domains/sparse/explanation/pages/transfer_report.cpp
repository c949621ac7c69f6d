#include "domains/sparse/explanation/pages/transfer_report.h"

#include "base/text.h"
#include "domains/sparse/explanation/pages/transfer_experiment.h"
#include "evaluation/reports/evaluation_tables.h"
#include "evaluation/reports/figures.h"
#include "evaluation/reports/html.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace sparsight {

namespace {

using Json = nlohmann::ordered_json;

Json interval_json(const Estimate& estimate) {
    return {{"value", estimate.value},
            {"low", estimate.interval ? Json(estimate.interval->low) : Json()},
            {"high", estimate.interval ? Json(estimate.interval->high) : Json()}};
}

Json estimates_json(const TransferExperiment& experiment) {
    Json estimates = Json::array();
    for (const TransferTargetFacts& target : experiment.targets)
        for (const std::string& source : experiment.sources)
            for (const std::size_t shots : shots_on(experiment, target.machine)) {
                Json one{{"target", target.machine}, {"source", source}, {"shots", shots}};
                for (const TransferMetric& metric : transfer_metrics())
                    if (const auto found =
                            transfer_estimate(experiment, target.machine, source, shots, metric.name))
                        one[std::string(metric.name)] = interval_json(*found);
                estimates.push_back(std::move(one));
            }
    return estimates;
}

} // namespace

namespace {

std::string title_of(const TransferExperiment& experiment) {
    switch (experiment.kind) {
    case ExperimentKind::Contributions:
        return fmt::format("What each part of {} contributes",
                           experiment.sources.empty() ? "a model" : experiment.sources.front());
    case ExperimentKind::Methods:
        return "Which method learns most from few measurements";
    case ExperimentKind::Sources:
        break;
    }
    return "What to learn from before a new machine";
}

std::string comparisons_title(const TransferExperiment& experiment) {
    if (!experiment.is_about_first())
        return "Which source is better";
    return experiment.kind == ExperimentKind::Methods && !experiment.sources.empty()
               ? fmt::format("How far {} is ahead", source_title(experiment.sources.front()))
               : "How far the model is ahead";
}

/// Of a table of differences.
std::string difference_title(const TransferExperiment& experiment, const TransferMetric& metric) {
    return fmt::format("{}: {} less each contender", metric.title, experiment.sources.front());
}

} // namespace

std::string transfer_text(const TransferExperiment& experiment) {
    const TransferMetric& pairs = transfer_metrics().front();
    std::string text = fmt::format(
        "Share of pairs of schedules in the right order, by matrices of the new machine that were learned "
        "from (in brackets: {})\n\n{}",
        interval_words(experiment), aligned_text(curve_table(experiment, pairs)));
    if (experiment.is_about_first())
        for (const TransferMetric& metric : transfer_metrics())
            text += fmt::format("\n{}\n\n{}", difference_title(experiment, metric),
                                aligned_text(difference_table(experiment, metric)));
    text += fmt::format("\nMean over the curve, one source less another on the same seeds, in points\n\n{}\n",
                        aligned_text(comparison_table(experiment)));
    for (const std::string& sentence : transfer_sentences(experiment))
        text += sentence + "\n";
    return text;
}

std::string transfer_markdown(const TransferExperiment& experiment) {
    std::string text = fmt::format("# {}\n\n## {}\n\n{}", title_of(experiment), comparisons_title(experiment),
                                   markdown_text(comparison_table(experiment)));
    for (const TransferMetric& metric : transfer_metrics()) {
        text += fmt::format("\n## {}, by matrices of the new machine\n\n{}", metric.title,
                            markdown_text(curve_table(experiment, metric)));
        if (experiment.is_about_first())
            text += fmt::format("\n{}:\n\n{}", difference_title(experiment, metric),
                                markdown_text(difference_table(experiment, metric)));
    }
    text += "\n## What was compared\n\n";
    for (const std::string& sentence : transfer_sentences(experiment))
        text += "- " + sentence + "\n";
    return text;
}

std::string transfer_csv(const TransferExperiment& experiment) {
    std::string text = "target,source,seed,shots";
    for (const TransferMetric& metric : transfer_metrics())
        fmt::format_to(std::back_inserter(text), ",{}", metric.name);
    text += "\r\n";
    for (const TransferPoint& point : experiment.points) {
        fmt::format_to(std::back_inserter(text), "{},{},{},{}", csv_field(point.target),
                       csv_field(point.source), point.seed, point.shots);
        for (const TransferMetric& metric : transfer_metrics()) {
            const auto value = point.metrics.find(std::string(metric.name));
            text += value == point.metrics.end() ? "," : fmt::format(",{:.6g}", value->second);
        }
        text += "\r\n";
    }
    return text;
}

std::string transfer_html(const TransferExperiment& experiment) {
    std::string body =
        fmt::format("<h1>{}</h1>\n<p class=\"lead\">How well models rank "
                    "schedules of a machine that they have not seen, after few and after many of its "
                    "matrices; {}</p>\n",
                    html_text(title_of(experiment)), html_text(experiment.created_by));
    body += fmt::format("<figure>{}</figure>\n", transfer_figure(experiment, transfer_metrics().front()));
    body += fmt::format("<h2>{}</h2>\n<p class=\"faint\">Mean over the curve of the share of pairs in "
                        "the right order, one source less another on the same seeds, in points.</p>\n{}",
                        comparisons_title(experiment), html_table(comparison_table(experiment)));
    for (const TransferMetric& metric : transfer_metrics()) {
        body += fmt::format("<h2>{}, by matrices of the new machine</h2>\n", html_text(metric.title));
        if (&metric != &transfer_metrics().front()) // that one stands above
            body += fmt::format("<figure>{}</figure>\n", transfer_figure(experiment, metric));
        body += html_table(curve_table(experiment, metric));
        if (experiment.is_about_first())
            body +=
                fmt::format("<p class=\"faint\">{}</p>\n{}", html_text(difference_title(experiment, metric)),
                            html_table(difference_table(experiment, metric)));
    }
    body += "<h2>What was compared</h2>\n<ul>\n";
    for (const std::string& sentence : transfer_sentences(experiment))
        body += fmt::format("<li>{}</li>\n", html_text(sentence));
    body += "</ul>\n";
    return html_page("Sparsight: " + title_of(experiment), body);
}

Json transfer_json(const TransferExperiment& experiment) {
    Json targets = Json::array();
    for (const TransferTargetFacts& target : experiment.targets)
        targets.push_back({{"machine", target.machine},
                           {"matrices", target.matrices},
                           {"imagined_from", target.imagined_from}});
    Json comparisons = Json::array();
    for (const TransferComparison& comparison : transfer_comparisons(experiment)) {
        Json one{{"target", comparison.target},
                 {"better", comparison.better},
                 {"than", comparison.than},
                 {"seeds", comparison.seeds}};
        one.update(interval_json(comparison.difference));
        comparisons.push_back(std::move(one));
    }
    Json trainings = Json::array();
    for (const TransferTrainingFacts& each : experiment.trainings)
        trainings.push_back({{"target", each.target},
                             {"source", each.source},
                             {"seed", each.seed},
                             {"machines", each.machines},
                             {"steps", each.steps},
                             {"examples", each.examples}});
    Json points = Json::array();
    for (const TransferPoint& point : experiment.points)
        points.push_back({{"target", point.target},
                          {"source", point.source},
                          {"seed", point.seed},
                          {"shots", point.shots},
                          {"metrics", point.metrics}});
    return {{"operator", experiment.op},
            {"dense", experiment.dense},
            {"targets", std::move(targets)},
            {"sources", experiment.sources},
            {"estimates", estimates_json(experiment)},
            {"comparisons", std::move(comparisons)},
            {"trainings", std::move(trainings)},
            {"points", std::move(points)},
            {"notes", experiment.notes}};
}

namespace {

constexpr double panel_width = 340;
constexpr double panel_left = 46; ///< of a panel, for its numbers
constexpr double panel_gap = 14;  ///< right of a panel
constexpr double legend_bottom = 26;
constexpr double plot_top = 58; ///< of the plots, below legend and titles
constexpr double plot_bottom = 300;
constexpr double figure_height = plot_bottom + 42;
constexpr std::size_t curve_colours = 5; ///< of html.cpp
constexpr double legend_row = 18;

/// Far apart where they are few: one matrix more is much, when there is one.
double spread_out(std::size_t shots) {
    return std::log1p(static_cast<double>(shots));
}

struct CurvePoint {
    std::size_t shots = 0;
    Estimate estimate;

    [[nodiscard]] double low() const { return estimate.interval ? estimate.interval->low : estimate.value; }
    [[nodiscard]] double high() const { return estimate.interval ? estimate.interval->high : estimate.value; }
};
using Curve = std::vector<CurvePoint>;

struct Panel {
    std::string title;
    std::vector<std::size_t> shots;
    std::vector<Curve> curves; ///< by source
};

std::vector<Panel> panels_of(const TransferExperiment& experiment, std::string_view metric) {
    std::vector<Panel> panels;
    for (const TransferTargetFacts& target : experiment.targets) {
        Panel panel{target.machine, shots_on(experiment, target.machine), {}};
        for (const std::string& source : experiment.sources) {
            Curve curve;
            for (const std::size_t shots : panel.shots)
                if (const auto found = transfer_estimate(experiment, target.machine, source, shots, metric))
                    curve.push_back({shots, *found});
            panel.curves.push_back(std::move(curve));
        }
        panels.push_back(std::move(panel));
    }
    return panels;
}

struct Range {
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();
};

Range range_of(const std::vector<Panel>& panels) {
    Range range;
    for (const Panel& panel : panels)
        for (const Curve& curve : panel.curves)
            for (const CurvePoint& point : curve) {
                range.lowest = std::min(range.lowest, point.low());
                range.highest = std::max(range.highest, point.high());
            }
    return range;
}

class Drawing {
public:
    Drawing(std::size_t panels, const TransferMetric& metric, const Range& range,
            const std::vector<std::string>& sources)
        : metric_(metric)
        , upward_(SvgAxis::linear(range.lowest, range.highest, plot_bottom, plot_top))
        , sources_(sources.size()) {
        const double width = static_cast<double>(panels) * panel_width;
        const std::string legend = legend_of(sources, width);
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" style=\"max-width:{}px\" "
            "role=\"img\" aria-label=\"{} by matrices learned from\">\n<rect class=\"paper\" width=\"{}\" "
            "height=\"{}\"/>\n",
            width, figure_height + moved_, width, html_text(metric.title), width, figure_height + moved_);
        text_ += legend;
        add("<g transform=\"translate(0 {})\">\n", moved_);
    }

    void add_panel(std::size_t number, const Panel& panel) {
        const double from = static_cast<double>(number) * panel_width + panel_left;
        const double to = from - panel_left + panel_width - panel_gap;
        add("<text x=\"{:.1f}\" y=\"{}\">{}</text>\n", from, plot_top - 12, html_text(panel.title));
        for (const double tick : upward_.ticks())
            add("<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/><text "
                "x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.4g}</text>\n",
                from, to, upward_.place(tick), upward_.place(tick), from - 7, upward_.place(tick) + 4, tick);
        const SvgAxis across =
            SvgAxis::linear(0, panel.shots.empty() ? 1 : spread_out(panel.shots.back()), from + 6, to - 10);
        // From the right: the largest number is always labelled.
        double last = std::numeric_limits<double>::infinity();
        for (auto shots = panel.shots.rbegin(); shots != panel.shots.rend(); ++shots) {
            const double x = across.place(spread_out(*shots));
            if (last - x < 22) // would lie on the number before
                continue;
            add("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x, plot_bottom + 18,
                *shots);
            last = x;
        }
        add("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">matrices of it learned from</text>\n",
            (from + to) / 2, figure_height - 6);
        for (std::size_t source = 0; source < panel.curves.size(); ++source)
            add_band(panel.curves[source], across, source);
        for (std::size_t source = 0; source < panel.curves.size(); ++source)
            add_curve(panel.curves[source], across, source);
    }

    [[nodiscard]] std::string finish() {
        add("<text transform=\"translate(11 {}) rotate(-90)\" "
            "text-anchor=\"middle\">{}</text>\n</g>\n</svg>\n",
            (plot_top + plot_bottom) / 2, html_text(metric_.title));
        return std::move(text_);
    }

private:
    template <typename... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    }

    /// In as many rows as it takes; all below is moved down by all but the first.
    std::string legend_of(const std::vector<std::string>& sources, double width) {
        constexpr double of_letter = 6.6;
        std::string legend;
        double x = panel_left;
        for (std::size_t source = 0; source < sources.size(); ++source) {
            const std::string_view title = source_title(sources[source]);
            const double taken = 46 + of_letter * static_cast<double>(title.size());
            if (x > panel_left && x + taken > width) {
                x = panel_left;
                moved_ += legend_row;
            }
            fmt::format_to(std::back_inserter(legend),
                           "<path {} d=\"M{:.1f} {} h22\"/><text x=\"{:.1f}\" y=\"{}\">{}</text>\n",
                           look_of(source), x, legend_bottom - 10 + moved_, x + 28,
                           legend_bottom - 6 + moved_, html_text(title));
            x += taken;
        }
        return legend;
    }

    /// Behind the last colour they are dashed, and begin with the first one again.
    static std::string look_of(std::size_t source) {
        return fmt::format("class=\"curve curve{}\"{}", source % curve_colours,
                           source < curve_colours ? "" : " style=\"stroke-dasharray:6 4\"");
    }

    void add_band(const Curve& curve, const SvgAxis& across, std::size_t source) {
        const bool is_crowded = sources_ > curve_colours && source > 0; // bands would hide the curves
        if (curve.size() < 2 || is_crowded)
            return;
        std::string path;
        for (const CurvePoint& point : curve)
            fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L',
                           across.place(spread_out(point.shots)), upward_.place(point.high()));
        for (auto point = curve.rbegin(); point != curve.rend(); ++point)
            fmt::format_to(std::back_inserter(path), "L{:.1f} {:.1f}", across.place(spread_out(point->shots)),
                           upward_.place(point->low()));
        add("<path class=\"curve{}\" style=\"fill:currentColor;fill-opacity:.13;stroke:none\" d=\"{}Z\"/>\n",
            source % curve_colours, path);
    }

    void add_curve(const Curve& curve, const SvgAxis& across, std::size_t source) {
        std::string path;
        for (const CurvePoint& point : curve)
            fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L',
                           across.place(spread_out(point.shots)), upward_.place(point.estimate.value));
        if (!path.empty())
            add("<path {} d=\"{}\"/>\n", look_of(source), path);
    }

    const TransferMetric& metric_;
    SvgAxis upward_;
    std::size_t sources_;
    double moved_ = 0; ///< below a legend of several rows
    std::string text_;
};

} // namespace

std::string transfer_figure(const TransferExperiment& experiment, const TransferMetric& metric) {
    const auto panels = panels_of(experiment, metric.name);
    const Range range = range_of(panels);
    if (!(range.lowest <= range.highest))
        return "";
    Drawing drawing(panels.size(), metric, range, experiment.sources);
    for (std::size_t number = 0; number < panels.size(); ++number)
        drawing.add_panel(number, panels[number]);
    return drawing.finish();
}

} // namespace sparsight

#include "evaluation/reports/figures.h"

#include "evaluation/reports/evaluation_tables.h"
#include "evaluation/reports/html.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace sparsight {

namespace {

/// Multiples of 1, 2 or 5 times a power of ten, about five of them.
std::vector<double> round_numbers(double lowest, double highest) {
    const double rough = (highest - lowest) / 5;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double ratio = rough / power;
    const double step = power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
    std::vector<double> numbers;
    // Counted in whole steps: sums of steps would miss 0 by a rounding error.
    for (double count = std::ceil(lowest / step - 1e-9); count * step <= highest + 1e-9 * step; ++count)
        numbers.push_back(count * step);
    return numbers;
}

std::vector<double> powers(double base, double lowest, double highest) {
    std::vector<double> numbers;
    const double first = std::ceil(std::log(lowest) / std::log(base) - 1e-9);
    const double last = std::floor(std::log(highest) / std::log(base) + 1e-9);
    const double stride = std::max(1.0, std::ceil((last - first) / 8));
    for (double exponent = std::ceil(first / stride) * stride; exponent <= last; exponent += stride)
        numbers.push_back(std::pow(base, exponent));
    return numbers;
}

} // namespace

SvgAxis SvgAxis::linear(double lowest, double highest, double from, double to) {
    SvgAxis axis;
    if (!(highest > lowest)) {
        const double margin = lowest == 0 ? 1 : std::abs(lowest) * 0.1;
        highest = lowest + margin;
        lowest -= margin;
    }
    axis.lowest_ = lowest;
    axis.highest_ = highest;
    axis.from_ = from;
    axis.to_ = to;
    axis.ticks_ = round_numbers(lowest, highest);
    return axis;
}

SvgAxis SvgAxis::logarithmic(double lowest, double highest, double from, double to) {
    if (!(highest > lowest * 1.0001)) {
        highest = lowest * 1.1;
        lowest /= 1.1;
    }
    SvgAxis axis;
    axis.is_logarithmic_ = true;
    axis.lowest_ = std::log(lowest);
    axis.highest_ = std::log(highest);
    axis.from_ = from;
    axis.to_ = to;
    const double ratio = highest / lowest;
    axis.ticks_ = ratio < 8      ? round_numbers(lowest, highest)
                  : ratio < 1000 ? powers(2, lowest, highest)
                                 : powers(10, lowest, highest);
    return axis;
}

double SvgAxis::place(double value) const {
    const double scaled = is_logarithmic_ ? std::log(value) : value;
    const double share = std::clamp((scaled - lowest_) / (highest_ - lowest_), 0.0, 1.0);
    return from_ + share * (to_ - from_);
}

namespace {

constexpr double width = 620;
constexpr double left = 64; ///< of the plot, right of the marks' numbers
constexpr double right = width - 12;
constexpr double top = 14;

class Figure {
public:
    Figure(double height, std::string_view description)
        : height_(height) {
        add("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", width, height,
            html_text(description));
    }

    template <typename... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    }

    /// Lines across the plot with their numbers beside it.
    void add_rows(const SvgAxis& axis, std::string_view unit) {
        for (const double tick : axis.ticks()) {
            const double y = axis.place(tick);
            add("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
                "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.4g}{}</text>\n",
                left, right, y, y, left - 8, y + 4, tick, unit);
        }
    }
    void add_columns(const SvgAxis& axis, double bottom) {
        for (const double tick : axis.ticks())
            add("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.4g}</text>\n", axis.place(tick),
                bottom + 18, tick);
    }
    void add_titles(std::string_view across, std::string_view upward, double bottom) {
        add("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", (left + right) / 2, height_ - 4,
            html_text(across));
        add("<text transform=\"translate(12 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            (top + bottom) / 2, html_text(upward));
    }
    /// Fixed CSR: grey, at 1×.
    void add_reference(double y) {
        add("<line class=\"reference\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", left, right, y,
            y);
    }
    std::string finish() {
        text_ += "</svg>\n";
        return std::move(text_);
    }

private:
    double height_;
    std::string text_;
};

/// At most `most` code points, with an ellipsis where some are left out.
std::string shortened(std::string_view text, std::size_t most) {
    std::size_t points = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool begins_point = (text[at] & '\xC0') != '\x80';
        if (begins_point && ++points > most)
            return std::string(text.substr(0, at)) + "…";
    }
    return std::string(text);
}

struct Dot {
    double score = 0;
    double time = 1; ///< over the baseline's
    Verdict verdict = Verdict::WithinNoise;
};

std::vector<Dot> dots_of(const EvaluatedModel& model, int k) {
    std::vector<Dot> dots;
    for (const EvaluatedWorkload& workload : model.workloads) {
        std::vector<Dot> own;
        double sum = 0;
        double squares = 0;
        for (const EvaluatedCandidate& candidate : workload.candidates) {
            const auto time = workload.over_baseline(candidate);
            if (candidate.rank > k || !candidate.score || !time ||
                candidate.status != MeasurementStatus::Measured)
                continue;
            own.push_back({*candidate.score, *time, *workload.verdict_of(candidate)});
            sum += *candidate.score;
            squares += *candidate.score * *candidate.score;
        }
        const auto count = static_cast<double>(own.size());
        const double variance = squares / count - sum / count * (sum / count);
        if (own.size() < 2 || !(variance > 0))
            continue;
        for (Dot& dot : own)
            dot.score = (dot.score - sum / count) / std::sqrt(variance);
        dots.insert(dots.end(), own.begin(), own.end());
    }
    return dots;
}

/// Gaps where a loss is no number.
std::string path_of(std::span<const MetricPoint> points, const SvgAxis& across, const SvgAxis& upward) {
    std::string path;
    bool is_begun = false;
    for (const MetricPoint& point : points) {
        if (!std::isfinite(point.value)) {
            is_begun = false;
            continue;
        }
        fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", is_begun ? 'L' : 'M',
                       across.place(static_cast<double>(point.step)), upward.place(point.value));
        is_begun = true;
    }
    return path;
}

} // namespace

SpeedupRange speedup_range(const ModelEvaluation& evaluation) {
    SpeedupRange range{0.9, 1.1};
    for (const EvaluatedModel& model : evaluation.models)
        for (const EvaluatedWorkload& workload : model.workloads) {
            range.lowest = std::min(range.lowest, workload.times.speedup() / 1.05);
            range.highest = std::max(range.highest, workload.times.speedup() * 1.05);
        }
    return range;
}

std::string speedup_bars(const EvaluatedModel& model, const SpeedupRange& range, bool are_simulated,
                         const DomainWords& words) {
    const std::string baseline = words.baseline ? words.baseline->one : "the best known";
    constexpr double bottom = 260;
    constexpr std::size_t most_names = 40;
    const bool has_names = model.workloads.size() <= most_names;
    Figure figure(bottom + (has_names ? 120 : 34),
                  fmt::format("Speedup of each {} over {}", words.workload.one, baseline));
    figure.add("<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
               "patternTransform=\"rotate(45)\"><rect class=\"paper\" width=\"2\" height=\"5\"/></pattern>"
               "</defs>\n");
    const SvgAxis upward = SvgAxis::logarithmic(range.lowest, range.highest, bottom, top);
    figure.add_rows(upward, "×");
    const auto places = by_speedup(model);
    const double step = (right - left) / static_cast<double>(places.size());
    const double thickness = std::min(44.0, step * 0.8);
    const double reference = upward.place(1);
    for (std::size_t at = 0; at < places.size(); ++at) {
        const EvaluatedWorkload& workload = model.workloads[places[at]];
        const double speedup = workload.times.speedup();
        const double end = upward.place(speedup);
        const double x = left + step * (static_cast<double>(at) + 0.5);
        const auto draw = [&](std::string_view look) {
            figure.add("<rect {} x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>", look,
                       x - thickness / 2, std::min(end, reference), thickness,
                       std::max(1.0, std::abs(end - reference)));
        };
        figure.add("<g><title>{}: {} ({:.4g} ms with {}, {:.4g} ms with the best of the chosen)"
                   "</title>",
                   html_text(workload.times.workload), speedup_text(speedup), workload.times.baseline_ms,
                   html_text(baseline), workload.times.best_ms);
        draw(fmt::format("class=\"{}\"{}", speedup < 1 ? "lose" : "win",
                         is_beyond_noise(workload.verdict()) ? "" : " fill-opacity=\"0.4\""));
        if (are_simulated)
            draw("fill=\"url(#hatch)\"");
        figure.add("</g>\n");
        if (has_names)
            figure.add("<text transform=\"translate({:.1f} {}) rotate(-45)\" text-anchor=\"end\">{}</text>\n",
                       x + 4, bottom + 16, html_text(shortened(workload.times.workload, 18)));
    }
    figure.add_reference(reference);
    figure.add_titles(has_names ? "" : words.workload.many + ", by speedup", "speedup over " + baseline,
                      bottom);
    return figure.finish();
}

std::string score_scatter(const EvaluatedModel& model, int k, const DomainWords& words) {
    constexpr double bottom = 260;
    const std::vector<Dot> dots = dots_of(model, k);
    if (dots.empty())
        return "";
    const auto scores = std::ranges::minmax(dots, {}, &Dot::score);
    const auto times = std::ranges::minmax(dots, {}, &Dot::time);
    Figure figure(bottom + 44, "Predicted score against measured time");
    const SvgAxis across = SvgAxis::linear(scores.min.score, scores.max.score, left + 8, right - 8);
    const SvgAxis upward = SvgAxis::logarithmic(std::min(0.9, times.min.time / 1.05),
                                                std::max(1.1, times.max.time * 1.05), bottom, top);
    figure.add_rows(upward, "×");
    figure.add_columns(across, bottom);
    figure.add_reference(upward.place(1));
    for (const Dot& dot : dots)
        figure.add("<circle class=\"{}{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>\n",
                   dot.time > 1 ? "lose" : "win", is_beyond_noise(dot.verdict) ? "" : " pale",
                   across.place(dot.score), upward.place(dot.time));
    figure.add_titles(
        fmt::format("predicted score, standardised within each {} (lower: predicted to be faster)",
                    words.workload.one),
        fmt::format("time over {}", words.baseline ? words.baseline->one + "'s" : "that of the best known"),
        bottom);
    return figure.finish();
}

std::string loss_figure(std::span<const LossCurves> curves) {
    constexpr double bottom = 260;
    constexpr int colours = 5; // of html.cpp
    double last = 1;
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -lowest;
    for (const LossCurves& curve : curves)
        for (const auto* points : {&curve.training, &curve.validation})
            for (const MetricPoint& point : *points) {
                last = std::max(last, static_cast<double>(point.step));
                if (!std::isfinite(point.value))
                    continue;
                lowest = std::min(lowest, point.value);
                highest = std::max(highest, point.value);
            }
    if (!(lowest <= highest))
        return "";
    Figure figure(bottom + 44, "Loss of the training runs by epoch");
    const double margin = (highest - lowest) * 0.04;
    const SvgAxis across = SvgAxis::linear(1, std::max(2.0, last), left, right);
    const SvgAxis upward = SvgAxis::linear(lowest - margin, highest + margin, bottom, top);
    figure.add_rows(upward, "");
    figure.add_columns(across, bottom);
    int number = 0;
    for (const LossCurves& curve : curves) {
        const int colour = number++ % colours;
        figure.add("<path class=\"curve curve{}\" d=\"{}\"/>\n", colour,
                   path_of(curve.training, across, upward));
        figure.add("<path class=\"curve validation curve{}\" d=\"{}\"/>\n", colour,
                   path_of(curve.validation, across, upward));
    }
    figure.add_titles("epoch", "loss", bottom);
    return figure.finish();
}

} // namespace sparsight

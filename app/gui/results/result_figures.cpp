#include "gui/results/result_figures.h"

#include "gui/jobs/counted_text.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace sparsight {

namespace {

struct Figures {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ResultFigures)
};

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

/// The places of the matrices, the greatest gain of that model, or of any, first.
std::vector<std::size_t> order_of(const ModelEvaluation& evaluation, std::optional<std::size_t> sorted_by) {
    std::vector<double> gains(evaluation.matrices(), 0);
    for (std::size_t model = 0; model < evaluation.models.size(); ++model)
        for (std::size_t place = 0; place < gains.size(); ++place)
            if (!sorted_by || *sorted_by == model)
                gains[place] =
                    std::max(gains[place], evaluation.models[model].matrices[place].times.speedup());
    std::vector<std::size_t> order(gains.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t place) { return gains[place]; });
    return order;
}

QString note_of(const EvaluatedMatrix& matrix, const QString& model) {
    QString note =
        Figures::tr("%1: %2 instead of %3")
            .arg(model, duration_text(matrix.times.best_ms), duration_text(matrix.times.fixed_csr_ms));
    if (matrix.best_was_given_up)
        note += Figures::tr(" (a lower bound: all were given up)");
    return note;
}

struct Dot {
    double score = 0;
    double time = 0; ///< over that of fixed CSR
    QString label;
};

/// Of one matrix; those with a score and a time of their own.
std::vector<Dot> dots_of(const EvaluatedMatrix& matrix, bool standardise) {
    std::vector<Dot> dots;
    for (const EvaluatedCandidate& candidate : matrix.candidates)
        // Fixed CSR is what the others are compared with; where a model scores it far off, its dot would
        // squeeze theirs.
        if (!candidate.is_fixed_csr && candidate.score && std::isfinite(*candidate.score) &&
            candidate.median_ms && candidate.status == MeasurementStatus::Measured)
            dots.push_back({*candidate.score, *candidate.median_ms / matrix.times.fixed_csr_ms,
                            Figures::tr("%1\n%2, choice %3, %4")
                                .arg(text(candidate.schedule), text(matrix.times.matrix),
                                     QString::number(candidate.rank), duration_text(*candidate.median_ms))});
    if (!standardise || dots.empty())
        return dots;
    double mean = 0;
    for (const Dot& dot : dots)
        mean += dot.score / static_cast<double>(dots.size());
    double square = 0;
    for (const Dot& dot : dots)
        square += (dot.score - mean) * (dot.score - mean) / static_cast<double>(dots.size());
    const double deviation = square > 0 ? std::sqrt(square) : 1;
    for (Dot& dot : dots)
        dot.score = (dot.score - mean) / deviation;
    return dots;
}

} // namespace

std::vector<ChartSeries> speedup_bars(const ModelEvaluation& evaluation,
                                      std::optional<std::size_t> sorted_by) {
    std::vector<ChartSeries> series;
    if (evaluation.matrices() == 0)
        return series;
    const std::vector<std::size_t> order = order_of(evaluation, sorted_by);
    const bool alone = evaluation.models.size() == 1;
    for (std::size_t i = 0; i < evaluation.models.size(); ++i) {
        const EvaluatedModel& model = evaluation.models[i];
        BarSeries bars;
        bars.name = text(model.name);
        bars.baseline = 1;
        for (const std::size_t place : order) {
            const EvaluatedMatrix& matrix = model.matrices[place];
            Bar bar;
            bar.value = matrix.times.speedup();
            bar.label = text(matrix.times.matrix);
            bar.colour = bar.value < 1 ? ChartColour::Lose : alone ? ChartColour::Win : series_colour(i);
            bar.hatched = evaluation.source == TimeSource::Simulated;
            bar.key = bar.label;
            bar.note = note_of(matrix, bars.name);
            bars.bars.push_back(std::move(bar));
        }
        series.emplace_back(std::move(bars));
    }
    return series;
}

std::vector<ScatterSeries> score_points(const ModelEvaluation& evaluation, const QString& matrix,
                                        const QString& standing_out) {
    std::vector<ScatterSeries> series;
    for (std::size_t i = 0; i < evaluation.models.size(); ++i) {
        const EvaluatedModel& model = evaluation.models[i];
        ScatterSeries points;
        points.name = text(model.name);
        points.colour = evaluation.models.size() == 1 ? ChartColour::Win : series_colour(i);
        for (const EvaluatedMatrix& one : model.matrices) {
            const QString name = text(one.times.matrix);
            if (!matrix.isEmpty() && name != matrix)
                continue;
            for (Dot& dot : dots_of(one, matrix.isEmpty())) {
                ScatterPoint point;
                point.x = dot.score;
                point.y = dot.time;
                point.label = std::move(dot.label);
                point.key = name;
                point.muted = !standing_out.isEmpty() && name != standing_out;
                // Among several models the colour tells whose it is; losers stand above the line.
                if (dot.time > 1 && evaluation.models.size() == 1)
                    point.colour = ChartColour::Lose;
                points.points.push_back(std::move(point));
            }
        }
        series.push_back(std::move(points));
    }
    return series;
}

bool has_matrix(const ModelEvaluation& evaluation, const QString& matrix) {
    return !evaluation.models.empty() &&
           std::ranges::any_of(evaluation.models.front().matrices,
                               [&](const EvaluatedMatrix& one) { return text(one.times.matrix) == matrix; });
}

std::optional<double> agreement(const EvaluatedModel& model, const QString& matrix) {
    if (matrix.isEmpty())
        return model.kendall_tau;
    for (const EvaluatedMatrix& one : model.matrices)
        if (text(one.times.matrix) == matrix)
            return one.kendall_tau;
    return std::nullopt;
}

} // namespace sparsight

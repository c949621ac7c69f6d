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

// Of Kendall's τ, which is 1 for the same order and −1 for the reverse.
constexpr double hardly_any_agreement = 0.1;
constexpr double reverse_agreement = -0.3;

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

QString interval_text(const Estimate& estimate) {
    return estimate.interval
               ? Figures::tr(" [%1, %2]")
                     .arg(percent_text(estimate.interval->low), percent_text(estimate.interval->high))
               : QString();
}

/// Whoever reads "τ = 0.02" should not have to know what to think of it.
QString remark_on_agreement(const std::optional<double>& tau) {
    if (!tau || *tau >= hardly_any_agreement)
        return {};
    return (*tau > reverse_agreement ? Figures::tr("; its scores hardly order its choices (τ = %1)")
                                     : Figures::tr("; its scores order its choices the wrong way (τ = %1)"))
        .arg(fixed_text(*tau, 2));
}

int losing_matrices(const SpeedupSummary& summary) {
    return static_cast<int>(std::lround(summary.losing.value * static_cast<double>(summary.matrices)));
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

QString finding(const EvaluatedModel& model, TimeSource source) {
    if (!model.summary)
        return Figures::tr("%1: nothing that it chose has a time yet.").arg(text(model.name));
    const SpeedupSummary& summary = *model.summary;
    const int losing = losing_matrices(summary);
    const QString kind = source == TimeSource::Simulated ? Figures::tr(" (simulated)") : QString();
    // All at once: a model may be called "%5".
    return Figures::tr("%1: %2 over fixed CSR on average%3%4; slower on %5 of %6%7.")
        .arg(text(model.name), percent_text(summary.mean_relative.value),
             interval_text(summary.mean_relative), kind, QString::number(losing),
             matrices_text(static_cast<qint64>(summary.matrices)), remark_on_agreement(model.kendall_tau));
}

QString findings(const ModelEvaluation& evaluation) {
    QStringList lines;
    std::vector<const EvaluatedModel*> timed;
    for (const EvaluatedModel& model : evaluation.models) {
        lines << finding(model, evaluation.source);
        if (model.summary)
            timed.push_back(&model);
    }
    if (timed.size() < 3 || timed.size() < evaluation.models.size())
        return lines.join(u'\n');
    const auto gain = [](const EvaluatedModel* model) { return model->summary->mean_relative.value; };
    std::ranges::stable_sort(timed, std::greater(), gain);
    const EvaluatedModel& best = *timed.front();
    QStringList losers;
    QStringList unordered;
    for (const EvaluatedModel* model : timed) {
        if (const int losing = losing_matrices(*model->summary); losing > 0)
            losers << Figures::tr("%1 on %2").arg(text(model->name), QString::number(losing));
        if (!remark_on_agreement(model->kendall_tau).isEmpty())
            unordered << text(model->name);
    }
    const QString kind = evaluation.source == TimeSource::Simulated ? Figures::tr(" (simulated)") : QString();
    QString all =
        Figures::tr("%1 gains most: %2 over fixed CSR on average%3%4; the other %5 %6 to %7.")
            .arg(text(best.name), percent_text(gain(&best)), interval_text(best.summary->mean_relative), kind,
                 QString::number(timed.size() - 1), percent_text(gain(timed.back())),
                 percent_text(gain(timed[1])));
    const QString matrices = matrices_text(static_cast<qint64>(best.summary->matrices));
    all += u' ' + (losers.isEmpty()
                       ? Figures::tr("None is slower on any of %1.").arg(matrices)
                       : Figures::tr("Slower, of %1: %2.").arg(matrices, losers.join(QStringLiteral(", "))));
    if (!unordered.isEmpty())
        all += u' ' + Figures::tr("Scores that do not order the choices: %1.")
                          .arg(unordered.join(QStringLiteral(", ")));
    return all;
}

QString what_is_missing(const ModelEvaluation& evaluation, RunState state) {
    QStringList sentences;
    if (state == RunState::Stopped)
        sentences << Figures::tr("The evaluation was stopped before its end.");
    else if (state == RunState::Failed)
        sentences << Figures::tr("The evaluation failed before its end.");
    if (!evaluation.left_out.empty()) {
        const LeftOutMatrix& first = evaluation.left_out.front();
        sentences << Figures::tr("Left out: %1 (%2: %3).")
                         .arg(matrices_text(static_cast<qint64>(evaluation.left_out.size())),
                              text(first.matrix), text(first.reason));
    }
    return sentences.join(u' ');
}

} // namespace sparsight

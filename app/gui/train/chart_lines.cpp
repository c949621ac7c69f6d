#include "gui/train/chart_lines.h"

#include "gui/page/domain_words.h"
#include "gui/runs/run_curves.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

struct Curves {
    Q_DECLARE_TR_FUNCTIONS(sparsight::TrainingCurves)
};

constexpr double seconds_a_minute = 60;

/// Leaves about twenty-five independent values along the run.
int fitting_smoothing(std::int64_t steps) {
    return static_cast<int>(std::clamp<std::int64_t>(steps / 25, 2, 4'000));
}

LineSeries line_of(RunCurve curve, RunAxis axis, const ShownRun& run, const QString& name,
                   ChartColour colour) {
    curve = on_axis(std::move(curve), axis, run);
    LineSeries line;
    line.is_held = true;
    line.name = name;
    line.x = std::move(curve.x);
    line.y = std::move(curve.y);
    line.colour = colour;
    return line;
}

/// The machines of a run get the colours after the first two.
ChartColour colour_of_scope(qsizetype place) {
    return series_colour(static_cast<std::size_t>(place) + 1);
}

QStringList shown_scopes(const RunCurves& curves, ShownValidation shown) {
    switch (shown) {
    case ShownValidation::None:
        return {};
    case ShownValidation::Overall:
        return {overall_scope};
    case ShownValidation::ByMachine:
        break;
    }
    QStringList scopes = curves.scopes();
    if (scopes.size() > 1)
        scopes.removeFirst();
    return scopes;
}

QString name_of_scope(const QString& scope) {
    return scope == overall_scope ? Curves::tr("validation") : scope;
}

} // namespace

RunCurve on_axis(RunCurve curve, RunAxis axis, const ShownRun& run) {
    for (double& x : curve.x)
        if (axis == RunAxis::Time)
            x /= seconds_a_minute;
        else if (axis == RunAxis::TimeOfDay)
            x += run.started;
    return curve;
}

std::vector<LineSeries> loss_lines(const std::vector<ShownRun>& runs, const CurveOptions& options) {
    std::vector<LineSeries> lines;
    const bool alone = runs.size() == 1;
    for (const ShownRun& run : runs) {
        if (run.curves == nullptr)
            continue;
        LineSeries training =
            line_of(run.is_of_trees ? run.curves->epoch_values(QStringLiteral("training_loss"), options.axis)
                                    : run.curves->losses(options.axis),
                    options.axis, run, alone ? Curves::tr("training") : run.name, run.colour);
        if (!run.is_of_trees)
            training.smoothing =
                options.smoothing > 0 ? options.smoothing : fitting_smoothing(run.curves->steps());
        if (!run.is_of_trees || !training.x.empty())
            lines.push_back(std::move(training));
        const QStringList scopes = shown_scopes(*run.curves, options.validation);
        for (qsizetype i = 0; i < scopes.size(); ++i) {
            LineSeries line = line_of(run.curves->validation(scopes[i], QStringLiteral("loss"), options.axis),
                                      options.axis, run,
                                      alone ? name_of_scope(scopes[i])
                                            : run.name + QStringLiteral(" · ") + name_of_scope(scopes[i]),
                                      alone ? colour_of_scope(i) : run.colour);
            line.dashed = !alone;
            if (!line.x.empty())
                lines.push_back(std::move(line));
        }
    }
    return lines;
}

std::optional<ScatterSeries> best_epochs(const std::vector<ShownRun>& runs, const CurveOptions& options) {
    ScatterSeries marks;
    marks.is_mark = true;
    if (options.validation == ShownValidation::None)
        return std::nullopt;
    const bool alone = runs.size() == 1;
    for (const ShownRun& run : runs) {
        const auto best = run.curves == nullptr || run.is_of_trees ? std::nullopt : run.curves->best_epoch();
        if (!best)
            continue;
        const RunCurve losses = on_axis(
            run.curves->validation(overall_scope, QStringLiteral("loss"), options.axis), options.axis, run);
        const RunCurve epochs = run.curves->validation(overall_scope, QStringLiteral("loss"), RunAxis::Epoch);
        const auto place = static_cast<std::size_t>(std::ranges::find(epochs.x, static_cast<double>(*best)) -
                                                    epochs.x.begin());
        ScatterPoint mark;
        mark.x = losses.x[place];
        mark.y = losses.y[place];
        mark.label = alone ? Curves::tr("best epoch: %1").arg(count_text(*best))
                           : Curves::tr("%1, best epoch: %2").arg(run.name, count_text(*best));
        mark.colour = alone ? colour_of_scope(0) : run.colour;
        marks.name = alone ? mark.label : Curves::tr("best epoch of each run");
        marks.colour = *mark.colour;
        marks.points.push_back(std::move(mark));
    }
    return marks.points.empty() ? std::nullopt : std::optional(std::move(marks));
}

std::vector<LineSeries> metric_lines(const std::vector<ShownRun>& runs, const QString& metric,
                                     const CurveOptions& options) {
    const auto known = curve_metrics({});
    const auto found =
        std::ranges::find_if(known, [&](const CurveMetric& one) { return metric == QLatin1String(one.id); });
    const bool of_validation = found == known.end() || found->of_validation;
    std::vector<LineSeries> lines;
    const bool alone = runs.size() == 1;
    for (const ShownRun& run : runs) {
        if (run.curves == nullptr)
            continue;
        if (!of_validation) {
            LineSeries line = line_of(run.curves->epoch_values(metric, options.axis), options.axis, run,
                                      run.name, run.colour);
            if (!line.x.empty())
                lines.push_back(std::move(line));
            continue;
        }
        const bool by_machine = options.validation == ShownValidation::ByMachine;
        const QStringList scopes =
            shown_scopes(*run.curves, by_machine ? ShownValidation::ByMachine : ShownValidation::Overall);
        for (qsizetype i = 0; i < scopes.size(); ++i) {
            LineSeries line =
                line_of(run.curves->validation(scopes[i], metric, options.axis), options.axis, run,
                        !by_machine ? run.name
                        : alone     ? name_of_scope(scopes[i])
                                    : run.name + QStringLiteral(" · ") + name_of_scope(scopes[i]),
                        alone && by_machine ? colour_of_scope(i) : run.colour);
            line.dashed = by_machine && !alone && i % 2 == 1;
            if (!line.x.empty())
                lines.push_back(std::move(line));
        }
    }
    return lines;
}

ChartAxis axis_of(RunAxis axis, bool are_all_trees) {
    ChartAxis made;
    if (are_all_trees && axis != RunAxis::Time && axis != RunAxis::TimeOfDay) {
        made.title = Curves::tr("round");
        made.format = ValueFormat::Count;
        return made;
    }
    switch (axis) {
    case RunAxis::Step:
        made.title = Curves::tr("step");
        made.format = ValueFormat::Count;
        break;
    case RunAxis::Epoch:
        made.title = Curves::tr("epoch");
        made.format = ValueFormat::Count;
        break;
    case RunAxis::Time:
        made.title = Curves::tr("time of training");
        made.unit = Curves::tr("min");
        break;
    case RunAxis::TimeOfDay:
        made.title = Curves::tr("time of day");
        made.format = ValueFormat::TimeOfDay;
        break;
    }
    return made;
}

std::vector<CurveMetric> curve_metrics(const DomainWords& words) {
    const QString workloads = many(words.workload);
    const QString configurations = many(words.configuration);
    const QString regret = Curves::tr("How much slower the best of the model’s first %1 is than the best of "
                                      "all. Mean over the validation %2; 0 is perfect.");
    std::vector<CurveMetric> metrics;
    metrics.push_back({"ordered_pair_accuracy", Curves::tr("Pairs in the right order"),
                       Curves::tr("The model says which of two %1 of a %2 is faster. This is the share of "
                                  "pairs where it is right. A coin reaches 50 %.")
                           .arg(configurations, one(words.workload)),
                       ValueFormat::Percent, true, 0.5, Curves::tr("chance")});
    for (const auto& [id, k] : {std::pair{"regret_at_20", 20}, {"regret_at_5", 5}, {"regret_at_1", 1}})
        metrics.push_back(
            {id, k == 1 ? Curves::tr("Regret of the first") : Curves::tr("Regret of the best %1").arg(k),
             regret.arg(k).arg(workloads), ValueFormat::Percent});
    if (words.baseline) {
        const QString baseline = one(*words.baseline);
        const QString speedup = Curves::tr("Geometric mean over the validation %2: the time of %3 over that "
                                           "of the best of the model’s first %1.");
        for (const auto& [id, k] : {std::pair{"speedup_at_20", 20}, {"speedup_at_5", 5}, {"speedup_at_1", 1}})
            metrics.push_back(
                {id,
                 k == 1 ? Curves::tr("Speedup of the first") : Curves::tr("Speedup of the best %1").arg(k),
                 speedup.arg(k).arg(workloads, baseline), ValueFormat::Speedup, true, 1.0, baseline});
    }
    metrics.push_back({"kendall_tau", Curves::tr("Kendall’s τ"),
                       Curves::tr("Agreement between the order of the scores and that of the times. 1: the "
                                  "same order; 0: no relation; −1: the reverse."),
                       ValueFormat::Number, true, 0.0, Curves::tr("chance")});
    metrics.push_back(
        {"rate", Curves::tr("Rate"), Curves::tr("The rate of each epoch."), ValueFormat::Number, false});
    metrics.push_back({"examples_per_second",
                       Curves::tr("%1 a second").arg(title_of_many(words.configuration)),
                       Curves::tr("The %1 that the trainer looked at in a second.").arg(configurations),
                       ValueFormat::Number, false});
    metrics.push_back({"memory_bytes", Curves::tr("Memory"), Curves::tr("Memory of the trainer."),
                       ValueFormat::Bytes, false});
    return metrics;
}

namespace {

struct Shots {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ShotCurve)
};

bool is_as_good(double value, double reference, const QString& metric) {
    return better_is_more(metric) ? value >= reference : value <= reference;
}

QString figure_text(double value, const QString& metric) {
    if (metric == QStringLiteral("kendall_tau"))
        return fixed_text(value, 2);
    return metric.startsWith(QStringLiteral("speedup")) ? speedup_text(value) : share_text(value);
}

/// Where it is worse with the most shots than with none, beyond the draws: "Fine-tuning made first
/// worse: 71.7 % with 0 matrices, 63.6 % with 100 matrices."
QString harm_sentence(const ShotPoints& points, const QString& metric, const QString& ours,
                      const Noun& workload) {
    const auto curve = points.curve(ours, metric);
    if (curve.empty() || curve.begin()->first != 0)
        return {};
    const auto& none = curve.begin()->second;
    const auto& [most, last] = *curve.rbegin();
    if (better_is_more(metric) ? last.high >= none.low : last.low <= none.high)
        return {};
    return Shots::tr("Fine-tuning made %1 worse: %2 with %3, %4 with %5.")
        .arg(ours, figure_text(none.mean, metric), counted(0, workload), figure_text(last.mean, metric),
             counted(most, workload));
}

std::vector<QString> in_order(const ShotPoints& points, const QString& ours) {
    std::vector<QString> contenders = points.contenders();
    const auto place = [&ours](const QString& contender) {
        return contender == ours ? 0 : contender == QStringLiteral("scratch") ? 1 : 2;
    };
    std::ranges::stable_sort(contenders, {}, place);
    return contenders;
}

} // namespace

std::vector<LineSeries> shot_lines(const ShotPoints& points, const QString& metric, const QString& ours) {
    std::vector<LineSeries> lines;
    for (const QString& contender : in_order(points, ours)) {
        LineSeries line;
        line.name = contender;
        line.colour = series_colour(lines.size());
        line.marked = true;
        for (const auto& [shots, interval] : points.curve(contender, metric)) {
            line.x.push_back(shots);
            line.y.push_back(interval.mean);
            line.low.push_back(interval.low);
            line.high.push_back(interval.high);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

ChartAxis shot_axis(const std::vector<LineSeries>& lines, const Noun& workload) {
    constexpr double room = 0.03;
    double most = 1;
    for (const LineSeries& line : lines)
        most = line.x.empty() ? most : std::max(most, line.x.back());
    ChartAxis axis;
    axis.title = Shots::tr("%1 that were learned from").arg(many(workload));
    axis.format = ValueFormat::Count;
    axis.minimum = -room * most;
    axis.maximum = (1 + room) * most;
    return axis;
}

namespace {

QString worth_sentence(const ShotPoints& points, const QString& metric, const QString& ours,
                       const Noun& workload) {
    const std::vector<QString> contenders = in_order(points, ours);
    if (contenders.size() < 2)
        return {};
    const QString& first = contenders[0];
    const QString& second = contenders[1];
    const auto reaches = points.curve(first, metric);
    const auto theirs = points.curve(second, metric);
    if (theirs.empty())
        return {};
    const auto& [most, reached] = *theirs.rbegin();
    const QString they = second == QStringLiteral("scratch") ? Shots::tr("training from scratch") : second;
    for (const auto& [shots, interval] : reaches)
        if (is_as_good(interval.mean, reached.mean, metric))
            return shots < most ? Shots::tr("%1 with %2 is as good as %3 with %4.")
                                      .arg(first, counted(shots, workload), they, counted(most, workload))
                                : QString();
    const auto last = reaches.find(most);
    const bool may_be_chance =
        last != reaches.end() &&
        (better_is_more(metric) ? last->second.high >= reached.low : last->second.low <= reached.high);
    return (may_be_chance ? Shots::tr("%1 and %2 differ by no more than chance with %3.")
                          : Shots::tr("%1 is not as good as %2 with %3."))
        .arg(first, they, counted(most, workload));
}

} // namespace

QString shot_sentence(const ShotPoints& points, const QString& metric, const QString& ours,
                      const Noun& workload) {
    QStringList sentences{harm_sentence(points, metric, ours, workload),
                          worth_sentence(points, metric, ours, workload)};
    sentences.removeAll(QString());
    return sentences.join(u' ');
}

namespace {

struct ReliabilityTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ReliabilityDiagram)
};

/// Pairs that came true less what was stated: above 0 the model is too careful.
double carefulness(const Reliability& reliability) {
    double sum = 0;
    for (const CalibrationBin& bin : reliability.bins)
        sum += static_cast<double>(bin.observed.draws) * (bin.observed.value - bin.predicted);
    return sum / static_cast<double>(reliability.pairs);
}

} // namespace

std::vector<LineSeries> reliability_lines(const Reliability& reliability) {
    LineSeries ideal{.name = ReliabilityTexts::tr("as sure as it is right"),
                     .colour = ChartColour::Reference};
    ideal.x = {0.5, 1};
    ideal.y = {0.5, 1};
    LineSeries observed{.name = ReliabilityTexts::tr("test pairs (95 % interval)"),
                        .colour = ChartColour::Series1};
    observed.marked = true;
    for (const CalibrationBin& bin : reliability.bins) {
        observed.x.push_back(bin.predicted);
        observed.y.push_back(bin.observed.value);
        observed.low.push_back(bin.observed.lowest);
        observed.high.push_back(bin.observed.highest);
    }
    observed.band = BandLook::Whiskers;
    return {std::move(ideal), std::move(observed)};
}

QString reliability_sentence(const Reliability& reliability, const DomainWords& words) {
    constexpr double least = 0.02;
    const double careful = carefulness(reliability);
    const QString verdict = careful > least ? ReliabilityTexts::tr("The model is too careful.")
                            : careful < -least
                                ? ReliabilityTexts::tr("The model is too sure of itself.")
                                : ReliabilityTexts::tr("The model is about as sure as it is right.");
    return verdict + u' ' +
           ReliabilityTexts::tr(
               "What it states of an order differs from what came true by %1 points on average. "
               "%2 of the differences are within their 95 % interval (%3 pairs of %4).")
               .arg(fixed_text(100 * reliability.error, 1), share_text(reliability.within.value),
                    count_text(reliability.pairs), counted(reliability.workloads, words.workload));
}

} // namespace sparsight

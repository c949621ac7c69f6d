#include "gui/domains/sparse/failures/cases/reason_pictures.h"

#include "gui/domains/sparse/failures/failure_words.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

namespace sparsight {

namespace {

struct ReasonTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ModelReasons)
};

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
/// A wider range of numbers is shown on a logarithmic axis.
constexpr double wide_range = 16;

double spread_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values)
        sum += value * value;
    return std::sqrt(sum);
}

QString times_name(const SensitivityCurve& curve) {
    bool is_measured = true;
    bool is_simulated = true;
    for (const SensitivityPoint& point : curve.points) {
        if (!point.times.log2_gain())
            continue;
        is_measured = is_measured && point.times.origin == TimeOrigin::Measured;
        is_simulated = is_simulated && point.times.origin == TimeOrigin::Simulated;
    }
    return is_measured    ? ReasonTexts::tr("measured")
           : is_simulated ? ReasonTexts::tr("simulated")
                          : ReasonTexts::tr("measured or simulated");
}

struct Advantage {
    double foreseen = not_known; ///< predicted advantage, as a factor
    double real = not_known;
};

Advantage advantage_of(const SensitivityPoint& point, const MarginScale& scale) {
    const auto gain = point.times.log2_gain();
    return {std::exp2(point.margin * scale.factor), gain ? std::exp2(*gain) : not_known};
}

bool are_numbers(const SensitivityCurve& curve) {
    return curve.points.size() > 2 && std::ranges::all_of(curve.points, [](const SensitivityPoint& point) {
               return point.number.has_value();
           });
}

std::vector<ChartSeries> as_lines(const SensitivityCurve& curve, const MarginScale& scale) {
    LineSeries foreseen{.name = ReasonTexts::tr("foreseen by the model")};
    foreseen.colour = ChartColour::Series1;
    foreseen.dashed = true;
    foreseen.marked = true;
    LineSeries real{.name = times_name(curve)};
    real.colour = ChartColour::Series2;
    real.marked = true;
    ScatterSeries parted{.name = ReasonTexts::tr("where they part most")};
    parted.colour = ChartColour::Lose;
    ScatterSeries present{.name = ReasonTexts::tr("this case")};
    present.colour = ChartColour::Reference;
    for (std::size_t at = 0; at < curve.points.size(); ++at) {
        const SensitivityPoint& point = curve.points[at];
        const Advantage advantage = advantage_of(point, scale);
        foreseen.x.push_back(*point.number);
        foreseen.y.push_back(advantage.foreseen);
        real.x.push_back(*point.number);
        real.y.push_back(advantage.real);
        const bool is_parted = curve.widest && (curve.widest->better == at || curve.widest->worse == at);
        if (is_parted && std::isfinite(advantage.real))
            parted.points.push_back(
                {*point.number, advantage.real, QString::fromStdString(point.value), {}, {}, {}, false});
        if (point.is_present)
            present.points.push_back(
                {*point.number, advantage.foreseen, QString::fromStdString(point.value), {}, {}, {}, false});
    }
    std::vector<ChartSeries> series{std::move(foreseen)};
    if (curve.with_times > 0)
        series.emplace_back(std::move(real));
    if (!parted.points.empty())
        series.emplace_back(std::move(parted));
    if (!present.points.empty())
        series.emplace_back(std::move(present));
    return series;
}

std::vector<ChartSeries> as_bars(const SensitivityCurve& curve, const MarginScale& scale) {
    BarSeries foreseen{ReasonTexts::tr("foreseen by the model"), {}, 1};
    BarSeries real{times_name(curve), {}, 1};
    for (const SensitivityPoint& point : curve.points) {
        const Advantage advantage = advantage_of(point, scale);
        const QString value = decision_value(QString::fromStdString(point.value));
        const QString label = point.is_present ? ReasonTexts::tr("%1 (this case)").arg(value) : value;
        Bar bar{.value = advantage.foreseen, .label = label};
        bar.colour = ChartColour::Series1;
        bar.hatched = true;
        foreseen.bars.push_back(bar);
        bar.value = advantage.real;
        bar.colour = ChartColour::Series2;
        bar.hatched = point.times.origin == TimeOrigin::Simulated;
        real.bars.push_back(std::move(bar));
    }
    std::vector<ChartSeries> series{std::move(foreseen)};
    if (curve.with_times > 0)
        series.emplace_back(std::move(real));
    return series;
}

/// Margin around the drawn points, so that marks at the ends are whole; on a logarithmic axis a share of the
/// decades.
void leave_room(ChartAxis& axis, double least, double most) {
    constexpr double share = 0.04;
    if (!(most > least))
        return;
    const double room = axis.logarithmic ? std::pow(most / least, share) : share * (most - least);
    axis.minimum = axis.logarithmic ? least / room : least - room;
    axis.maximum = axis.logarithmic ? most * room : most + room;
}

/// Fits the axis to both advantages and to the line "equally fast".
void fit_advantage(ChartAxis& axis, const SensitivityCurve& curve, const MarginScale& scale) {
    double least = 1;
    double most = 1;
    for (const SensitivityPoint& point : curve.points) {
        const Advantage advantage = advantage_of(point, scale);
        for (const double value : {advantage.foreseen, advantage.real})
            if (std::isfinite(value) && value > 0) {
                least = std::min(least, value);
                most = std::max(most, value);
            }
    }
    leave_room(axis, least, most);
}

QString scale_remark(const MarginScale& scale) {
    return scale.is_fitted ? ReasonTexts::tr("Scores have no unit: they are scaled to fit the times of all "
                                             "curves best.")
                           : ReasonTexts::tr("Scores have no unit, and these go against the times or have "
                                             "none: they are scaled to the same spread.");
}

QString parting_remark(const SensitivityCurve& curve) {
    if (!curve.is_read)
        return ReasonTexts::tr("The model does not look at it.");
    if (curve.with_times == 0)
        return ReasonTexts::tr("There is no time to hold it against: no such matrix exists.");
    if (!curve.widest || curve.widest->better >= curve.points.size() ||
        curve.widest->worse >= curve.points.size())
        return ReasonTexts::tr("Foreseen and real advantage go the same way.");
    return ReasonTexts::tr("They part most between %1 and %2: the model prefers %1, and %2 gains %3 more.")
        .arg(decision_value(QString::fromStdString(curve.points[curve.widest->worse].value)),
             decision_value(QString::fromStdString(curve.points[curve.widest->better].value)),
             speedup_text(curve.widest->factor));
}

} // namespace

MarginScale margin_scale(const SensitivityReason& reason) {
    std::vector<double> margins;
    std::vector<double> gains;
    double products = 0;
    for (const SensitivityCurve& curve : reason.curves)
        for (const SensitivityPoint& point : curve.points)
            if (const auto gain = point.times.log2_gain()) {
                margins.push_back(point.margin);
                gains.push_back(*gain);
                products += point.margin * *gain;
            }
    const double margin_spread = spread_of(margins);
    if (margin_spread <= 0)
        return {};
    if (products > 0)
        return {products / (margin_spread * margin_spread), true};
    const double gain_spread = spread_of(gains);
    return {gain_spread > 0 ? gain_spread / margin_spread : 1, false};
}

QString curve_title(const SensitivityCurve& curve) {
    switch (curve.kind) {
    case VariedKind::Decision:
        return ReasonTexts::tr("decision: %1").arg(decision_name(QString::fromStdString(curve.key)));
    case VariedKind::Statistic:
        return ReasonTexts::tr("statistic: %1").arg(statistic_text(curve.key));
    case VariedKind::Pattern:
        return ReasonTexts::tr("pattern: %1").arg(QString::fromStdString(curve.title));
    case VariedKind::Machine:
        return ReasonTexts::tr("machine: %1").arg(QString::fromStdString(curve.title));
    }
    return QString::fromStdString(curve.title);
}

ReasonChart sensitivity_chart(const SensitivityCurve& curve, const MarginScale& scale) {
    ReasonChart chart;
    const bool has_lines = are_numbers(curve);
    chart.x = {curve_title(curve), QString::fromStdString(curve.unit)};
    if (has_lines) {
        const auto [least, most] = std::ranges::minmax(
            curve.points, {}, [](const SensitivityPoint& point) { return *point.number; });
        chart.x.logarithmic = *least.number > 0 && *most.number > wide_range * *least.number;
        leave_room(chart.x, *least.number, *most.number);
    }
    chart.y = {ReasonTexts::tr("advantage of the chosen schedule"), ReasonTexts::tr("times as fast")};
    chart.y.format = ValueFormat::Speedup;
    chart.y.logarithmic = has_lines;
    if (has_lines)
        fit_advantage(chart.y, curve, scale);
    chart.series = has_lines ? as_lines(curve, scale) : as_bars(curve, scale);
    chart.reference = ReferenceLine{1, ReasonTexts::tr("equally fast")};
    chart.remark = parting_remark(curve) + u' ' + scale_remark(scale);
    return chart;
}

ReasonChart calibration_chart(const UncertaintyReason& reason) {
    ReasonChart chart;
    chart.x = {ReasonTexts::tr("how sure the model was"), {}};
    chart.y = {ReasonTexts::tr("how often it was right"), {}};
    for (ChartAxis* const axis : {&chart.x, &chart.y})
        axis->format = ValueFormat::Percent;
    leave_room(chart.x, 0.5, 1);
    leave_room(chart.y, 0, 1);
    if (reason.bins.empty()) {
        chart.remark = ReasonTexts::tr("No pairs of schedules with known times: its certainty is unchecked.");
        return chart;
    }
    LineSeries ideal{.name = ReasonTexts::tr("as sure as it is right")};
    ideal.colour = ChartColour::Reference;
    ideal.x = {0.5, 1};
    ideal.y = {0.5, 1};
    LineSeries observed{.name = ReasonTexts::tr("checked pairs (95 % interval)")};
    observed.colour = ChartColour::Series1;
    observed.marked = true;
    for (const CalibrationBin& bin : reason.bins) {
        observed.x.push_back(bin.predicted);
        observed.y.push_back(bin.observed.value);
        observed.low.push_back(bin.observed.lowest);
        observed.high.push_back(bin.observed.highest);
    }
    // The share of correct pairs at about this confidence, where there are any: the confidence that one may
    // believe.
    const auto nearest = std::ranges::min_element(reason.bins, {}, [&](const CalibrationBin& bin) {
        return std::abs(bin.predicted - reason.confidence);
    });
    ScatterSeries here{.name = ReasonTexts::tr("this case")};
    here.colour = ChartColour::Accent;
    here.points.push_back({reason.confidence,
                           nearest->observed.value,
                           ReasonTexts::tr("confidence %1").arg(share_text(reason.confidence)),
                           {},
                           {},
                           {},
                           false});
    chart.series = {std::move(ideal), std::move(observed), std::move(here)};
    const QString checked = ReasonTexts::tr("%1 pairs of %2 matrices, %3.")
                                .arg(count_text(reason.checked_pairs), count_text(reason.checked_workloads),
                                     reason.held_out ? ReasonTexts::tr("which were not trained on")
                                                     : ReasonTexts::tr("checked by cross-validation"));
    chart.remark = ReasonTexts::tr("The model is over-confident below the diagonal. Confidence and outcome "
                                   "differ by %1 on average: %2")
                       .arg(share_text(reason.calibration_error), checked);
    return chart;
}

namespace {

/// As a share of the strongest cell; weaker cells would cover the pattern.
constexpr double least_shown = 0.35;

double strength(const SaliencyCell& cell) {
    return std::abs(cell.support.value_or(0));
}

} // namespace

std::vector<PlotOverlayRect> saliency_marks(const SaliencyReason& reason) {
    double strongest = 0;
    for (const SaliencyCell& cell : reason.cells)
        strongest = std::max(strongest, strength(cell));
    std::vector<PlotOverlayRect> marks;
    for (const SaliencyCell& cell : reason.cells) {
        const auto row = static_cast<std::size_t>(cell.row);
        const auto column = static_cast<std::size_t>(cell.column);
        const bool is_on_grid = row + 1 < reason.row_edges.size() && column + 1 < reason.column_edges.size();
        if (!is_on_grid || strongest <= 0 || strength(cell) < least_shown * strongest)
            continue;
        const Theme& theme = current_theme();
        marks.push_back({{reason.row_edges[row], reason.row_edges[row + 1], reason.column_edges[column],
                          reason.column_edges[column + 1]},
                         *cell.support > 0 ? theme.lose : theme.win,
                         {},
                         true});
    }
    return marks;
}

} // namespace sparsight

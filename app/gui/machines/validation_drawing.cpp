#include "gui/machines/validation_drawing.h"

#include "gui/jobs/counted_text.h"
#include "gui/jobs/job_texts.h"
#include "gui/page/time_term_words.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>

namespace sparsight {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(sparsight::Validation)
};

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

QString factor_text(double factor) {
    return QStringLiteral("×") + fixed_text(factor, 2);
}

ScatterSeries points_of(const ValidatedMatrix& matrix) {
    ScatterSeries series;
    series.name = text(matrix.name);
    for (std::size_t run = 0; run < matrix.measured_ms.size(); ++run)
        series.points.push_back(
            {matrix.measured_ms[run], matrix.simulated_ms[run], series.name, series.name, {}, {}, false});
    return series;
}

/// From the fastest to the slowest of all times.
LineSeries diagonal(const MachineValidation& validation) {
    double low = HUGE_VAL;
    double high = 0;
    for (const ValidatedMatrix& matrix : validation.matrices)
        for (const auto* const times : {&matrix.measured_ms, &matrix.simulated_ms})
            for (const double time : *times) {
                low = std::min(low, time);
                high = std::max(high, time);
            }
    LineSeries line;
    line.name = Words::tr("as measured");
    line.colour = ChartColour::Reference;
    line.x = {low, high};
    line.y = {low, high};
    return line;
}

std::vector<std::size_t> by_agreement(const MachineValidation& validation) {
    std::vector<std::size_t> order(validation.matrices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::size_t at) { return validation.matrices[at].quality.kendall_tau; });
    return order;
}

/// "3 given up", of every reason that there is.
QStringList reasons_of(const LeftOutRuns& runs) {
    const auto words_of = [](MeasurementStatus status) {
        switch (status) {
        case MeasurementStatus::GaveUp:
            return Words::tr("%1 given up as far too slow");
        case MeasurementStatus::TooLarge:
            return Words::tr("%1 too large to store");
        case MeasurementStatus::Mismatch:
            return Words::tr("%1 with a wrong result");
        case MeasurementStatus::Measured:
        case MeasurementStatus::Failed:
            break;
        }
        return Words::tr("%1 failed");
    };
    QStringList reasons;
    for (const auto& [status, count] : runs.without_time)
        reasons << words_of(status).arg(count_text(count));
    if (runs.too_short > 0)
        reasons << Words::tr("%1 shorter than a microsecond").arg(count_text(runs.too_short));
    return reasons;
}

} // namespace

std::vector<ChartSeries> simulated_over_measured(const MachineValidation& validation,
                                                 const QString& selected) {
    ScatterSeries all;
    all.name = Words::tr("schedules");
    all.colour = ChartColour::Series1;
    std::optional<ScatterSeries> one;
    for (const ValidatedMatrix& matrix : validation.matrices) {
        ScatterSeries points = points_of(matrix);
        if (points.name == selected)
            one = std::move(points);
        else
            std::ranges::move(points.points, std::back_inserter(all.points));
    }
    std::vector<ChartSeries> series;
    if (validation.matrices.empty())
        return series;
    for (ScatterPoint& point : all.points)
        point.muted = one.has_value();
    if (one) {
        all.name = Words::tr("other matrices");
        all.colour = ChartColour::Reference;
        one->colour = ChartColour::Accent;
        for (ScatterPoint& point : one->points)
            point.edge = ChartColour::Accent; // seen among many
    }
    series.emplace_back(std::move(all));
    if (one)
        series.emplace_back(std::move(*one));
    series.emplace_back(diagonal(validation));
    return series;
}

std::vector<ChartSeries> agreement_bars(const MachineValidation& validation) {
    BarSeries bars;
    bars.name = Words::tr("simulated");
    ScatterSeries ceiling;
    ceiling.name = Words::tr("measured once more");
    ceiling.colour = ChartColour::Reference;
    for (const std::size_t at : by_agreement(validation)) {
        const ValidatedMatrix& matrix = validation.matrices[at];
        Bar bar;
        bar.value = matrix.quality.kendall_tau;
        bar.label = text(matrix.name);
        bar.key = bar.label;
        bar.colour = ChartColour::Series1;
        bar.hatched = true;
        if (matrix.ceiling) {
            bar.note = Words::tr("measured once more: %1").arg(fixed_text(matrix.ceiling->kendall_tau, 2));
            ScatterPoint point;
            point.x = static_cast<double>(bars.bars.size()) + 0.5; // the middle of the bar's place
            point.y = matrix.ceiling->kendall_tau;
            point.label = bar.label;
            point.key = bar.key;
            ceiling.points.push_back(std::move(point));
        }
        bars.bars.push_back(std::move(bar));
    }
    std::vector<ChartSeries> series;
    series.emplace_back(std::move(bars));
    if (!ceiling.points.empty())
        series.emplace_back(std::move(ceiling));
    return series;
}

StackedPicture left_out_terms(const MachineValidation& validation) {
    StackedPicture picture;
    picture.title = Words::tr("What each part of the simulation contributes");
    picture.axis.title = Words::tr("Kendall’s τ, mean over matrices");
    picture.marker_name = Words::tr("with all parts");
    picture.terms = {{Words::tr("τ with the part left out"),
                      Words::tr("the order of the times when this part of every one costs nothing"),
                      ChartColour::Series1, true}};
    std::vector<SimulatorValidation::WithoutTerm> terms = validation.without;
    std::ranges::stable_sort(
        terms, {}, [](const SimulatorValidation::WithoutTerm& one) { return one.mean.kendall_tau; });
    for (const auto& [term, mean] : terms) {
        const TimeTermWords words = time_term_words(term);
        StackedBar bar;
        bar.key = words.name;
        bar.label = words.name;
        bar.parts = {mean.kendall_tau};
        bar.marker = validation.mean.kendall_tau;
        bar.note = words.meaning;
        picture.bars.push_back(std::move(bar));
    }
    return picture;
}

QString validation_finding(const MachineValidation& validation) {
    const SimulationQuality& quality = validation.cross_validated.value_or(validation.mean);
    const QString tau = fixed_text(quality.kendall_tau, 2);
    const QString order = validation.ceiling
                              ? Words::tr("Kendall’s τ %1, where measuring once more would reach %2")
                                    .arg(tau, fixed_text(validation.ceiling->kendall_tau, 2))
                              : Words::tr("Kendall’s τ %1").arg(tau);
    const QString finding = Words::tr("%1; half of the times are off by %2 at most.")
                                .arg(order, factor_text(quality.median_error));
    if (validation.cross_validated)
        return Words::tr("On matrices that were left out: %1").arg(finding);
    return validation.all_were_fitted ? Words::tr("Flattering, as it was fitted to these: %1").arg(finding)
                                      : finding;
}

QString validation_remark(const MachineValidation& validation, bool held_out_only) {
    const auto matrices = static_cast<qint64>(validation.matrices.size());
    QStringList sentences;
    if (validation.cross_validated)
        sentences << Words::tr("Cross-validated: too few matrices were there to keep some back, so each was "
                               "left out of a calibration once. The pictures are of the calibration to all "
                               "of these: τ %1, off by %2, which flatters it.")
                         .arg(fixed_text(validation.mean.kendall_tau, 2),
                              factor_text(validation.mean.median_error));
    else if (validation.all_were_fitted)
        sentences << Words::tr("Too few matrices were there to keep some back: the calibration was fitted to "
                               "all of these, and on others the simulation is less true. Calibrating again "
                               "tells by how much.");
    sentences << (validation.all_were_fitted ? Words::tr("%1 on %2.")
                  : held_out_only            ? Words::tr("%1 on %2 that no calibration saw.")
                                  : Words::tr("%1 on %2, those that calibrations are fitted to among them."))
                     .arg(schedules_text(validation.runs), matrices_text(matrices));
    sentences << (validation.uncalibrated
                      ? Words::tr("Before the calibration: τ %1, off by %2.")
                            .arg(fixed_text(validation.uncalibrated->kendall_tau, 2),
                                 factor_text(validation.uncalibrated->median_error))
                      : Words::tr("Not calibrated: costs of loops and caches are typical ones."));
    if (!validation.without_pattern.empty()) {
        constexpr std::size_t most_named = 3;
        QStringList names;
        for (const UnreadPattern& each : validation.without_pattern)
            if (static_cast<std::size_t>(names.size()) < most_named)
                names << QString::fromStdString(each.matrix);
        if (validation.without_pattern.size() > most_named)
            names << QStringLiteral("…");
        sentences << Words::tr("Left out for want of a pattern: %1 (%2).")
                         .arg(matrices_text(static_cast<qint64>(validation.without_pattern.size())),
                              names.join(QStringLiteral(", ")));
    }
    if (!validation.ceiling)
        sentences << Words::tr("What measuring once more would reach is not known: these times came without "
                               "their spreads.");
    if (validation.left_out.count() > 0)
        sentences << Words::tr("Left out for want of a usable time: %1 (%2).")
                         .arg(measurements_text(validation.left_out.count()),
                              reasons_of(validation.left_out).join(QStringLiteral(", ")));
    return sentences.join(u' ');
}

} // namespace sparsight

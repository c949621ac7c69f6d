#include "gui/domains/sparse/validation/validation_figures.h"

#include "domains/sparse/simulator/calibration.h"
#include "gui/domains/sparse/comparison/time_terms.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/jobs/job_texts.h"
#include "gui/page/machine_words.h"
#include "machine/machine_parameters.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/record_model.h"

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
    line.name = Words::tr("both times equal");
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

/// "3 abandoned", for every reason that occurs.
QStringList reasons_of(const ExcludedRuns& runs) {
    const auto words_of = [](MeasurementStatus status) {
        switch (status) {
        case MeasurementStatus::GaveUp:
            return Words::tr("%1 abandoned as far too slow");
        case MeasurementStatus::TooLarge:
            return Words::tr("%1 too large to store");
        case MeasurementStatus::Mismatch:
            return Words::tr("%1 with a wrong result");
        case MeasurementStatus::Damaged:
            return Words::tr("%1 damaged in the file");
        case MeasurementStatus::Measured:
        case MeasurementStatus::Failed:
            break;
        }
        return Words::tr("%1 failed");
    };
    QStringList reasons;
    for (const auto& [status, count] : runs.without_time)
        reasons << words_of(status).arg(count_text(count));
    if (runs.other_engines > 0)
        reasons << Words::tr("%1 of another code generator").arg(count_text(runs.other_engines));
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
            point.edge = ChartColour::Accent; // makes the point visible among many
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
            point.x = static_cast<double>(bars.bars.size()) + 0.5; // the middle of the bar
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
    picture.marker_name = Words::tr("all parts");
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
        return Words::tr("Cross-validated on left-out matrices: %1").arg(finding);
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
        sentences << Words::tr(
            "There were too few matrices to keep some back, so the calibration was fitted to all of these. "
            "The simulation is less accurate on others. Calibrate again to see by how much.");
    sentences << (validation.all_were_fitted ? Words::tr("%1 on %2.")
                  : held_out_only            ? Words::tr("%1 on %2 that no calibration saw.")
                                  : Words::tr("%1 on %2, those that calibrations are fitted to among them."))
                     .arg(schedules_text(validation.runs), matrices_text(matrices));
    sentences << (validation.uncalibrated
                      ? Words::tr("Uncalibrated: τ %1, off by %2.")
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
        sentences << Words::tr("The patterns of %1 are unknown, so they are left out (%2).")
                         .arg(matrices_text(static_cast<qint64>(validation.without_pattern.size())),
                              names.join(QStringLiteral(", ")));
    }
    if (!validation.ceiling)
        sentences << Words::tr("What measuring once more would reach is not known: these times came without "
                               "their spreads.");
    if (validation.left_out.count() > 0)
        sentences << Words::tr("The times of %1 are of no use and left out (%2).")
                         .arg(measurements_text(validation.left_out.count()),
                              reasons_of(validation.left_out).join(QStringLiteral(", ")));
    return sentences.join(u' ');
}

namespace {

struct RowWords {
    Q_DECLARE_TR_FUNCTIONS(sparsight::Validation)
};

QString two_decimals(double value) {
    return fixed_text(value, 2);
}

QString times_text(double factor) {
    return QStringLiteral("×") + fixed_text(factor, 2);
}

RecordColumn<QualityRow> quality_column(const QString& title, const QString& tooltip,
                                        double SimulationQuality::* member, QString (*text_of)(double)) {
    return value_column<QualityRow>(
        title, tooltip, [member](const QualityRow& row) { return std::optional(row.quality.*member); },
        text_of);
}

/// Regret of the simulation's `first` best schedules: their fastest time over the fastest of all, less 1; 0.1
/// is 10 % slower.
RecordColumn<QualityRow> regret_column(int first, double SimulationQuality::* member) {
    return value_column<QualityRow>(
        RowWords::tr("Regret of %1").arg(first),
        RowWords::tr("How much slower the fastest of the simulation’s first %1 is than the fastest of all")
            .arg(first),
        [member](const QualityRow& row) { return std::optional(row.quality.*member - 1); },
        [](double regret) { return percent_text(regret); });
}

QualityRow mean_row(const char* key, const QString& name, const QString& meaning,
                    const SimulationQuality& quality) {
    return {QString::fromLatin1(key), name, meaning, quality, {}, {}};
}

} // namespace

std::vector<RecordColumn<QualityRow>> quality_columns(const QString& first_title) {
    RecordColumn<QualityRow> name;
    name.title = first_title;
    name.text = [](const QualityRow& row) { return row.name; };
    name.hint = [](const QualityRow& row) { return row.meaning.isEmpty() ? row.name : row.meaning; };
    const auto ceiling = value_column<QualityRow>(
        RowWords::tr("Ceiling"),
        RowWords::tr("Kendall’s τ of a second measurement, estimated from the spreads of the times. No "
                     "prediction can do better"),
        [](const QualityRow& row) { return row.ceiling; }, &two_decimals);
    const auto schedules = value_column<QualityRow>(
        RowWords::tr("Schedules"), RowWords::tr("Number of schedules measured and simulated"),
        [](const QualityRow& row) { return row.schedules; }, [](qint64 count) { return count_text(count); });
    return {name,
            quality_column(RowWords::tr("τ"),
                           RowWords::tr("Kendall’s τ of simulated and measured times: 1 is the same order, 0 "
                                        "chance, −1 the reverse"),
                           &SimulationQuality::kendall_tau, &two_decimals),
            ceiling,
            quality_column(RowWords::tr("Pairs"), RowWords::tr("Share of the pairs in the right order"),
                           &SimulationQuality::ordered_pair_accuracy,
                           [](double share) { return share_text(share); }),
            regret_column(1, &SimulationQuality::top_1_regret),
            regret_column(5, &SimulationQuality::top_5_regret),
            regret_column(20, &SimulationQuality::top_20_regret),
            quality_column(RowWords::tr("Off by"),
                           RowWords::tr("The factor by which half of the simulated times are off at most"),
                           &SimulationQuality::median_error, &times_text),
            schedules};
}

std::vector<QualityRow> matrix_rows(const MachineValidation& validation) {
    std::vector<QualityRow> rows;
    for (const ValidatedMatrix& matrix : validation.matrices) {
        const QString name = QString::fromStdString(matrix.name);
        const auto ceiling =
            matrix.ceiling ? std::optional(matrix.ceiling->kendall_tau) : std::optional<double>();
        rows.push_back(
            {name, name, {}, matrix.quality, ceiling, static_cast<qint64>(matrix.measured_ms.size())});
    }
    return rows;
}

std::vector<QualityRow> mean_rows(const MachineValidation& validation) {
    std::vector<QualityRow> rows;
    if (validation.cross_validated)
        rows.push_back(mean_row("cross-validated", RowWords::tr("Cross-validated"),
                                RowWords::tr("Each matrix simulated by a calibration to the others"),
                                *validation.cross_validated));
    rows.push_back(mean_row("simulation", RowWords::tr("Simulation"),
                            RowWords::tr("All parts, with what is known of the machine now"),
                            validation.mean));
    rows.back().schedules = validation.runs;
    if (validation.ceiling)
        rows.back().ceiling = validation.ceiling->kendall_tau;
    if (validation.uncalibrated)
        rows.push_back(mean_row("uncalibrated", RowWords::tr("Uncalibrated"),
                                RowWords::tr("Facts of the machine and typical values alone"),
                                *validation.uncalibrated));
    if (validation.ceiling)
        rows.push_back(mean_row("ceiling", RowWords::tr("Measured once more"),
                                RowWords::tr("Estimated from the spreads of the times"),
                                *validation.ceiling));
    for (const auto& [term, mean] : validation.without) {
        const TimeTermWords words = time_term_words(term);
        rows.push_back(
            {words.name, RowWords::tr("Left out: %1").arg(words.name), words.meaning, mean, {}, {}});
    }
    return rows;
}

QString key_of(const FittedRow& row) {
    const std::string_view key = parameter_info(row.parameter).key;
    return QString::fromUtf8(key.data(), static_cast<qsizetype>(key.size()));
}

std::vector<RecordColumn<FittedRow>> fitted_columns() {
    RecordColumn<FittedRow> name;
    name.title = RowWords::tr("Parameter");
    name.text = [](const FittedRow& row) { return parameter_words(row.parameter).name; };
    name.hint = [](const FittedRow& row) { return parameter_words(row.parameter).meaning; };
    const auto value = [](const QString& title, const QString& tooltip, double FittedRow::* member) {
        RecordColumn<FittedRow> column;
        column.title = title;
        column.tooltip = tooltip;
        column.text = [member](const FittedRow& row) { return parameter_text(row.parameter, row.*member); };
        column.raw = [member](const FittedRow& row) { return QVariant(row.*member); };
        return column;
    };
    RecordColumn<FittedRow> determined;
    determined.title = RowWords::tr("Determined");
    determined.tooltip =
        RowWords::tr("Share of the earlier doubt that the measurements leave. A share near 100 % means that "
                     "they do not determine the parameter, and it hardly changes.");
    determined.text = [](const FittedRow& row) {
        if (!row.doubt_left)
            return unknown_text();
        return (is_determined(*row.doubt_left) ? RowWords::tr("determined (%1 of the doubt left)")
                                               : RowWords::tr("not determined (%1 of the doubt left)"))
            .arg(share_text(*row.doubt_left));
    };
    determined.raw = [](const FittedRow& row) {
        return row.doubt_left ? QVariant(*row.doubt_left) : QVariant();
    };
    determined.alignment = Qt::AlignLeft;
    determined.export_title = RowWords::tr("Share of the doubt left");
    determined.colour = [](const FittedRow& row) {
        return is_determined(row.doubt_left.value_or(0)) ? QVariant() : QVariant(current_theme().dim_text);
    };
    const auto change = value_column<FittedRow>(
        RowWords::tr("Change"), RowWords::tr("New value over old value"),
        [](const FittedRow& row) {
            return row.before > 0 ? std::optional(row.after / row.before) : std::nullopt;
        },
        &times_text);
    return {name,
            value(RowWords::tr("Before"), RowWords::tr("A fact of the machine, or a typical value"),
                  &FittedRow::before),
            value(RowWords::tr("Fitted"), RowWords::tr("What simulations take now"), &FittedRow::after),
            change, determined};
}

std::vector<FittedRow> fitted_rows(const MachineDescription& machine) {
    std::vector<FittedRow> rows;
    const MachineParameters before = resolve_parameters(without_calibration(machine)).values;
    const MachineParameters now = resolve_parameters(machine).values;
    if (machine.source == MachineSource::Simulated)
        return rows;
    for (const MachineParameter parameter : fitted_parameters()) {
        if (!machine.coefficients.contains(parameter))
            continue;
        rows.push_back({parameter, before[parameter], now[parameter], doubt_left(machine, parameter)});
    }
    return rows;
}

} // namespace sparsight

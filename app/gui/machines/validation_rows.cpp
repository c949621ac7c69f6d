#include "gui/machines/validation_rows.h"

#include "gui/page/parameter_words.h"
#include "gui/page/time_term_words.h"
#include "machine/calibration/calibration.h"
#include "machine/machine_parameters.h"
#include "machine/parameter_origin.h"
#include "widgets/look/theme.h"
#include "widgets/table/record_columns.h"

#include <QCoreApplication>
#include <algorithm>

namespace sparsight {

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

/// Of the best of the simulation's first ones over the best of all: 0.1 is 10 % slower.
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
        RowWords::tr(
            "Kendall’s τ of measuring once more, as far as the spreads of the times tell: nothing that "
            "predicts can do better"),
        [](const QualityRow& row) { return row.ceiling; }, &two_decimals);
    const auto schedules = value_column<QualityRow>(
        RowWords::tr("Schedules"), RowWords::tr("That were measured and simulated"),
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
                                RowWords::tr("Of each matrix by a calibration to the others"),
                                *validation.cross_validated));
    rows.push_back(mean_row("simulation", RowWords::tr("Simulation"),
                            RowWords::tr("With all its parts, by what is known of the machine now"),
                            validation.mean));
    rows.back().schedules = validation.runs;
    if (validation.ceiling)
        rows.back().ceiling = validation.ceiling->kendall_tau;
    if (validation.uncalibrated)
        rows.push_back(mean_row("uncalibrated", RowWords::tr("Before the calibration"),
                                RowWords::tr("By the facts of the machine and typical values alone"),
                                *validation.uncalibrated));
    if (validation.ceiling)
        rows.push_back(mean_row("ceiling", RowWords::tr("Measured once more"),
                                RowWords::tr("As far as the spreads of the times tell"),
                                *validation.ceiling));
    for (const auto& [term, mean] : validation.without) {
        const TimeTermWords words = time_term_words(term);
        rows.push_back({words.name, RowWords::tr("Without %1").arg(words.name), words.meaning, mean, {}, {}});
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
    determined.title = RowWords::tr("By the data");
    determined.tooltip =
        RowWords::tr("What the measurements leave of the doubt that there was before. Near 100 % they do not "
                     "determine the parameter, and it stays near what it was.");
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
        RowWords::tr("Change"), RowWords::tr("As a factor"),
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

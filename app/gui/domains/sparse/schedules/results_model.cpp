#include "gui/domains/sparse/schedules/results_model.h"

#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/page/domain_words.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/record_model.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

struct ResultsTable {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ResultsModel)
};

QString schedule_of(const RankedResult& result) {
    return QString::fromStdString(result.row.schedule);
}

QString reason_of(const RankedResult& result) {
    return QString::fromStdString(result.row.reason);
}

/// The spread as a share of the median, which can be compared across schedules.
std::optional<double> relative_spread(const RankedResult& result) {
    if (!result.row.spread_ms || !result.row.median_ms)
        return std::nullopt;
    return *result.row.spread_ms / *result.row.median_ms;
}

RecordColumn<RankedResult> rank_column() {
    return value_column<RankedResult>(
        ResultsTable::tr("Rank"),
        ResultsTable::tr("1 is the fastest, by its speedup; fixed CSR is ranked among the others"),
        [](const RankedResult& result) {
            return result.rank > 0 ? std::optional(result.rank) : std::nullopt;
        },
        [](int rank) { return count_text(rank); });
}

QString tip_of(const RankedResult& result) {
    const auto schedule = parse_schedule(result.row.op, result.row.schedule);
    return schedule ? code_tip(*schedule) : schedule_of(result);
}

RecordColumn<RankedResult> schedule_column() {
    auto column = text_column<RankedResult>(
        ResultsTable::tr("Schedule"),
        ResultsTable::tr("How A is stored, what is unusual about the loops, and the chunk. The tooltip of a "
                         "row has its code."),
        [](const RankedResult& result) { return QString::fromStdString(result.nickname); });
    column.hint = &tip_of;
    column.raw = [](const RankedResult& result) { // copies and exports have the code, too
        return QVariant(
            QStringLiteral("%1 · %2").arg(QString::fromStdString(result.nickname), schedule_of(result)));
    };
    return column;
}

RecordColumn<RankedResult> code_column() {
    auto column = text_column<RankedResult>(ResultsTable::tr("Code"), code_meaning(), &schedule_of);
    column.hint = &tip_of;
    column.export_title = QStringLiteral("schedule");
    column.colour = [](const RankedResult&) { return QVariant(current_theme().dim_text); };
    return column;
}

/// The time with all that says how sure it is.
QString time_hint(const RankedResult& result) {
    const ResultRow& row = result.row;
    QStringList lines{time_with_spread(result)};
    const auto add = [&](const QString& line, const std::optional<double>& milliseconds) {
        if (milliseconds)
            lines << line.arg(duration_text(*milliseconds));
    };
    add(ResultsTable::tr("Scatter of single runs: %1"), row.scatter_ms);
    add(ResultsTable::tr("Error of the median: %1"), row.error_ms);
    add(ResultsTable::tr("Drift of the computer: %1"), row.drift_ms);
    if (!row.is_fixed_csr)
        add(ResultsTable::tr("Fixed CSR at that moment: %1"), row.reference_ms);
    if (row.fixed_csr_range)
        add(ResultsTable::tr("Shortest time of fixed CSR in this collection: %1"),
            row.fixed_csr_range->shortest_ms);
    if (row.disturbance)
        lines << ResultsTable::tr("Time lost to other programs or guests: %1")
                     .arg(percent_text(*row.disturbance));
    if (!row.engine.empty())
        lines << ResultsTable::tr("Made by %1").arg(QString::fromStdString(row.engine));
    return lines.join(QLatin1Char('\n'));
}

RecordColumn<RankedResult> time_column() {
    auto column = value_column<RankedResult>(
        ResultsTable::tr("Time"),
        ResultsTable::tr(
            "Median of the runs; a lower bound where it was abandoned. Schedules were measured one "
            "after the other; Results and Failures compare the best in turns"),
        [](const RankedResult& result) { return result.row.median_ms; },
        [](double milliseconds) { return duration_text(milliseconds); });
    column.export_title = QStringLiteral("median_ms");
    column.text = [time = column.text](const RankedResult& result) {
        return result.row.status == MeasurementStatus::GaveUp ? QStringLiteral("> ") + time(result)
                                                              : time(result);
    };
    column.hint = [](const RankedResult& result) {
        return result.row.median_ms ? time_hint(result) : reason_of(result);
    };
    return column;
}

QString speedup_hint(const RankedResult& result) {
    const auto& speedup = result.row.speedup_over_fixed_csr;
    if (!speedup)
        return {};
    QString hint = percent_text(*speedup - 1);
    const QString range = explaining_range(result);
    if (!range.isEmpty())
        hint += QLatin1Char('\n') +
                ResultsTable::tr("May be noise: fixed CSR itself took %1 in this collection").arg(range);
    else if (result.is_in_noise)
        hint += QLatin1Char('\n') +
                ResultsTable::tr("May be noise: its times, or those of fixed CSR, spread as much");
    if (result.is_before_baseline)
        hint += QLatin1Char('\n') +
                ResultsTable::tr("Fixed CSR was measured anew after it: the two times are of two sessions");
    return hint;
}

RecordColumn<RankedResult> speedup_column() {
    auto column = value_column<RankedResult>(
        ResultsTable::tr("Speedup"),
        ResultsTable::tr(
            "Time of fixed CSR at that moment over the time of this schedule, on the same matrix, "
            "threads and protocol. ~ stands before one that may be noise. The two times then differ "
            "by no more than their spreads, or fixed CSR itself was as fast."),
        [](const RankedResult& result) { return result.row.speedup_over_fixed_csr; },
        [](double speedup) { return speedup_text(speedup); });
    column.export_title = QStringLiteral("speedup_over_fixed_csr");
    column.text = [](const RankedResult& result) { return speedup_text(result); };
    column.hint = &speedup_hint;
    column.colour = [](const RankedResult& result) -> QVariant {
        const auto& speedup = result.row.speedup_over_fixed_csr;
        if (!speedup || result.row.is_fixed_csr)
            return {};
        if (result.is_in_noise)
            return current_theme().dim_text;
        return *speedup >= 1 ? current_theme().win : current_theme().lose;
    };
    return column;
}

RecordColumn<RankedResult> storage_column() {
    auto column = value_column<RankedResult>(
        ResultsTable::tr("Storage"),
        ResultsTable::tr("Bytes of A in this format; predicted where it was too large"),
        [](const RankedResult& result) { // of a runtime that was imported or simulated it is not known
            return result.row.bytes > 0 ? std::optional<qulonglong>(result.row.bytes) : std::nullopt;
        },
        [](qulonglong bytes) { return bytes_text(static_cast<double>(bytes)); });
    column.export_title = QStringLiteral("bytes");
    return column;
}

RecordColumn<RankedResult> status_column() {
    auto column = text_column<RankedResult>(ResultsTable::tr("Status"), {}, [](const RankedResult& result) {
        if (result.is_simulated())
            return ResultsTable::tr("simulated");
        return result.is_recorded && result.row.status == MeasurementStatus::Measured
                   ? ResultsTable::tr("recorded")
                   : status_text(result.row.status);
    });
    column.hint = [](const RankedResult& result) {
        if (result.is_simulated())
            return reason_of(result);
        const QString meaning = status_meaning(result.row.status);
        const QString reason = reason_of(result);
        return reason.isEmpty() ? meaning : meaning + QLatin1Char('\n') + reason;
    };
    column.colour = [](const RankedResult& result) -> QVariant {
        const bool is_ours = result.row.status == MeasurementStatus::Mismatch ||
                             result.row.status == MeasurementStatus::Failed;
        return is_ours ? QVariant(current_theme().error) : QVariant();
    };
    return column;
}

RecordColumn<RankedResult> spread_column() {
    auto column =
        value_column<RankedResult>(ResultsTable::tr("Spread"),
                                   ResultsTable::tr("How far another median of the same schedule may differ: "
                                                    "noise of the runs and drift of the computer"),
                                   &relative_spread, [](double spread) {
                                       return with_unit(significant(spread * 100, 2), QStringLiteral("%"));
                                   });
    column.export_title = QStringLiteral("relative_spread");
    return column;
}

} // namespace

QString key_of(const RankedResult& result) {
    return QStringLiteral("%1|%2|%3|%4")
        .arg(QString::fromStdString(result.row.schedule), QString::fromStdString(result.row.protocol),
             QString::fromStdString(result.row.machine))
        .arg(result.row.dense);
}

ResultsModel::ResultsModel(QObject* parent)
    : RecordModel({rank_column(), speedup_column(), time_column(), schedule_column(), storage_column(),
                   status_column(), spread_column(), code_column()},
                  &key_of, parent) {}

namespace {

struct Bars {
    Q_DECLARE_TR_FUNCTIONS(sparsight::SpeedupBars)
};

ChartColour colour_of(const RankedResult& result) {
    if (result.row.is_fixed_csr)
        return ChartColour::Reference;
    const bool wins = *result.row.speedup_over_fixed_csr >= 1;
    if (result.is_in_noise)
        return wins ? ChartColour::FaintWin : ChartColour::FaintLose;
    return wins ? ChartColour::Win : ChartColour::Lose;
}

Bar speedup_bar(const RankedResult& result) {
    Bar bar;
    bar.value = *result.row.speedup_over_fixed_csr;
    bar.label = QString::fromStdString(result.nickname);
    bar.colour = colour_of(result);
    bar.hatched = result.is_simulated();
    bar.key = key_of(result);
    bar.note = time_with_spread(result);
    if (result.is_in_noise)
        bar.note += QStringLiteral(" · ") + Bars::tr("may be noise");
    return bar;
}

} // namespace

BarSeries speedup_bars(std::span<const RankedResult> results) {
    BarSeries bars;
    bars.name = Bars::tr("speedup");
    bars.baseline = 1;
    for (const RankedResult& result : results)
        if (result.rank > 0 && result.row.speedup_over_fixed_csr)
            bars.bars.push_back(speedup_bar(result));
    return bars;
}

} // namespace sparsight

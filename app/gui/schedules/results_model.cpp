#include "gui/schedules/results_model.h"

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QCoreApplication>
#include <limits>

namespace sparsight {

namespace {

struct ResultsTable {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ResultsModel)
};

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

QVariant number(const std::optional<double>& value) {
    return value ? QVariant(*value) : QVariant();
}

RecordColumn<RankedResult> rank_column() {
    RecordColumn<RankedResult> column;
    column.title = ResultsTable::tr("Rank");
    column.text = [](const RankedResult& result) {
        return result.rank > 0 ? count_text(result.rank) : unknown_text();
    };
    column.raw = [](const RankedResult& result) {
        return result.rank > 0 ? QVariant(result.rank) : QVariant();
    };
    return column;
}

RecordColumn<RankedResult> schedule_column() {
    RecordColumn<RankedResult> column;
    column.title = ResultsTable::tr("Schedule");
    column.tooltip =
        ResultsTable::tr("Splits, loop order, level formats, parallel loop, threads, chunk: WACO’s "
                         "text form");
    column.text = [](const RankedResult& result) {
        const QString text = QString::fromStdString(result.row.schedule);
        return result.row.is_fixed_csr ? ResultsTable::tr("fixed CSR   %1").arg(text) : text;
    };
    column.raw = [](const RankedResult& result) {
        return QVariant(QString::fromStdString(result.row.schedule));
    };
    column.hint = column.text;
    return column;
}

RecordColumn<RankedResult> time_column() {
    RecordColumn<RankedResult> column;
    column.title = ResultsTable::tr("Time");
    column.tooltip = ResultsTable::tr("Median of the runs; for one that was given up, a lower bound");
    column.export_title = QStringLiteral("median_ms");
    column.text = [](const RankedResult& result) {
        const QString time = duration_text(result.row.median_ms.value_or(unknown));
        return result.row.status == MeasurementStatus::GaveUp ? QStringLiteral("> ") + time : time;
    };
    column.raw = [](const RankedResult& result) { return number(result.row.median_ms); };
    column.hint = [](const RankedResult& result) {
        return result.row.median_ms
                   ? duration_with_spread(*result.row.median_ms, result.row.spread_ms.value_or(unknown))
                   : QString::fromStdString(result.row.reason);
    };
    return column;
}

RecordColumn<RankedResult> spread_column() {
    RecordColumn<RankedResult> column;
    column.title = ResultsTable::tr("Spread");
    column.tooltip =
        ResultsTable::tr("How far another median of the same schedule may lie off: the noise of the "
                         "runs and the drift of the computer");
    column.export_title = QStringLiteral("spread_ms");
    column.text = [](const RankedResult& result) {
        return result.row.spread_ms && result.row.median_ms
                   ? QStringLiteral("± %1 %").arg(
                         significant(*result.row.spread_ms / *result.row.median_ms * 100, 2))
                   : unknown_text();
    };
    column.raw = [](const RankedResult& result) { return number(result.row.spread_ms); };
    return column;
}

RecordColumn<RankedResult> speedup_column() {
    RecordColumn<RankedResult> column;
    column.title = ResultsTable::tr("Speedup");
    column.tooltip =
        ResultsTable::tr("Time of fixed CSR over the time of this schedule, on the same matrix, threads "
                         "and protocol");
    column.export_title = QStringLiteral("speedup_over_fixed_csr");
    column.text = [](const RankedResult& result) {
        return speedup_text(result.row.speedup_over_fixed_csr.value_or(unknown));
    };
    column.raw = [](const RankedResult& result) { return number(result.row.speedup_over_fixed_csr); };
    column.hint = [](const RankedResult& result) {
        return result.row.speedup_over_fixed_csr ? percent_text(*result.row.speedup_over_fixed_csr - 1)
                                                 : QString();
    };
    column.colour = [](const RankedResult& result) -> QVariant {
        const auto& speedup = result.row.speedup_over_fixed_csr;
        if (!speedup || result.row.is_fixed_csr)
            return {};
        return *speedup >= 1 ? current_theme().win : current_theme().lose;
    };
    return column;
}

RecordColumn<RankedResult> storage_column() {
    RecordColumn<RankedResult> column;
    column.title = ResultsTable::tr("Storage");
    column.tooltip = ResultsTable::tr("Bytes of A in this format; predicted where it was too large");
    column.export_title = QStringLiteral("bytes");
    column.text = [](const RankedResult& result) {
        return bytes_text(static_cast<double>(result.row.bytes));
    };
    column.raw = [](const RankedResult& result) {
        return QVariant(static_cast<qulonglong>(result.row.bytes));
    };
    return column;
}

RecordColumn<RankedResult> status_column() {
    RecordColumn<RankedResult> column;
    column.title = ResultsTable::tr("Status");
    column.text = [](const RankedResult& result) { return status_text(result.row.status); };
    column.hint = [](const RankedResult& result) {
        const QString reason = QString::fromStdString(result.row.reason);
        return reason.isEmpty() ? status_meaning(result.row.status)
                                : status_meaning(result.row.status) + QLatin1Char('\n') + reason;
    };
    column.colour = [](const RankedResult& result) -> QVariant {
        const bool is_ours = result.row.status == MeasurementStatus::Mismatch ||
                             result.row.status == MeasurementStatus::Failed;
        return is_ours ? QVariant(current_theme().error) : QVariant();
    };
    return column;
}

} // namespace

QString key_of(const RankedResult& result) {
    return QStringLiteral("%1|%2|%3|%4")
        .arg(QString::fromStdString(result.row.schedule), QString::fromStdString(result.row.protocol),
             QString::fromStdString(result.row.machine))
        .arg(result.row.dense);
}

QString status_text(MeasurementStatus status) {
    switch (status) {
    case MeasurementStatus::Measured:
        return ResultsTable::tr("measured");
    case MeasurementStatus::GaveUp:
        return ResultsTable::tr("gave up");
    case MeasurementStatus::TooLarge:
        return ResultsTable::tr("too large");
    case MeasurementStatus::Mismatch:
        return ResultsTable::tr("mismatch");
    case MeasurementStatus::Failed:
        return ResultsTable::tr("failed");
    }
    return {};
}

QString status_meaning(MeasurementStatus status) {
    switch (status) {
    case MeasurementStatus::Measured:
        return ResultsTable::tr("The result was checked, the time stands.");
    case MeasurementStatus::GaveUp:
        return ResultsTable::tr(
            "The first run was so far behind the best that it was abandoned: it takes longer than "
            "this.");
    case MeasurementStatus::TooLarge:
        return ResultsTable::tr("The storage format would exceed the size limit, so it was not built.");
    case MeasurementStatus::Mismatch:
        return ResultsTable::tr(
            "The result differs from fixed CSR’s: a defect of this program, please report it.");
    case MeasurementStatus::Failed:
        return ResultsTable::tr("It could not be compiled or run.");
    }
    return {};
}

ResultsModel::ResultsModel(QObject* parent)
    : RecordModel({rank_column(), speedup_column(), time_column(), schedule_column(), storage_column(),
                   status_column(), spread_column()},
                  &key_of, parent) {}

} // namespace sparsight

#include "evaluation/collection_report.h"

#include "evaluation/noise.h"
#include "evaluation/report_picture.h"
#include "store/matrices.h"
#include "store/stored_pattern.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

void rank(MatrixFinding& finding, std::vector<ResultRow> rows) {
    for (ResultRow& row : rows) {
        switch (row.status) {
        case MeasurementStatus::Measured:
            if (row.is_fixed_csr)
                finding.fixed_csr = row;
            finding.ranked.push_back(std::move(row));
            break;
        case MeasurementStatus::GaveUp:
            ++finding.gave_up;
            break;
        case MeasurementStatus::TooLarge:
        case MeasurementStatus::Mismatch:
        case MeasurementStatus::Failed:
            ++finding.failed;
            break;
        }
    }
    std::ranges::stable_sort(finding.ranked, {},
                             [](const ResultRow& row) { return row.median_ms.value_or(0); });
}

} // namespace

std::optional<double> MatrixFinding::speedup() const {
    if (!fixed_csr || best() == nullptr || !fixed_csr->median_ms || !(best()->median_ms.value_or(0) > 0))
        return std::nullopt;
    return *fixed_csr->median_ms / *best()->median_ms;
}

bool MatrixFinding::gain_exceeds_noise() const {
    const auto gained = speedup();
    return gained && *gained > 1 && differ_beyond_noise(*fixed_csr, *best());
}

std::optional<double> CollectionReport::mean_speedup() const {
    double logarithms = 0;
    int count = 0;
    for (const MatrixFinding& finding : matrices) {
        if (const auto speedup = finding.speedup()) {
            logarithms += std::log(*speedup);
            ++count;
        }
    }
    if (count == 0)
        return std::nullopt;
    return std::exp(logarithms / count);
}

Result<CollectionReport> summarise_collection(Workspace& workspace, const ReportScope& scope,
                                              const MachineDescription& machine) {
    CollectionReport report;
    report.machine = machine;
    report.op = scope.op;
    report.dense = scope.op == Operator::SpMV ? 1 : scope.dense;
    report.protocol = scope.protocol;
    const auto records = list_matrices(workspace);
    if (!records)
        return std::unexpected(records.error());
    for (const MatrixRecord& record : *records) {
        if (!scope.matrices.empty() && std::ranges::find(scope.matrices, record.name) == scope.matrices.end())
            continue;
        auto rows = list_results(
            workspace, {record.name, scope.machine, scope.op, report.dense, scope.protocol, scope.threads});
        if (!rows)
            return std::unexpected(rows.error());
        if (rows->empty())
            continue;
        for (const ResultRow& row : *rows)
            report.date = std::max(report.date, row.measured);
        MatrixFinding finding;
        finding.matrix = record.name;
        finding.source = record.source;
        const auto pattern = load_pattern(workspace, record.id);
        if (!pattern) {
            report.left_out.push_back(pattern.error());
            continue;
        }
        finding.statistics = compute_statistics(*pattern, scope.threads);
        auto picture = report_picture(*pattern, scope.threads);
        if (!picture)
            return std::unexpected(picture.error());
        finding.picture = std::move(*picture);
        rank(finding, std::move(*rows));
        report.matrices.push_back(std::move(finding));
    }
    return report;
}

} // namespace sparsight

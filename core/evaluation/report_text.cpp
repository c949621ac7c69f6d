#include "base/csv.h"
#include "evaluation/report_writers.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace sparsight {

namespace {

std::string number(std::optional<double> value, int digits) {
    return value ? fmt::format("{:.{}f}", *value, digits) : "";
}

std::optional<double> median_of(const ResultRow* row) {
    return row == nullptr ? std::nullopt : row->median_ms;
}

std::optional<double> spread_of(const ResultRow* row) {
    return row == nullptr ? std::nullopt : row->spread_ms;
}

const ResultRow* fixed_csr_of(const MatrixFinding& finding) {
    return finding.fixed_csr ? &*finding.fixed_csr : nullptr;
}

} // namespace

std::string report_table(const CollectionReport& report) {
    std::size_t width = std::string_view("matrix").size();
    for (const MatrixFinding& finding : report.matrices)
        width = std::max(width, finding.matrix.size());
    std::string text = fmt::format("{:<{}}  {:>13}  {:>9}  {:>8}  {}\n", "matrix", width, "fixed CSR ms",
                                   "best ms", "speedup", "best schedule");
    bool any_in_noise = false;
    for (const MatrixFinding& finding : report.matrices) {
        const ResultRow* best = finding.best();
        const bool in_noise = best != nullptr && !finding.gain_exceeds_noise();
        any_in_noise = any_in_noise || in_noise;
        fmt::format_to(std::back_inserter(text), "{:<{}}  {:>13}  {:>9}  {:>8}{} {}\n", finding.matrix, width,
                       number(median_of(fixed_csr_of(finding)), 3), number(median_of(best), 3),
                       finding.speedup() ? number(finding.speedup(), 2) + "x" : "", in_noise ? "~" : " ",
                       best == nullptr ? "nothing could be measured" : best->schedule);
    }
    if (const auto mean = report.mean_speedup())
        fmt::format_to(std::back_inserter(text), "geometric mean of the speedups: {:.2f}x\n", *mean);
    if (any_in_noise)
        text += "~ the gain is within the spread of the two measurements\n";
    return text;
}

std::string report_csv(const CollectionReport& report) {
    std::string text =
        "matrix,fixed_csr_ms,best_ms,speedup,best_schedule,fixed_csr_spread_ms,best_spread_ms,rows,cols,nnz,"
        "measured,gave_up,failed\r\n";
    for (const MatrixFinding& finding : report.matrices) {
        const ResultRow* best = finding.best();
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n",
                       csv_field(finding.matrix), number(median_of(fixed_csr_of(finding)), 6),
                       number(median_of(best), 6), number(finding.speedup(), 4),
                       best == nullptr ? "" : csv_field(best->schedule),
                       number(spread_of(fixed_csr_of(finding)), 6), number(spread_of(best), 6),
                       finding.statistics.rows, finding.statistics.cols, finding.statistics.nnz,
                       finding.ranked.size(), finding.gave_up, finding.failed);
    }
    return text;
}

} // namespace sparsight

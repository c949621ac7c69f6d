#include "workflow/learning/training/baseline_comparison.h"

#include "base/text.h"
#include "store/runs.h"
#include "workflow/learning/training/training_journal.h"

#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

std::string pairs_of(int test_matrices) {
    return test_matrices > 0
               ? fmt::format("of the pairs on {}", counted(test_matrices, "test matrix", "test matrices"))
               : std::string("of the pairs on the test matrices");
}

/// By which the two differ, as their shares are written.
std::string points_between(const BaselineVerdict& verdict) {
    return fmt::format("{:.1f} points", 100 * std::abs(verdict.model - verdict.baseline));
}

std::string caution(int test_matrices) {
    return test_matrices > 0 && test_matrices < enough_test_matrices
               ? "; on so few test matrices that may be chance"
               : "";
}

} // namespace

std::string baseline_finding(const BaselineComparison& comparison) {
    const auto verdict = comparison.verdict();
    if (!verdict)
        return {};
    const std::string pairs = pairs_of(comparison.test_matrices);
    switch (verdict->standing) {
    case BaselineStanding::Ahead:
        return fmt::format("boosted trees are ahead: {} they have {:.1f} % in order, this network {:.1f} %, "
                           "{} fewer{}",
                           pairs, 100 * verdict->baseline, 100 * verdict->model, points_between(*verdict),
                           caution(comparison.test_matrices));
    case BaselineStanding::Behind:
        return fmt::format("this network is ahead of boosted trees: {} it has {:.1f} % in order, they "
                           "{:.1f} %, {} fewer{}",
                           pairs, 100 * verdict->model, 100 * verdict->baseline, points_between(*verdict),
                           caution(comparison.test_matrices));
    case BaselineStanding::Even:
        break;
    }
    return fmt::format("boosted trees and this network are even: {} both have {:.1f} % in order", pairs,
                       100 * verdict->model);
}

std::string baseline_sentence(const BaselineComparison& comparison) {
    const auto verdict = comparison.verdict();
    std::string sentence = baseline_finding(comparison);
    if (verdict && verdict->standing == BaselineStanding::Ahead)
        sentence += fmt::format("; {}", what_helps_against_trees);
    return sentence;
}

Result<BaselineComparison> comparison_with_trees(Workspace& workspace, const ModelRecord& model) {
    BaselineComparison comparison;
    if (!model.run)
        return comparison;
    const auto last_of = [&](const std::string& metric) -> Result<std::optional<double>> {
        const auto points = list_metric(workspace, *model.run, metric);
        if (!points)
            return std::unexpected(points.error());
        return points->empty() ? std::nullopt : std::optional(points->back().value);
    };
    const std::string accuracy = "ordered_pair_accuracy";
    const auto own = last_of(std::string(test_prefix) + accuracy);
    if (!own)
        return std::unexpected(own.error());
    const auto trees = last_of(std::string(baseline_prefix) + accuracy);
    if (!trees)
        return std::unexpected(trees.error());
    const auto matrices = last_of(test_matrices_metric);
    if (!matrices)
        return std::unexpected(matrices.error());
    return BaselineComparison{*own, *trees, static_cast<int>(matrices->value_or(0))};
}

} // namespace sparsight

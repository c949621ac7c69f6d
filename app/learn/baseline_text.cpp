#include "learn/baseline_text.h"

#include "base/plural.h"

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

Json baseline_json(const BaselineComparison& comparison) {
    const auto verdict = comparison.verdict();
    if (!verdict)
        return {};
    const bool is_even = verdict->standing == BaselineStanding::Even;
    return {{"ahead", is_even                                        ? Json()
                      : verdict->standing == BaselineStanding::Ahead ? "trees"
                                                                     : "model"},
            {"points", 100 * std::abs(verdict->model - verdict->baseline)},
            {"test_matrices", comparison.test_matrices > 0 ? Json(comparison.test_matrices) : Json()},
            {"sentence", baseline_sentence(comparison)}};
}

} // namespace sparsight

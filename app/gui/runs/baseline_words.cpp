#include "gui/runs/baseline_words.h"

#include "gui/runs/stored_runs.h"
#include "learning/baseline_verdict.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <cmath>

namespace sparsight {

namespace {

struct BaselineWords {
    Q_DECLARE_TR_FUNCTIONS(sparsight::BaselineWords)
};

std::optional<BaselineVerdict> verdict_of(const TrainingRun& run) {
    return baseline_verdict_of(run.test_accuracy, run.baseline_accuracy);
}

QString lead_text(const BaselineVerdict& verdict) {
    return BaselineWords::tr("%1 percentage points")
        .arg(fixed_text(100 * std::abs(verdict.model - verdict.baseline), 1));
}

/// "3 test matrices, so few that it may be chance".
QString tests_text(const TrainingRun& run) {
    if (run.test_matrices == 0)
        return BaselineWords::tr("the test matrices");
    const QString tests = run.test_matrices == 1
                              ? BaselineWords::tr("1 test matrix")
                              : BaselineWords::tr("%1 test matrices").arg(count_text(run.test_matrices));
    return run.test_matrices < enough_test_matrices
               ? BaselineWords::tr("%1, so few that it may be chance").arg(tests)
               : tests;
}

} // namespace

QString baseline_sentence(const TrainingRun& run) {
    const auto verdict = verdict_of(run);
    if (!verdict)
        return {};
    switch (verdict->standing) {
    case BaselineStanding::Ahead:
        return BaselineWords::tr("Boosted trees are ahead by %1 on %2: they order %3 of the pairs rightly, "
                                 "this network %4. Fine-tune it (a blend with the simulator), measure more "
                                 "matrices, or take the preset Best.")
            .arg(lead_text(*verdict), tests_text(run), share_text(verdict->baseline),
                 share_text(verdict->model));
    case BaselineStanding::Behind:
        return BaselineWords::tr("This network is ahead of boosted trees by %1 on %2: it orders %3 of the "
                                 "pairs rightly, they %4.")
            .arg(lead_text(*verdict), tests_text(run), share_text(verdict->model),
                 share_text(verdict->baseline));
    case BaselineStanding::Even:
        break;
    }
    return BaselineWords::tr(
               "Boosted trees and this network are even on %1: both order %2 of the pairs rightly.")
        .arg(tests_text(run), share_text(verdict->model));
}

bool is_behind_trees(const TrainingRun& run) {
    const auto verdict = verdict_of(run);
    return verdict && verdict->standing == BaselineStanding::Ahead;
}

} // namespace sparsight

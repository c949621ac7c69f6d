#include "gui/runs/model_verdicts.h"

#include "gui/page/domain_words.h"
#include "gui/runs/stored_learning.h"
#include "learning/training/model_verdicts.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>

namespace sparsight {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ModelVerdicts)
};

} // namespace

QString blend_formula(const BlendShares& blend) {
    const auto without = part_without_share(blend.network, blend.simulator);
    if (without == BlendPart::Network)
        return Words::tr("score = %1 · ln(simulated ms); the network is not used")
            .arg(significant(blend.simulator));
    if (without == BlendPart::Simulator)
        return Words::tr("score = %1 · network; the simulator is not used").arg(significant(blend.network));
    return Words::tr("score = %1 · network + %2 · ln(simulated ms)")
        .arg(significant(blend.network), significant(blend.simulator));
}

namespace {

QString table_row(const QString& title, const QStringList& cells) {
    QString html = QStringLiteral("<td>%1&nbsp;&nbsp;&nbsp;</td>").arg(title.toHtmlEscaped());
    for (const QString& cell : cells)
        html += QStringLiteral("<td align='right'>&nbsp;&nbsp;&nbsp;%1</td>").arg(cell.toHtmlEscaped());
    return QStringLiteral("<tr>%1</tr>").arg(html);
}

/// Its titles are dimmed.
QString table_of(const QStringList& titles, const QString& rows) {
    const QString head = QStringLiteral("<tr style='color:%1'>").arg(current_theme().dim_text.name()) +
                         table_row(QString(), titles).mid(4);
    return QStringLiteral("<table cellspacing='0' cellpadding='1'>%1</table>").arg(head + rows);
}

QString known_share(const std::optional<double>& value) {
    return value ? share_text(*value) : unknown_text();
}

} // namespace

QString gray_box_table(const TrainingRun& run, const Noun& workload) {
    return table_of({Words::tr("before"), Words::tr("simulator alone (calibrated)"), Words::tr("after")},
                    table_row(Words::tr("pairs in the right order, test %1").arg(many(workload)),
                              {known_share(run.accuracy_before), known_share(run.simulator_alone),
                               known_share(run.test_accuracy)}));
}

namespace {

struct BaselineWords {
    Q_DECLARE_TR_FUNCTIONS(sparsight::BaselineWords)
};

/// A lead on fewer test workloads than this is no finding at all.
constexpr int fewest_deciding_tests = 3;

bool decides_nothing(const TrainingRun& run) {
    return run.test_workloads > 0 && run.test_workloads < fewest_deciding_tests;
}

/// Without a winner, and so without advice against it.
QString undecided_sentence(const TrainingRun& run, const Noun& workload, const BaselineVerdict& verdict) {
    const QString shares = BaselineWords::tr("The network orders %1 of the pairs rightly, boosted trees %2.")
                               .arg(share_text(verdict.model), share_text(verdict.baseline));
    const QString few =
        run.test_workloads == 1
            ? BaselineWords::tr("One test %1 is too few to decide anything.").arg(one(workload))
            : BaselineWords::tr("%1 test %2 are too few to decide anything.")
                  .arg(count_text(run.test_workloads), many(workload));
    return few + u' ' + shares;
}

std::optional<BaselineVerdict> verdict_of(const TrainingRun& run) {
    return baseline_verdict_of(run.test_accuracy, run.baseline_accuracy);
}

QString lead_text(const BaselineVerdict& verdict) {
    return BaselineWords::tr("%1 percentage points")
        .arg(fixed_text(100 * std::abs(verdict.model - verdict.baseline), 1));
}

/// "3 test workloads, so few that it may be chance". Without a number it was tested with parts of workloads.
QString tests_text(const TrainingRun& run, const Noun& workload) {
    if (run.test_workloads == 0)
        return BaselineWords::tr("the pairs held out for the test");
    const QString tests =
        BaselineWords::tr("%1 test %2")
            .arg(count_text(run.test_workloads), run.test_workloads == 1 ? one(workload) : many(workload));
    return run.test_workloads < enough_test_workloads
               ? BaselineWords::tr("%1, so few that it may be chance").arg(tests)
               : tests;
}

} // namespace

QString baseline_sentence(const TrainingRun& run, const Noun& workload, const QString& advice) {
    const auto verdict = verdict_of(run);
    if (!verdict)
        return {};
    if (decides_nothing(run))
        return undecided_sentence(run, workload, *verdict);
    switch (verdict->standing) {
    case BaselineStanding::Ahead:
        return BaselineWords::tr("Boosted trees are ahead by %1 on %2: they order %3 of the pairs rightly, "
                                 "this network %4.")
                   .arg(lead_text(*verdict), tests_text(run, workload), share_text(verdict->baseline),
                        share_text(verdict->model)) +
               u' ' +
               (advice.isEmpty() ? BaselineWords::tr("Let it learn from more %1.").arg(many(workload))
                                 : advice);
    case BaselineStanding::Behind:
        return BaselineWords::tr("This network is ahead of boosted trees by %1 on %2: it orders %3 of the "
                                 "pairs rightly, they %4.")
            .arg(lead_text(*verdict), tests_text(run, workload), share_text(verdict->model),
                 share_text(verdict->baseline));
    case BaselineStanding::Even:
        break;
    }
    return BaselineWords::tr(
               "Boosted trees and this network are even on %1: both order %2 of the pairs rightly.")
        .arg(tests_text(run, workload), share_text(verdict->model));
}

bool is_behind_trees(const TrainingRun& run) {
    const auto verdict = verdict_of(run);
    return verdict && verdict->standing == BaselineStanding::Ahead && !decides_nothing(run);
}

} // namespace sparsight

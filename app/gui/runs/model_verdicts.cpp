#include "gui/runs/model_verdicts.h"

#include "gui/page/domain_words.h"
#include "gui/runs/stored_learning.h"
#include "gui/runs/training_runs.h"
#include "learning/training/model_verdicts.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(sparsight::BlendShares)
};

QString points_text(double difference) {
    return Words::tr("%1 percentage points").arg(fixed_text(100 * std::abs(difference), 1));
}

QString verdict_on_tests(const BlendVerdict& verdict, const Noun& workload) {
    const QString workloads = many(workload);
    const QString alone =
        verdict.better == BlendPart::Simulator ? Words::tr("the simulator") : Words::tr("the network");
    switch (verdict.worth) {
    case BlendWorth::Better:
        return Words::tr("Both together order %1 more of the pairs of the test %3 than %2 alone.")
            .arg(points_text(verdict.gained), alone, workloads);
    case BlendWorth::Worse:
        return Words::tr("Both together are worse than %2 alone on the test %3, by %1 of the pairs. The "
                         "shares fit the %3 that were learned from, not these.")
            .arg(points_text(verdict.gained), alone, workloads);
    case BlendWorth::Equal:
        break;
    }
    return Words::tr("Both together are as good as %1 alone on the test %2.").arg(alone, workloads);
}

} // namespace

QString no_share_sentence(const BlendShares& blend, const BlendAccuracies& kept_back, int workloads,
                          const DomainWords& words) {
    const auto without = part_without_share(blend.network, blend.simulator);
    if (!without)
        return {};
    const bool is_network = without == BlendPart::Network;
    const QString where = workloads > 0
                              ? Words::tr("cross-validation on %1").arg(counted(workloads, words.workload))
                              : Words::tr("tests on %1 that were kept back").arg(many(words.workload));
    const QString unused = is_network ? Words::tr("The network is not used: in %1").arg(where)
                                      : Words::tr("The simulator is not used: in %1").arg(where);
    const QString more = Words::tr("More %1 can change that.").arg(many(words.workload));
    if (!kept_back.network || !kept_back.simulator)
        return Words::tr("%1 combining both did not help. %2").arg(unused, more);
    const QString network = share_text(*kept_back.network);
    const QString simulator = share_text(*kept_back.simulator);
    const QString ordered =
        is_network
            ? Words::tr("the simulator ordered %1 of pairs correctly, the network %2").arg(simulator, network)
            : Words::tr("the network ordered %1 of pairs correctly, the simulator %2")
                  .arg(network, simulator);
    return Words::tr("%1 %2, and combining them did not help. %3").arg(unused, ordered, more);
}

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

QString blend_verdict(const BlendShares& blend, const BlendAccuracies& kept_back, const BlendAccuracies& test,
                      int workloads, const DomainWords& words) {
    const QString shares = no_share_sentence(blend, kept_back, workloads, words);
    const auto tested = blend_verdict_of(test.network, test.simulator, test.both);
    // A score from one part alone equals that part: only that the other part would have been better is worth
    // saying.
    if (!tested || (!shares.isEmpty() && tested->worth != BlendWorth::Worse))
        return shares;
    return QStringList{shares, verdict_on_tests(*tested, words.workload)}.join(u' ').trimmed();
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

QString tested_pairs_title(const Noun& workload) {
    return Words::tr("pairs in the right order, test %1").arg(many(workload));
}

} // namespace

QString blend_table(const BlendShares& blend, const BlendAccuracies& kept_back, const BlendAccuracies& test,
                    const Noun& workload) {
    const auto row = [](const QString& title, const BlendAccuracies& of) {
        return table_row(title, {known_share(of.network), known_share(of.simulator), known_share(of.both)});
    };
    QString rows = table_row(Words::tr("weight in the score"),
                             {significant(blend.network), significant(blend.simulator), QString()});
    if (kept_back.network || kept_back.simulator || kept_back.both)
        rows += row(Words::tr("pairs in the right order, kept back"), kept_back);
    return table_of({Words::tr("network"), Words::tr("simulator"), Words::tr("both")},
                    rows + row(tested_pairs_title(workload), test));
}

QString gray_box_table(const TrainingRun& run, const Noun& workload) {
    return table_of({Words::tr("before"), Words::tr("simulator alone (calibrated)"), Words::tr("after")},
                    table_row(tested_pairs_title(workload),
                              {known_share(run.accuracy_before), known_share(run.on_test.simulator),
                               known_share(run.test_accuracy)}));
}

QString blend_note(const TrainingRuns& runs, const QString& model) {
    const KnownModel* known = runs.model(model);
    if (known == nullptr || !known->blend)
        return {};
    const TrainingRun* run = known->run ? runs.run(*known->run) : nullptr;
    return no_share_sentence(*known->blend, run == nullptr ? BlendAccuracies{} : run->kept_back,
                             static_cast<int>(known->workloads.size()), runs.words());
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

/// "3 test workloads, so few that it may be chance".
QString tests_text(const TrainingRun& run, const Noun& workload) {
    if (run.test_workloads == 0)
        return BaselineWords::tr("the test %1").arg(many(workload));
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

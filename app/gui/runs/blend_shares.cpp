#include "gui/runs/blend_shares.h"

#include "gui/jobs/counted_text.h"
#include "learning/blend_verdict.h"
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

QString verdict_on_tests(const BlendVerdict& verdict) {
    const QString alone =
        verdict.better == BlendPart::Simulator ? Words::tr("the simulator") : Words::tr("the network");
    switch (verdict.worth) {
    case BlendWorth::Better:
        return Words::tr("On the test matrices both together order %1 more of the pairs than %2 alone.")
            .arg(points_text(verdict.gained), alone);
    case BlendWorth::Worse:
        return Words::tr("On the test matrices both together are worse than %2 alone, by %1 of the pairs: "
                         "the shares were right for the matrices that were learned from, and are not for "
                         "these.")
            .arg(points_text(verdict.gained), alone);
    case BlendWorth::Equal:
        break;
    }
    return Words::tr("On the test matrices both together are as good as %1 alone.").arg(alone);
}

} // namespace

QString no_share_sentence(const BlendShares& blend, const BlendAccuracies& kept_back, int matrices) {
    const auto without = part_without_share(blend.network, blend.simulator);
    if (!without)
        return {};
    const bool is_network = without == BlendPart::Network;
    const QString where =
        matrices > 0
            ? Words::tr("on the %1 that it learned from, each kept back once,").arg(matrices_text(matrices))
            : Words::tr("on matrices that were kept back");
    if (!kept_back.network || !kept_back.simulator)
        return (is_network ? Words::tr("The network has no share: %1 it made pairs and best schedules no "
                                       "better than the simulator alone, but for chance; more matrices to "
                                       "learn from can change that.")
                           : Words::tr("The simulator has no share: %1 it made pairs and best schedules no "
                                       "better than the network alone, but for chance; more matrices to "
                                       "calibrate it by can change that."))
            .arg(where);
    const QString network = share_text(*kept_back.network);
    const QString simulator = share_text(*kept_back.simulator);
    return is_network
               ? Words::tr("The network has no share: %1 the simulator alone ordered %2 of the pairs and "
                           "the network %3, and with a share of it pairs and best schedules were no better, "
                           "but for chance; more matrices to learn from can change that.")
                     .arg(where, simulator, network)
               : Words::tr("The simulator has no share: %1 the network alone ordered %2 of the pairs and "
                           "the simulator %3, and with a share of it pairs and best schedules were no "
                           "better, but for chance; more matrices to calibrate it by can change that.")
                     .arg(where, network, simulator);
}

QString blend_formula(const BlendShares& blend) {
    const auto without = part_without_share(blend.network, blend.simulator);
    if (without == BlendPart::Network)
        return Words::tr("score = %1 · ln(simulated ms), without a share of the network")
            .arg(significant(blend.simulator));
    if (without == BlendPart::Simulator)
        return Words::tr("score = %1 · network, without a share of the simulator")
            .arg(significant(blend.network));
    return Words::tr("score = %1 · network + %2 · ln(simulated ms)")
        .arg(significant(blend.network), significant(blend.simulator));
}

QString blend_verdict(const BlendShares& blend, const BlendAccuracies& kept_back, const BlendAccuracies& test,
                      int matrices) {
    const QString shares = no_share_sentence(blend, kept_back, matrices);
    const auto tested = blend_verdict_of(test.network, test.simulator, test.both);
    // What scores alone is as good as itself: only that the other one would have been better is news.
    if (!tested || (!shares.isEmpty() && tested->worth != BlendWorth::Worse))
        return shares;
    return QStringList{shares, verdict_on_tests(*tested)}.join(u' ').trimmed();
}

QString blend_table(const BlendShares& blend, const BlendAccuracies& kept_back, const BlendAccuracies& test) {
    const auto share = [](const std::optional<double>& value) {
        return value ? share_text(*value) : unknown_text();
    };
    const auto row = [](const QString& title, const QStringList& cells) {
        QString html = QStringLiteral("<tr><td>%1&nbsp;&nbsp;&nbsp;</td>").arg(title.toHtmlEscaped());
        for (const QString& cell : cells)
            html += QStringLiteral("<td align='right'>&nbsp;&nbsp;&nbsp;%1</td>").arg(cell.toHtmlEscaped());
        return html + QStringLiteral("</tr>");
    };
    const auto dimmed_row = [&](const QString& title, const QStringList& cells) {
        return QStringLiteral("<tr style='color:%1'>").arg(current_theme().dim_text.name()) +
               row(title, cells).mid(4);
    };
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='1'>");
    html += dimmed_row(QString(), {Words::tr("network"), Words::tr("simulator"), Words::tr("both")});
    html += row(Words::tr("weight in the score"),
                {significant(blend.network), significant(blend.simulator), QString()});
    if (kept_back.network || kept_back.simulator || kept_back.both)
        html += row(Words::tr("pairs in order, kept back"),
                    {share(kept_back.network), share(kept_back.simulator), share(kept_back.both)});
    html += row(Words::tr("pairs in order, test matrices"),
                {share(test.network), share(test.simulator), share(test.both)});
    return html + QStringLiteral("</table>");
}

} // namespace sparsight

#include "gui/train/explained_order.h"

#include "gui/page/domain_words.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sparsight {

namespace {

struct Explained {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ExplainedOrder)
};

const QString pairs = QStringLiteral("ordered_pair_accuracy");

constexpr double coin = 0.5; ///< the share of pairs that chance orders right: what bands begin at

/// Shares of pairs in the right order, at the same places.
struct Shares {
    std::vector<double> x;
    std::vector<double> simulator;
    std::vector<double> both;
};

std::vector<LineSeries> stacked(const Shares& shares) {
    if (shares.x.empty())
        return {};
    LineSeries physics{.name = Explained::tr("physics: the simulator alone"), .colour = ChartColour::Series1};
    LineSeries added{.name = Explained::tr("added by learning"), .colour = ChartColour::Series2};
    LineSeries taken{.name = Explained::tr("taken by learning"), .colour = ChartColour::Lose};
    physics.band = added.band = BandLook::Filled;
    taken.band = BandLook::Hatched;
    bool takes = false;
    for (std::size_t at = 0; at < shares.x.size(); ++at) {
        const double alone = std::max(coin, shares.simulator[at]);
        const double both = std::max(coin, shares.both[at]);
        takes = takes || both < alone;
        physics.y.push_back(alone);
        physics.low.push_back(coin);
        physics.high.push_back(std::min(alone, both));
        added.y.push_back(both);
        added.low.push_back(alone);
        added.high.push_back(std::max(alone, both));
        taken.y.push_back(std::numeric_limits<double>::quiet_NaN()); // its edges are lines already
        taken.low.push_back(std::min(alone, both));
        taken.high.push_back(alone);
    }
    physics.marked = added.marked = shares.x.size() == 1; // a band of one place has no width
    physics.is_held = added.is_held = true;
    physics.x = added.x = taken.x = shares.x;
    std::vector<LineSeries> lines{std::move(physics), std::move(added)};
    if (takes)
        lines.push_back(std::move(taken));
    return lines;
}

/// "The simulator orders 90.1 % of the pairs; learning adds 2.3 points."
QString contributions(double simulator, double both) {
    constexpr double least = 0.0005; // less is not seen in any figure
    const double added = both - simulator;
    const QString points = fixed_text(100 * std::abs(added), 1);
    const QString alone = fixed_text(100 * simulator, 1);
    return added >= least ? Explained::tr("The simulator orders %1 % of the pairs; learning adds %2 points.")
                                .arg(alone, points)
           : added <= -least
               ? Explained::tr("The simulator orders %1 % of the pairs; learning takes %2 points "
                               "away.")
                     .arg(alone, points)
               : Explained::tr("The simulator orders %1 % of the pairs; learning adds nothing yet.")
                     .arg(alone);
}

/// Where both are known. Both curves are of the same epochs, by ascending x.
Shares shares_of(const RunCurve& simulator, const RunCurve& both) {
    Shares shares;
    for (std::size_t at = 0; at < simulator.x.size(); ++at) {
        const auto same = std::ranges::find(both.x, simulator.x[at]);
        if (same == both.x.end())
            continue;
        shares.x.push_back(simulator.x[at]);
        shares.simulator.push_back(simulator.y[at]);
        shares.both.push_back(both.y[static_cast<std::size_t>(same - both.x.begin())]);
    }
    return shares;
}

Shares shares_of(const RunCurves& curves, RunAxis axis) {
    return shares_of(curves.simulator(overall_scope, pairs, axis),
                     curves.validation(overall_scope, pairs, axis));
}

Shares shares_of(const ShotPoints& points, const QString& ours) {
    const auto curve_of = [&](const QString& contender) {
        RunCurve curve;
        for (const auto& [shots, interval] : points.curve(contender, pairs)) {
            curve.x.push_back(shots);
            curve.y.push_back(interval.mean);
        }
        return curve;
    };
    return shares_of(curve_of(QStringLiteral("simulator")), curve_of(ours));
}

} // namespace

std::vector<LineSeries> explained_lines(const ShownRun& run, RunAxis axis) {
    if (run.curves == nullptr)
        return {};
    std::vector<LineSeries> lines = stacked(shares_of(*run.curves, axis));
    for (LineSeries& line : lines)
        line.x = on_axis({std::move(line.x), {}}, axis, run).x;
    return lines;
}

QString explained_sentence(const RunCurves& curves) {
    const Shares shares = shares_of(curves, RunAxis::Epoch);
    return shares.x.empty() ? QString() : contributions(shares.simulator.back(), shares.both.back());
}

std::vector<LineSeries> explained_lines(const ShotPoints& points, const QString& ours) {
    return stacked(shares_of(points, ours));
}

QString explained_sentence(const ShotPoints& points, const QString& ours, const Noun& workload) {
    const Shares shares = shares_of(points, ours);
    if (shares.x.empty())
        return {};
    return Explained::tr("Learned from %1: %2")
        .arg(counted(static_cast<int>(shares.x.back()), workload),
             contributions(shares.simulator.back(), shares.both.back()));
}

ChartAxis explained_axis() {
    ChartAxis axis;
    axis.title = Explained::tr("pairs in the right order (50 %: by chance)");
    axis.format = ValueFormat::Percent;
    axis.minimum = coin;
    return axis;
}

} // namespace sparsight

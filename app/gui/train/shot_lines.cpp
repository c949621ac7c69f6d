#include "gui/train/shot_lines.h"

#include "gui/jobs/counted_text.h"
#include "gui/runs/run_curves.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>

namespace sparsight {

namespace {

struct Shots {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ShotCurve)
};

bool is_as_good(double value, double reference, const QString& metric) {
    return better_is_more(metric) ? value >= reference : value <= reference;
}

std::vector<QString> in_order(const ShotPoints& points, const QString& ours) {
    std::vector<QString> contenders = points.contenders();
    const auto place = [&ours](const QString& contender) {
        return contender == ours ? 0 : contender == QStringLiteral("scratch") ? 1 : 2;
    };
    std::ranges::stable_sort(contenders, {}, place);
    return contenders;
}

} // namespace

std::vector<LineSeries> shot_lines(const ShotPoints& points, const QString& metric, const QString& ours) {
    std::vector<LineSeries> lines;
    for (const QString& contender : in_order(points, ours)) {
        LineSeries line;
        line.name = contender;
        line.colour = series_colour(lines.size());
        line.marked = true;
        for (const auto& [shots, interval] : points.curve(contender, metric)) {
            line.x.push_back(shots);
            line.y.push_back(interval.mean);
            line.low.push_back(interval.low);
            line.high.push_back(interval.high);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

ChartAxis shot_axis(const std::vector<LineSeries>& lines) {
    constexpr double room = 0.03;
    double most = 1;
    for (const LineSeries& line : lines)
        most = line.x.empty() ? most : std::max(most, line.x.back());
    ChartAxis axis;
    axis.title = Shots::tr("matrices that were learned from");
    axis.format = ValueFormat::Count;
    axis.minimum = -room * most;
    axis.maximum = (1 + room) * most;
    return axis;
}

QString shot_sentence(const ShotPoints& points, const QString& metric, const QString& ours) {
    const std::vector<QString> contenders = in_order(points, ours);
    if (contenders.size() < 2)
        return {};
    const QString& first = contenders[0];
    const QString& second = contenders[1];
    const auto reaches = points.curve(first, metric);
    const auto theirs = points.curve(second, metric);
    if (theirs.empty())
        return {};
    const auto& [most, reached] = *theirs.rbegin();
    for (const auto& [shots, interval] : reaches)
        if (is_as_good(interval.mean, reached.mean, metric))
            return shots < most ? Shots::tr("%1 is with %2 as good as %3 with %4.")
                                      .arg(first, matrices_text(shots), second, matrices_text(most))
                                : QString();
    return Shots::tr("%1 does not reach what %2 does with %3.").arg(first, second, matrices_text(most));
}

} // namespace sparsight

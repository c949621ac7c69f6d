#include "widgets/chart/stacked_picture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sparsight {

namespace {

/// Bars that take longer than this many times what three quarters of them take run out of the axis: a few
/// slow ones would leave no room for the others.
constexpr double longest_shown = 1.25;

QString field(const QString& text) {
    return u'"' + QString(text).replace(u'"', QStringLiteral("\"\"")) + u'"';
}

} // namespace

double StackedBar::total() const {
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

ChartScale reach_of(const StackedPicture& picture) {
    double longest = 0;
    for (const StackedBar& bar : picture.bars)
        if (!bar.parts.empty())
            longest = std::max({longest, bar.total(), bar.marker.value_or(0)});
    return {false, 0, longest > 0 ? longest : 1};
}

StackedPose pose_of(const StackedPicture& picture) {
    StackedPose pose;
    std::vector<double> totals;
    double row = 0;
    for (const StackedBar& bar : picture.bars) {
        pose.bars[bar.key] = {row++, bar.parts};
        if (bar.parts.empty())
            continue;
        totals.push_back(bar.total());
    }
    const double longest = reach_of(picture).high;
    if (totals.empty())
        return pose;
    const auto usual = totals.begin() + static_cast<std::ptrdiff_t>((totals.size() * 3) / 4);
    std::ranges::nth_element(totals, usual);
    pose.limit = std::min(longest, usual == totals.end() ? longest : longest_shown * *usual);
    return pose;
}

StackedPose between(const StackedPose& from, const StackedPose& to, double share) {
    StackedPose pose = to;
    pose.start = from.start + share * (to.start - from.start);
    pose.limit = from.limit + share * (to.limit - from.limit);
    for (auto& [key, bar] : pose.bars) {
        const auto before = from.bars.find(key);
        if (before == from.bars.end() || before->second.parts.size() != bar.parts.size())
            continue;
        bar.row = before->second.row + share * (bar.row - before->second.row);
        for (std::size_t part = 0; part < bar.parts.size(); ++part)
            bar.parts[part] =
                before->second.parts[part] + share * (bar.parts[part] - before->second.parts[part]);
    }
    return pose;
}

QString stacked_csv(const StackedPicture& picture) {
    QStringList head{QStringLiteral("rank"), QStringLiteral("key"), QStringLiteral("label")};
    for (const StackedTerm& term : picture.terms)
        head << field(term.name);
    head << QStringLiteral("total") << field(picture.marker_name);
    QString csv = head.join(u',') + u'\n';
    int rank = 0;
    for (const StackedBar& bar : picture.bars) {
        QStringList line{QString::number(++rank), field(bar.key), field(bar.label)};
        for (std::size_t part = 0; part < picture.terms.size(); ++part)
            line << (part < bar.parts.size() ? QString::number(bar.parts[part], 'g', 17) : QString());
        line << (bar.parts.empty() ? QString() : QString::number(bar.total(), 'g', 17))
             << (bar.marker ? QString::number(*bar.marker, 'g', 17) : QString());
        csv += line.join(u',') + u'\n';
    }
    return csv;
}

} // namespace sparsight

#include "gui/runs/shot_points.h"

#include <algorithm>

namespace sparsight {

ShotInterval& ShotPoints::interval(const QString& contender, const QString& metric, int shots) {
    if (std::ranges::find(contenders_, contender) == contenders_.end())
        contenders_.push_back(contender);
    return curves_[{contender, metric}][shots];
}

void ShotPoints::take(const QJsonObject& event) {
    const auto member = [](const QJsonObject& object, const char* key) {
        return object.value(QLatin1String(key));
    };
    const QString contender = member(event, "contender").toString();
    const int shots = member(event, "shots").toInt(-1);
    if (member(event, "event").toString() != QLatin1String("shot") || contender.isEmpty() || shots < 0)
        return;
    const QJsonObject means = member(event, "mean").toObject();
    for (auto at = means.begin(); at != means.end(); ++at) {
        const QJsonObject values = at.value().toObject();
        const double mean = member(values, "mean").toDouble();
        interval(contender, at.key(), shots) = {mean, member(values, "low").toDouble(mean),
                                                member(values, "high").toDouble(mean)};
    }
}

void ShotPoints::take(const std::string& metric, const std::vector<MetricPoint>& points) {
    const QString name = QString::fromStdString(metric);
    // The contender may be a model with bars in its name.
    const qsizetype last = name.lastIndexOf(u'/');
    const qsizetype before = name.lastIndexOf(u'/', last - 1);
    const QString prefix = QStringLiteral("shots/");
    if (!name.startsWith(prefix) || before <= prefix.size())
        return;
    const QString contender = name.mid(prefix.size(), before - prefix.size());
    const QString what = name.mid(before + 1, last - before - 1);
    const QString part = name.mid(last + 1);
    for (const MetricPoint& point : points) {
        ShotInterval& one = interval(contender, what, static_cast<int>(point.step));
        if (part == QLatin1String("mean"))
            one.mean = point.value;
        else if (part == QLatin1String("low"))
            one.low = point.value;
        else if (part == QLatin1String("high"))
            one.high = point.value;
    }
}

std::map<int, ShotInterval> ShotPoints::curve(const QString& contender, const QString& metric) const {
    const auto found = curves_.find({contender, metric});
    return found == curves_.end() ? std::map<int, ShotInterval>() : found->second;
}

} // namespace sparsight

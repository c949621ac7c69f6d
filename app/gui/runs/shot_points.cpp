#include "gui/runs/shot_points.h"

#include "gui/runs/run_curves.h"

#include <algorithm>

namespace sparsight {

ShotPoints::Point& ShotPoints::point(const QString& contender, const QString& metric, int shots) {
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
        const auto number = [&](const char* key) {
            const QJsonValue value = member(values, key);
            return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
        };
        point(contender, at.key(), shots) = {number("mean").value_or(0), number("low"), number("high")};
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
    for (const MetricPoint& stored : points) {
        Point& one = point(contender, what, static_cast<int>(stored.step));
        if (part == QLatin1String("mean"))
            one.mean = stored.value;
        else if (part == QLatin1String("low"))
            one.low = stored.value;
        else if (part == QLatin1String("high"))
            one.high = stored.value;
    }
}

std::map<int, ShotInterval> ShotPoints::curve(const QString& contender, const QString& metric) const {
    const auto found = curves_.find({contender, metric});
    if (found == curves_.end())
        return {};
    const MetricLimits limits = limits_of(metric);
    std::map<int, ShotInterval> curve;
    for (const auto& [shots, point] : found->second)
        curve[shots] = {point.mean, std::max(limits.least, point.low.value_or(point.mean)),
                        std::min(limits.most, point.high.value_or(point.mean))};
    return curve;
}

} // namespace sparsight

#include "gui/runs/run_curves.h"

#include "gui/jobs/json_values.h"

#include <QJsonArray>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sparsight {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
/// A larger gap than any trainer reports: an event that names a later step is damaged.
constexpr std::int64_t largest_gap = 10'000'000;

NamedMetrics metrics_of(const QJsonObject& object) {
    NamedMetrics metrics;
    for (auto at = object.begin(); at != object.end(); ++at)
        if (at.value().isDouble())
            metrics[at.key()] = at.value().toDouble();
    return metrics;
}

std::map<QString, NamedMetrics> scopes_of(const QJsonObject& object) {
    std::map<QString, NamedMetrics> scopes;
    for (auto at = object.begin(); at != object.end(); ++at)
        scopes[at.key()] = metrics_of(at.value().toObject());
    return scopes;
}

bool is_time(RunAxis axis) {
    return axis == RunAxis::Time || axis == RunAxis::TimeOfDay;
}

/// y at x on the line through the knots around it; outside the knots on the extension of the nearest line.
double interpolated(const std::vector<std::pair<double, double>>& knots, double x) {
    if (knots.size() < 2)
        return unknown;
    auto right = std::ranges::lower_bound(knots, x, {}, &std::pair<double, double>::first);
    right = std::clamp(right, knots.begin() + 1, knots.end() - 1);
    const auto left = right - 1;
    const double share = (x - left->first) / (right->first - left->first);
    return left->second + share * (right->second - left->second);
}

} // namespace

bool better_is_more(const QString& metric) {
    return metric.startsWith(QStringLiteral("ordered_pair")) ||
           metric.startsWith(QStringLiteral("kendall")) || metric.startsWith(QStringLiteral("speedup"));
}

MetricLimits limits_of(const QString& metric) {
    constexpr double none = std::numeric_limits<double>::infinity();
    if (metric.startsWith(QStringLiteral("ordered_pair")))
        return {0, 1};
    if (metric.startsWith(QStringLiteral("kendall")))
        return {-1, 1};
    return {metric.startsWith(QStringLiteral("regret")) || metric.startsWith(QStringLiteral("speedup"))
                ? 0
                : -none,
            none};
}

void RunCurves::take(const QJsonObject& event) {
    const QString name = member(event, "event").toString();
    if (name == QLatin1String("start")) {
        steps_per_epoch_ = member(event, "steps_per_epoch").toInteger();
        goes_on_ = true;
    } else if (name == QLatin1String("steps"))
        take_steps(event);
    else if (name == QLatin1String("epoch"))
        take_epoch(event);
}

void RunCurves::take_steps(const QJsonObject& event) {
    const std::int64_t first = member(event, "first").toInteger();
    const QJsonArray losses = member(event, "losses").toArray();
    const std::int64_t end = first - 1 + losses.size();
    if (first < 1 || losses.isEmpty() || end - steps() > largest_gap)
        return;
    if (std::exchange(goes_on_, false))
        forget_from(first);
    if (end > steps())
        losses_.resize(static_cast<std::size_t>(end), unknown);
    for (qsizetype i = 0; i < losses.size(); ++i) // a loss that is no number is null
        losses_[static_cast<std::size_t>(first - 1 + i)] = losses[i].toDouble(unknown);
    tick(end, member(event, "seconds").toDouble(unknown));
}

void RunCurves::take_epoch(const QJsonObject& event) {
    const int epoch = member(event, "epoch").toInt();
    if (epoch < 1)
        return;
    EpochPoint& point = epochs_[epoch];
    point.values = metrics_of(event);
    point.step = member(event, "step").toInteger();
    point.validation = scopes_of(member(event, "validation").toObject());
    point.simulator = scopes_of(member(event, "validation_of_simulator").toObject());
    tick(point.step, member(event, "seconds").toDouble(unknown));
}

void RunCurves::take(const std::string& metric, const std::vector<MetricPoint>& points) {
    if (metric == "loss") {
        for (const MetricPoint& point : points) {
            if (point.step < 1 || point.step - steps() > largest_gap)
                continue;
            if (point.step > steps())
                losses_.resize(static_cast<std::size_t>(point.step), unknown);
            losses_[static_cast<std::size_t>(point.step - 1)] = point.value;
        }
        return;
    }
    const QString name = QString::fromStdString(metric);
    const qsizetype first_bar = name.indexOf(u'/');
    const QString group = name.left(first_bar);
    const QString rest = name.mid(first_bar + 1);
    // A machine's name may itself contain slashes.
    const qsizetype last_bar = rest.lastIndexOf(u'/');
    const QString scope = last_bar < 0 ? overall_scope : rest.left(last_bar);
    for (const MetricPoint& point : points) {
        if (point.step < 1 || point.step > std::numeric_limits<int>::max())
            continue;
        const int epoch = static_cast<int>(point.step);
        if (metric == "epoch/step")
            epochs_[epoch].step = std::llround(point.value);
        else if (group == QLatin1String("epoch"))
            epochs_[epoch].values[rest] = point.value;
        else if (group == QLatin1String("validation"))
            epochs_[epoch].validation[scope][rest.mid(last_bar + 1)] = point.value;
        else if (group == QLatin1String("validation_of_simulator"))
            epochs_[epoch].simulator[scope][rest.mid(last_bar + 1)] = point.value;
    }
    if (metric != "epoch/step" && metric != "epoch/seconds")
        return;
    clock_.clear();
    before_pause_ = since_pause_ = 0;
    for (const auto& [epoch, point] : epochs_)
        if (const auto seconds = point.values.find(QStringLiteral("seconds"));
            seconds != point.values.end() && point.step > 0)
            tick(point.step, seconds->second);
}

void RunCurves::forget_from(std::int64_t step) {
    if (step <= steps())
        losses_.resize(static_cast<std::size_t>(step - 1));
    std::erase_if(epochs_, [step](const auto& epoch) { return epoch.second.step >= step; });
    std::erase_if(clock_, [step](const auto& time) { return time.first >= static_cast<double>(step); });
    before_pause_ = seconds();
    since_pause_ = 0;
}

/// The trainer's clock restarts when it resumes after a pause.
void RunCurves::tick(std::int64_t step, double seconds) {
    if (!std::isfinite(seconds) || seconds < 0)
        return;
    if (seconds < since_pause_)
        before_pause_ += since_pause_;
    since_pause_ = seconds;
    if (clock_.empty())
        clock_.emplace_back(0, 0);
    const std::pair<double, double> now{static_cast<double>(step), before_pause_ + seconds};
    if (now.first > clock_.back().first && now.second >= clock_.back().second)
        clock_.push_back(now);
}

QStringList RunCurves::scopes() const {
    QStringList scopes{overall_scope};
    for (const auto& [epoch, point] : epochs_)
        for (const auto& [scope, metrics] : point.validation)
            if (!scopes.contains(scope))
                scopes << scope;
    return scopes;
}

std::vector<std::pair<double, double>> RunCurves::ends_of_epochs() const {
    std::vector<std::pair<double, double>> ends{{0, 0}};
    for (const auto& [epoch, point] : epochs_)
        if (static_cast<double>(point.step) > ends.back().first)
            ends.emplace_back(static_cast<double>(point.step), epoch);
    if (steps_per_epoch_ > 0) // the running epoch
        ends.emplace_back(ends.back().first + static_cast<double>(steps_per_epoch_), ends.back().second + 1);
    return ends;
}

std::vector<double> RunCurves::places(const std::vector<double>& steps, RunAxis axis) const {
    if (axis == RunAxis::Step)
        return steps;
    const auto knots = is_time(axis) ? clock_ : ends_of_epochs();
    std::vector<double> places(steps.size());
    std::ranges::transform(steps, places.begin(), [&](double step) { return interpolated(knots, step); });
    return places;
}

RunCurve RunCurves::losses(RunAxis axis) const {
    std::vector<double> steps(losses_.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        steps[i] = static_cast<double>(i + 1);
    return {places(steps, axis), losses_};
}

RunCurve RunCurves::epoch_values(const QString& name, RunAxis axis) const {
    RunCurve curve;
    for (const auto& [epoch, point] : epochs_)
        if (const auto found = point.values.find(name); found != point.values.end()) {
            curve.x.push_back(axis == RunAxis::Epoch ? epoch : static_cast<double>(point.step));
            curve.y.push_back(found->second);
        }
    if (is_time(axis))
        curve.x = places(curve.x, axis);
    return curve;
}

RunCurve RunCurves::validation(const QString& scope, const QString& metric, RunAxis axis) const {
    return of_scope(&EpochPoint::validation, scope, metric, axis);
}

RunCurve RunCurves::simulator(const QString& scope, const QString& metric, RunAxis axis) const {
    return of_scope(&EpochPoint::simulator, scope, metric, axis);
}

RunCurve RunCurves::of_scope(Scopes scopes, const QString& scope, const QString& metric, RunAxis axis) const {
    RunCurve curve;
    for (const auto& [epoch, point] : epochs_) {
        const auto known = (point.*scopes).find(scope);
        if (known == (point.*scopes).end())
            continue;
        if (const auto found = known->second.find(metric); found != known->second.end()) {
            curve.x.push_back(axis == RunAxis::Epoch ? epoch : static_cast<double>(point.step));
            curve.y.push_back(found->second);
        }
    }
    if (is_time(axis))
        curve.x = places(curve.x, axis);
    return curve;
}

std::optional<double> RunCurves::last(const QString& name) const {
    const RunCurve curve = epoch_values(name, RunAxis::Epoch);
    return curve.y.empty() ? std::nullopt : std::optional(curve.y.back());
}

std::optional<double> RunCurves::best(const QString& metric) const {
    const RunCurve curve = validation(overall_scope, metric, RunAxis::Epoch);
    std::optional<double> best;
    for (const double value : curve.y)
        if (std::isfinite(value) && (!best || (better_is_more(metric) ? value > *best : value < *best)))
            best = value;
    return best;
}

std::optional<int> RunCurves::best_epoch() const {
    std::optional<int> best;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [epoch, point] : epochs_) {
        const auto overall = point.validation.find(overall_scope);
        if (overall == point.validation.end())
            continue;
        const auto loss = overall->second.find(QStringLiteral("loss"));
        if (loss != overall->second.end() && loss->second < least) {
            least = loss->second;
            best = epoch;
        }
    }
    return best;
}

std::optional<double> RunCurves::last_validation(const QString& metric) const {
    const RunCurve curve = validation(overall_scope, metric, RunAxis::Epoch);
    return curve.y.empty() ? std::nullopt : std::optional(curve.y.back());
}

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
    // The contender may be a model with slashes in its name.
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

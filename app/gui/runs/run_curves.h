// The progress of a training run as curves, from its stored metrics, its events, or both (the events continue
// where the store ends), and the shot curve: the accuracy of each contender by the number of workloads spent.
#pragma once

#include "store/runs.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

/// Named as in learning/training/ranking_report.h: "loss", "ordered_pair_accuracy", "regret_at_20" …
using NamedMetrics = std::map<QString, double>;

/// The scope of the validation over all machines together.
inline const QString overall_scope = QStringLiteral("overall");

enum class RunAxis {
    Step,
    Epoch,
    Time,     ///< spent training since the start
    TimeOfDay ///< the start and the time spent training since
};

struct RunCurve {
    std::vector<double> x;
    std::vector<double> y;
    bool operator==(const RunCurve&) const = default;
};

/// One finished epoch. Unknown values are absent from `values`.
struct EpochPoint {
    std::int64_t step = 0; ///< number of steps by its end
    NamedMetrics values;   ///< "training_loss", "rate", "seconds", "examples_per_second", "memory_bytes"
    std::map<QString, NamedMetrics> validation; ///< by scope
    /// Of a gray box, likewise: what its simulator does alone. Empty in runs from before it was recorded.
    std::map<QString, NamedMetrics> simulator;
};

class RunCurves {
public:
    /// Reads the events "start", "steps" and "epoch" and ignores all others.
    void take(const QJsonObject& event);
    /// Reads a metric as train records it: "loss", "epoch/rate", "validation/loss",
    /// "validation/MACHINE/loss", and "validation_of_simulator/…".
    void take(const std::string& metric, const std::vector<MetricPoint>& points);

    [[nodiscard]] bool empty() const { return losses_.empty() && epochs_.empty(); }
    [[nodiscard]] std::int64_t steps() const { return static_cast<std::int64_t>(losses_.size()); }
    /// By number, from 1.
    [[nodiscard]] const std::map<int, EpochPoint>& epochs() const { return epochs_; }
    /// overall_scope first, then the machines.
    [[nodiscard]] QStringList scopes() const;

    /// The loss of every step.
    [[nodiscard]] RunCurve losses(RunAxis axis) const;
    /// A value of the epochs; validation() gives a value of their validation in a scope.
    [[nodiscard]] RunCurve epoch_values(const QString& name, RunAxis axis) const;
    [[nodiscard]] RunCurve validation(const QString& scope, const QString& metric, RunAxis axis) const;
    /// The same of the simulator of a gray box alone.
    [[nodiscard]] RunCurve simulator(const QString& scope, const QString& metric, RunAxis axis) const;
    /// The newest value; nothing where there is none.
    [[nodiscard]] std::optional<double> last(const QString& name) const;
    /// The best value of the overall validation, largest or smallest according to better_is_more().
    [[nodiscard]] std::optional<double> best(const QString& metric) const;
    /// The epoch with the lowest loss of the overall validation, whose weights a trainer keeps.
    [[nodiscard]] std::optional<int> best_epoch() const;
    /// The newest value of the overall validation.
    [[nodiscard]] std::optional<double> last_validation(const QString& metric) const;
    /// Time spent training, without pauses.
    [[nodiscard]] double seconds() const { return clock_.empty() ? 0 : clock_.back().second; }

private:
    void take_steps(const QJsonObject& event);
    void take_epoch(const QJsonObject& event);
    /// Drops the steps that a resumed run reports again.
    void forget_from(std::int64_t step);
    void tick(std::int64_t step, double seconds);
    using Scopes = std::map<QString, NamedMetrics> EpochPoint::*;
    [[nodiscard]] RunCurve of_scope(Scopes scopes, const QString& scope, const QString& metric,
                                    RunAxis axis) const;
    /// The position of each step on the axis, interpolated between the clock's entries and the ends of
    /// epochs.
    [[nodiscard]] std::vector<double> places(const std::vector<double>& steps, RunAxis axis) const;
    [[nodiscard]] std::vector<std::pair<double, double>> ends_of_epochs() const;

    std::vector<double> losses_; ///< loss of step i + 1; NaN where it is not known
    std::map<int, EpochPoint> epochs_;
    std::vector<std::pair<double, double>> clock_; ///< steps and seconds, both ascending
    bool goes_on_ = false;             ///< the run was started again and has reported no step since
    std::int64_t steps_per_epoch_ = 0; ///< 0: not known
    double before_pause_ = 0;          ///< seconds of the parts of the run that ended in a pause
    double since_pause_ = 0;
};

[[nodiscard]] bool better_is_more(const QString& metric);

/// Bounds on every value of the metric.
struct MetricLimits {
    double least;
    double most;
};
[[nodiscard]] MetricLimits limits_of(const QString& metric);

/// A growing shot curve: how good each way of spending measurements is, by the number of workloads.
struct ShotInterval {
    double mean = 0;
    double low = 0;  ///< lower end of the 95 % confidence interval, clipped to the metric's limits;
    double high = 0; ///< upper end; for a single draw both are the mean
    bool operator==(const ShotInterval&) const = default;
};

class ShotPoints {
public:
    /// Reads the event "shot" and ignores all others.
    void take(const QJsonObject& event);
    /// Reads "shots/CONTENDER/METRIC/mean", low or high, by number of shots.
    void take(const std::string& metric, const std::vector<MetricPoint>& points);

    [[nodiscard]] bool empty() const { return contenders_.empty(); }
    /// In the order of their arrival.
    [[nodiscard]] const std::vector<QString>& contenders() const { return contenders_; }
    /// By number of workloads.
    [[nodiscard]] std::map<int, ShotInterval> curve(const QString& contender, const QString& metric) const;

private:
    struct Point {
        double mean = 0;
        std::optional<double> low;
        std::optional<double> high;
    };

    Point& point(const QString& contender, const QString& metric, int shots);

    std::vector<QString> contenders_;
    std::map<std::pair<QString, QString>, std::map<int, Point>> curves_;
};

} // namespace sparsight

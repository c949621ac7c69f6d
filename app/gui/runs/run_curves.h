// What a training run has told so far, as curves: from its stored metrics, from its events, or from both, the
// events going on where the store ends.
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

/// By the names of learning/training/ranking_report.h: "loss", "ordered_pair_accuracy", "regret_at_20" …
using NamedMetrics = std::map<QString, double>;

/// Whose validation: that of all machines together.
inline const QString overall_scope = QStringLiteral("overall");

enum class RunAxis { Step, Epoch, Time };

struct RunCurve {
    std::vector<double> x;
    std::vector<double> y;
    bool operator==(const RunCurve&) const = default;
};

/// One epoch that is done. What is not known is absent from `values`.
struct EpochPoint {
    std::int64_t step = 0; ///< how many there were by its end
    NamedMetrics values;   ///< "training_loss", "rate", "seconds", "examples_per_second", "memory_bytes"
    std::map<QString, NamedMetrics> validation; ///< by scope
};

class RunCurves {
public:
    /// "start", "steps" and "epoch" count; everything else is passed over.
    void take(const QJsonObject& event);
    /// A metric as train records it: "loss", "epoch/rate", "validation/loss", "validation/MACHINE/loss".
    void take(const std::string& metric, const std::vector<MetricPoint>& points);

    [[nodiscard]] bool empty() const { return losses_.empty() && epochs_.empty(); }
    [[nodiscard]] std::int64_t steps() const { return static_cast<std::int64_t>(losses_.size()); }
    /// By number, from 1.
    [[nodiscard]] const std::map<int, EpochPoint>& epochs() const { return epochs_; }
    /// overall_scope first, then the machines.
    [[nodiscard]] QStringList scopes() const;

    /// The loss of every step.
    [[nodiscard]] RunCurve losses(RunAxis axis) const;
    /// A value of the epochs, or with a scope one of their validation.
    [[nodiscard]] RunCurve epoch_values(const QString& name, RunAxis axis) const;
    [[nodiscard]] RunCurve validation(const QString& scope, const QString& metric, RunAxis axis) const;
    /// The newest value; nothing where there is none.
    [[nodiscard]] std::optional<double> last(const QString& name) const;
    /// Of the overall validation: the best value, the largest or smallest as it is meant; see
    /// better_is_more().
    [[nodiscard]] std::optional<double> best(const QString& metric) const;
    /// The newest value of the overall validation.
    [[nodiscard]] std::optional<double> last_validation(const QString& metric) const;
    /// How long it has trained. Pauses do not count.
    [[nodiscard]] double seconds() const { return clock_.empty() ? 0 : clock_.back().second; }

private:
    void take_steps(const QJsonObject& event);
    void take_epoch(const QJsonObject& event);
    /// What comes after a run went on is told again.
    void forget_from(std::int64_t step);
    void tick(std::int64_t step, double seconds);
    /// Where a step stands on the axis, in between as the clock and the ends of epochs say.
    [[nodiscard]] std::vector<double> places(const std::vector<double>& steps, RunAxis axis) const;
    [[nodiscard]] std::vector<std::pair<double, double>> ends_of_epochs() const;

    std::vector<double> losses_; ///< of step i + 1; NaN where it is not known
    std::map<int, EpochPoint> epochs_;
    std::vector<std::pair<double, double>> clock_; ///< steps and seconds, both ascending
    bool goes_on_ = false;                         ///< it was started, and has told no step since
    std::int64_t steps_per_epoch_ = 0;             ///< 0: not known
    double before_pause_ = 0;                      ///< seconds of the parts of the run that a pause ended
    double since_pause_ = 0;
};

[[nodiscard]] bool better_is_more(const QString& metric);

/// No figure of this metric lies outside of them.
struct MetricLimits {
    double least;
    double most;
};
[[nodiscard]] MetricLimits limits_of(const QString& metric);

// A shot curve as it grows: how good each way of spending measurements is after how many matrices.

struct ShotInterval {
    double mean = 0;
    double low = 0;  ///< of the 95 % confidence interval, no farther than the figure can be;
    double high = 0; ///< of a single draw the mean
    bool operator==(const ShotInterval&) const = default;
};

class ShotPoints {
public:
    /// "shot" counts; everything else is passed over.
    void take(const QJsonObject& event);
    /// "shots/CONTENDER/METRIC/mean", low or high, by number of shots.
    void take(const std::string& metric, const std::vector<MetricPoint>& points);

    [[nodiscard]] bool empty() const { return contenders_.empty(); }
    /// In the order in which they came.
    [[nodiscard]] const std::vector<QString>& contenders() const { return contenders_; }
    /// By number of matrices.
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
